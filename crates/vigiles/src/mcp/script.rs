//! The tools of a scripted server, and what they answer.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::reply::shortened;
use super::{McpCall, McpError, Reply, protocol};

/// A reply that is made when its call is there.
pub type ReplyFn = Arc<dyn Fn(Arc<McpCall>) -> Replied + Send + Sync>;

/// What a [`ReplyFn`] gives: the reply, or the text of an error. The tool fails with that text then, and the server
/// notes a problem.
pub type Replied = Pin<Box<dyn Future<Output = Result<Reply, String>> + Send>>;

/// One answer of a tool.
#[derive(Clone)]
pub enum ReplyStep {
    /// One that is known beforehand.
    Reply(Arc<Reply>),
    /// One made from the call.
    Compute(ReplyFn),
}

impl fmt::Debug for ReplyStep {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reply(reply) => reply.fmt(out),
            Self::Compute(_) => out.write_str("Compute"),
        }
    }
}

impl From<Reply> for ReplyStep {
    fn from(reply: Reply) -> Self {
        Self::Reply(Arc::new(reply))
    }
}

/// What a tool answers.
#[derive(Debug, Clone)]
pub enum Replies {
    /// The same to every call.
    Always(ReplyStep),
    /// One to each call, in the order the calls arrive. A call for which none is left is an error of the tool, and a
    /// problem of the server.
    InOrder(Vec<ReplyStep>),
}

impl From<Reply> for Replies {
    fn from(reply: Reply) -> Self {
        Self::Always(reply.into())
    }
}

impl From<ReplyFn> for Replies {
    fn from(make: ReplyFn) -> Self {
        Self::Always(ReplyStep::Compute(make))
    }
}

impl From<Vec<Reply>> for Replies {
    fn from(replies: Vec<Reply>) -> Self {
        Self::InOrder(replies.into_iter().map(ReplyStep::from).collect())
    }
}

/// One tool of a scripted server.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Its name: 1 to 64 letters, digits, `_` and `-`. A CLI offers it to the model as `mcp__SERVER__NAME`.
    pub name: String,
    /// What the model is told of it.
    pub description: Option<String>,
    /// The JSON schema of its arguments; none is any object. Calls are not held against it: the CLI and the model are
    /// what is tested.
    pub input_schema: Option<Box<RawValue>>,
    /// What it answers.
    pub replies: Replies,
}

impl Tool {
    /// A tool without description that takes any arguments.
    pub fn new(name: impl Into<String>, replies: impl Into<Replies>) -> Self {
        Self { name: name.into(), description: None, input_schema: None, replies: replies.into() }
    }

    fn steps(&self) -> &[ReplyStep] {
        match &self.replies {
            Replies::Always(step) => std::slice::from_ref(step),
            Replies::InOrder(steps) => steps,
        }
    }

    fn validate(&self) -> Result<(), McpError> {
        #[derive(Deserialize)]
        struct Schema {
            r#type: String,
        }

        let wrong = |problem: String| Err(McpError::Tool { tool: self.name.clone(), problem });
        if let Some(problem) = protocol::name_problem(&self.name) {
            return wrong(problem);
        }
        if let Some(schema) = &self.input_schema {
            let json = schema.get();
            let read = serde_json::from_str::<Schema>(json).ok().filter(|_| json.starts_with('{'));
            if read.is_none_or(|schema| schema.r#type != "object") {
                let seen = shortened(json);
                return wrong(format!(
                    "expected `inputSchema` to be a JSON schema with `type: \"object\"`, the only one that MCP allows, but got {seen}"
                ));
            }
        }
        let steps = self.steps();
        if steps.is_empty() {
            return wrong("its list of replies is empty, so every call would fail. Add a reply".to_owned());
        }
        for (index, step) in steps.iter().enumerate() {
            if let ReplyStep::Reply(reply) = step
                && let Err(problem) = reply.validate()
            {
                return wrong(format!("{}: {problem}", place(&self.replies, index)));
            }
        }
        Ok(())
    }
}

fn place(replies: &Replies, index: usize) -> String {
    match replies {
        Replies::Always(_) => "its reply".to_owned(),
        Replies::InOrder(_) => format!("reply {}", index + 1),
    }
}

/// What a scripted MCP server offers and answers.
#[derive(Debug, Clone)]
pub struct McpScript {
    /// What it calls itself; default `demo`. The name of its tools comes from the CLI's configuration, not from here.
    pub name: String,
    /// How to use the server, for the model.
    pub instructions: Option<String>,
    /// Its tools, in the order they are listed.
    pub tools: Vec<Tool>,
    /// The time before each answer, the first one included: a slow server.
    pub delay: Duration,
    /// The server is not there: the program that a CLI starts for it ends at once, with exit code 1.
    pub fail_to_start: bool,
}

impl McpScript {
    /// A server with these tools.
    pub fn new(tools: impl IntoIterator<Item = Tool>) -> Self {
        Self {
            name: "demo".to_owned(),
            instructions: None,
            tools: tools.into_iter().collect(),
            delay: Duration::ZERO,
            fail_to_start: false,
        }
    }

    /// Reads a script: `{name?, instructions?, delayMs?, failToStart?, tools: [{name, description?, inputSchema?, reply}]}`.
    /// A reply is an object, or a list of them; `{"function": NUMBER}` is one made by `make`.
    pub fn from_json(json: &str, mut make: impl FnMut(u32) -> ReplyFn) -> Result<Self, McpError> {
        let deserializer = &mut serde_json::Deserializer::from_str(json);
        let read: ScriptJson = serde_path_to_error::deserialize(deserializer).map_err(|error| {
            let (path, problem) = (error.path().to_string(), error.inner().to_string());
            McpError::Script { problem: if path == "." { problem } else { format!("`{path}`: {problem}") } }
        })?;
        let tools = read.tools.into_iter().map(|tool| tool.read(&mut make)).collect::<Result<Vec<_>, _>>()?;
        let mut script = Self::new(tools);
        script.name = read.name.unwrap_or(script.name);
        script.instructions = read.instructions;
        script.delay = Duration::from_millis(read.delay_ms);
        script.fail_to_start = read.fail_to_start;
        script.validate()?;
        Ok(script)
    }

    pub(super) fn validate(&self) -> Result<(), McpError> {
        let wrong = |problem: String| Err(McpError::Script { problem });
        if self.name.trim().is_empty() {
            return wrong("expected `name` to say something, but it is empty. Leave it out for \"demo\"".to_owned());
        }
        if self.tools.is_empty() {
            return wrong(
                "expected tools, but there is none. Add one, such as { echo: { reply: { text: \"hello\" } } }"
                    .to_owned(),
            );
        }
        for (index, tool) in self.tools.iter().enumerate() {
            if self.tools[..index].iter().any(|other| other.name == tool.name) {
                let problem = "there are two tools of this name. Give each its own".to_owned();
                return Err(McpError::Tool { tool: tool.name.clone(), problem });
            }
            tool.validate()?;
        }
        Ok(())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ScriptJson {
    name: Option<String>,
    instructions: Option<String>,
    #[serde(default)]
    delay_ms: u64,
    #[serde(default)]
    fail_to_start: bool,
    tools: Vec<ToolJson>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ToolJson {
    name: String,
    description: Option<String>,
    input_schema: Option<Box<RawValue>>,
    reply: Option<Box<RawValue>>,
}

impl ToolJson {
    fn read(self, make: &mut impl FnMut(u32) -> ReplyFn) -> Result<Tool, McpError> {
        let Self { name, description, input_schema, reply } = self;
        match read_replies(reply.as_deref(), make) {
            Ok(replies) => Ok(Tool { name, description, input_schema, replies }),
            Err(problem) => Err(McpError::Tool { tool: name, problem }),
        }
    }
}

fn read_replies(reply: Option<&RawValue>, make: &mut impl FnMut(u32) -> ReplyFn) -> Result<Replies, String> {
    let json =
        reply.ok_or("it has no `reply`. Give one, such as { text: \"done\" }, a list of them, or a function")?.get();
    if !json.starts_with('[') {
        return read_step(json, make).map(Replies::Always).map_err(|problem| format!("its reply: {problem}"));
    }
    let list: Vec<&RawValue> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let numbered = list.into_iter().enumerate();
    let step = |(index, reply): (usize, &RawValue)| {
        read_step(reply.get(), make).map_err(|problem| format!("reply {}: {problem}", index + 1))
    };
    numbered.map(step).collect::<Result<_, _>>().map(Replies::InOrder)
}

fn read_step(json: &str, make: &mut impl FnMut(u32) -> ReplyFn) -> Result<ReplyStep, String> {
    #[derive(Deserialize)]
    struct Function {
        function: u32,
    }

    match serde_json::from_str::<Function>(json) {
        Ok(Function { function }) => Ok(ReplyStep::Compute(make(function))),
        Err(_) => Reply::from_json(json).map(ReplyStep::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<McpScript, McpError> {
        McpScript::from_json(json, |number| -> ReplyFn {
            Arc::new(move |_| Box::pin(async move { Ok(Reply::text(number.to_string())) }))
        })
    }

    #[test]
    fn a_script_is_read_with_its_tools_in_their_order() {
        let script = read(
            r#"{"instructions":"Be nice.","delayMs":5,"tools":[
                {"name":"z","description":"Last first.","inputSchema":{"type":"object"},"reply":{"text":"hi"}},
                {"name":"a","reply":[{"text":"1"},{"function":0}]},
                {"name":"m","reply":{"function":1}}]}"#,
        )
        .unwrap();
        assert_eq!((script.name.as_str(), script.instructions.as_deref()), ("demo", Some("Be nice.")));
        assert_eq!(script.delay, Duration::from_millis(5));
        let names: Vec<&str> = script.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["z", "a", "m"]);
        assert!(matches!(&script.tools[0].replies, Replies::Always(ReplyStep::Reply(_))));
        assert!(
            matches!(&script.tools[1].replies, Replies::InOrder(steps) if matches!(steps[..], [ReplyStep::Reply(_), ReplyStep::Compute(_)]))
        );
        assert!(matches!(&script.tools[2].replies, Replies::Always(ReplyStep::Compute(_))));
    }

    #[test]
    fn a_script_that_could_not_be_served_is_refused_with_its_place() {
        let cases = [
            ("[]", "VIGILES_MCP_SCRIPT", "invalid length 0"),
            (r#"{"tools":[]}"#, "VIGILES_MCP_SCRIPT", "expected tools, but there is none"),
            (r#"{"tools":[{"name":"a","reply":{"text":"x"}}],"name":" "}"#, "VIGILES_MCP_SCRIPT", "expected `name`"),
            (r#"{"tools":[{"name":"a","replies":1}]}"#, "VIGILES_MCP_SCRIPT", "`tools[0].replies`: unknown field"),
            (r#"{"tools":[{"name":"a b","reply":{"text":"x"}}]}"#, "VIGILES_MCP_TOOL", "expected a name of 1 to 64"),
            (r#"{"tools":[{"name":"a"}]}"#, "VIGILES_MCP_TOOL", "it has no `reply`"),
            (r#"{"tools":[{"name":"a","reply":null}]}"#, "VIGILES_MCP_TOOL", "it has no `reply`"),
            (r#"{"tools":[{"name":"a","reply":[]}]}"#, "VIGILES_MCP_TOOL", "its list of replies is empty"),
            (r#"{"tools":[{"name":"a","reply":{}}]}"#, "VIGILES_MCP_TOOL", "its reply: it says nothing"),
            (r#"{"tools":[{"name":"a","reply":[{"text":"x"},{}]}]}"#, "VIGILES_MCP_TOOL", "reply 2: it says nothing"),
            (
                r#"{"tools":[{"name":"a","reply":{"text":"x"},"inputSchema":{"type":"string"}}]}"#,
                "VIGILES_MCP_TOOL",
                "expected `inputSchema`",
            ),
            (
                r#"{"tools":[{"name":"a","reply":{"text":"x"}},{"name":"a","reply":{"text":"x"}}]}"#,
                "VIGILES_MCP_TOOL",
                "two tools of this name",
            ),
        ];
        for (json, code, problem) in cases {
            let error = read(json).unwrap_err();
            assert_eq!(error.code(), code, "{json}: {error}");
            assert!(error.to_string().contains(problem), "{json}: {error}");
        }
    }

    #[test]
    fn a_script_made_in_rust_is_held_to_the_same() {
        let script = McpScript::new([Tool::new("echo", vec![Reply::text("a"), Reply::default()])]);
        assert!(script.validate().unwrap_err().to_string().contains("reply 2: it says nothing"));
    }
}
