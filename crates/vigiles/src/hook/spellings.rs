//! Other ways to write a command: what a guard that looks for a text does not see.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::disasters::DisasterEvent;

/// Programs that are part of the shell: they have no path, and no other program can start them.
const BUILTINS: [&str; 12] =
    ["cd", "export", "set", "unset", "source", ".", "eval", "exec", "exit", "return", "alias", ":"];

/// Every event in other spellings, the given ones not among them.
///
/// A spelling makes bash run the same programs with the same arguments, but for the families `flags`, `flag-order` and
/// `git-options`, whose arguments mean the same to the program. Its id is that of its event, `~`, and its family. Events without a
/// command have none. A command that has more than plain words and `&&`, `||`, `;`, `|` between them is wrapped only, not
/// respelled word by word.
pub fn alternate_spellings(events: &[DisasterEvent]) -> Vec<DisasterEvent> {
    events.iter().flat_map(of_event).collect()
}

fn of_event(event: &DisasterEvent) -> Vec<DisasterEvent> {
    let Some(command) = event.input.get("command").and_then(Value::as_str) else { return Vec::new() };
    let mut seen = vec![command.to_owned()];
    let mut respelled = Vec::new();
    for (family, text) in spellings(command) {
        if seen.contains(&text) {
            continue;
        }
        let mut input = event.input.clone();
        input["command"] = json!(text);
        respelled.push(DisasterEvent {
            id: format!("{}~{family}", event.id).into(),
            label: format!("{} ({})", event.label, family.replace('-', " ")).into(),
            input,
            ..event.clone()
        });
        seen.push(text);
    }
    respelled
}

/// Spellings of a command, with their families.
fn spellings(command: &str) -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    if let Some(line) = Line::read(command) {
        all.extend(PROGRAM.iter().map(|(family, respell)| (*family, line.programs(*respell))));
        all.extend(WORDS.iter().map(|(family, respell)| (*family, line.simples(*respell))));
        all.extend(GAPS.iter().map(|(family, gap)| (*family, line.joined(gap))));
    }
    // A here-document would lose its end, a comment would swallow what is put behind it.
    if !command.contains(['\n', '#']) && !command.contains("<<") {
        all.extend(WHOLE.iter().map(|(family, wrap)| (*family, wrap(command))));
    }
    all
}

/// Plain commands with operators between them.
struct Line {
    simples: Vec<Simple>,
    /// One fewer than commands.
    operators: Vec<String>,
}

/// The words of one command.
type Simple = Vec<String>;

impl Line {
    fn read(command: &str) -> Option<Self> {
        let plain = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || "_./:@%+=,~-".contains(c));
        let mut line = Self { simples: vec![Vec::new()], operators: Vec::new() };
        if command.contains('\n') {
            return None;
        }
        for word in command.split_ascii_whitespace() {
            if ["&&", "||", ";", "|"].contains(&word) {
                line.operators.push(word.to_owned());
                line.simples.push(Vec::new());
            } else if plain(word) {
                line.simples.last_mut()?.push(word.to_owned());
            } else {
                return None;
            }
        }
        // A word with `=` before the program would be an assignment.
        let named = |simple: &Simple| simple.first().is_some_and(|program| !program.contains(['=', '~']));
        line.simples.iter().all(named).then_some(line)
    }

    fn joined(&self, gap: &str) -> String {
        self.text(|simple| simple.join(gap), gap)
    }

    fn simples(&self, respell: OfWords) -> String {
        self.text(|simple| respell(simple).join(" "), " ")
    }

    fn programs(&self, respell: OfText) -> String {
        let respelled = |simple: &Simple| match simple.split_first() {
            Some((program, rest)) if !BUILTINS.contains(&program.as_str()) => {
                std::iter::once(respell(program)).chain(rest.iter().cloned()).collect::<Vec<_>>().join(" ")
            }
            _ => simple.join(" "),
        };
        self.text(respelled, " ")
    }

    fn text(&self, write: impl Fn(&Simple) -> String, gap: &str) -> String {
        let mut text = String::new();
        for (index, simple) in self.simples.iter().enumerate() {
            if let Some(operator) = index.checked_sub(1).and_then(|before| self.operators.get(before)) {
                let _ = write!(text, "{gap}{operator}{gap}");
            }
            text.push_str(&write(simple));
        }
        text
    }
}

/// A family's name, and what it makes.
type Family<F> = (&'static str, F);
type OfText = fn(&str) -> String;
type OfWords = fn(&[String]) -> Vec<String>;

/// Other ways to name a program.
const PROGRAM: &[Family<OfText>] = &[
    ("double-quotes", |program| format!("\"{program}\"")),
    ("single-quotes", |program| format!("'{program}'")),
    ("empty-quotes", |program| halves(program, "\"\"")),
    ("empty-single-quotes", |program| halves(program, "''")),
    ("half-quoted", |program| format!("\"{}\"{}", head(program), tail(program))),
    ("backslash", |program| format!("\\{program}")),
    ("backslash-inside", |program| halves(program, "\\")),
    ("ansi-quotes", |program| format!("$'{program}'")),
    ("ansi-hex", |program| format!("$'\\x{:02x}{}'", program.bytes().next().unwrap_or_default(), tail(program))),
    ("locale-quotes", |program| format!("$\"{program}\"")),
    ("path", |program| if program.contains('/') { program.to_owned() } else { format!("/usr/bin/{program}") }),
    ("command", |program| format!("command {program}")),
    ("builtin-command", |program| format!("builtin command {program}")),
    ("env", |program| format!("env {program}")),
    ("env-assignment", |program| format!("env LANG=C {program}")),
    ("assignment", |program| format!("LANG=C {program}")),
    ("sudo", |program| format!("sudo {program}")),
    ("sudo-options", |program| format!("sudo -n -u root {program}")),
    ("nice", |program| format!("nice -n 5 {program}")),
    ("nohup", |program| format!("nohup {program}")),
    ("timeout", |program| format!("timeout 30 {program}")),
    ("stdbuf", |program| format!("stdbuf -o0 {program}")),
    ("setsid", |program| format!("setsid {program}")),
    ("empty-substitution", |program| format!("$(){program}")),
];

/// Other ways to write the words of a command.
const WORDS: &[Family<OfWords>] = &[
    ("quoted-arguments", |words| arguments(words, |word| format!("\"{word}\""))),
    ("single-quoted-arguments", |words| arguments(words, |word| format!("'{word}'"))),
    ("split-arguments", |words| arguments(words, |word| halves(word, "\"\""))),
    ("escaped-arguments", |words| arguments(words, |word| halves(word, "\\"))),
    ("braces", |words| {
        let fit = words.len() > 1 && !words.iter().any(|word| word.contains([',', '~']) || word == "cd");
        if fit { vec![format!("{{{}}}", words.join(","))] } else { words.to_vec() }
    }),
    ("home-variable", |words| home(words, "$HOME")),
    ("home-in-braces", |words| home(words, "${HOME}")),
    ("quoted-home", |words| home(words, "\"$HOME\"")),
    ("flags", flags),
    ("flag-order", flag_order),
    ("git-options", |words| match words.split_first() {
        Some((program, rest)) if program == "git" => {
            [&["git".to_owned(), "-C".to_owned(), ".".to_owned(), "--no-pager".to_owned()], rest].concat()
        }
        _ => words.to_vec(),
    }),
];

/// What may stand between two words.
const GAPS: &[Family<&str>] = &[("tabs", "\t"), ("blanks", "   "), ("continued-lines", " \\\n ")];

/// Constructs that run a command.
const WHOLE: &[Family<OfText>] = &[
    ("bash-c", |command| format!("bash -c {}", quoted(command))),
    ("bash-lc", |command| format!("bash -lc {}", quoted(command))),
    ("eval", |command| format!("eval {}", quoted(command))),
    ("subshell", |command| format!("({command})")),
    ("group", |command| format!("{{ {command}; }}")),
    ("substitution", |command| format!("true \"$({command})\"")),
    ("backquotes", |command| {
        // In backquotes a backslash has another meaning.
        if command.contains(['\\', '`']) { command.to_owned() } else { format!("true `{command}`") }
    }),
    ("if", |command| format!("if true; then {command}; fi")),
    ("for", |command| format!("for once in 1; do {command}; done")),
    ("while", |command| format!("while true; do {command}; break; done")),
    ("case", |command| format!("case x in x) {command};; esac")),
    ("function", |command| format!("run() {{ {command}; }}; run")),
    ("and", |command| format!("true && {command}")),
    ("or", |command| format!("false || {command}")),
    ("after-a-line", |command| format!("true\n{command}")),
    ("background", |command| format!("{{ {command}; }} & wait")),
    ("comment", |command| format!("{command} # a comment")),
    ("here-document", |command| format!("bash <<'END'\n{command}\nEND")),
    ("redirected", |command| format!("{{ {command}; }} > /dev/null 2>&1")),
];

fn head(word: &str) -> &str {
    word.get(..1).unwrap_or(word)
}

fn tail(word: &str) -> &str {
    word.get(1..).unwrap_or_default()
}

/// A word with something after its first character.
fn halves(word: &str, between: &str) -> String {
    if word.len() > 1 { format!("{}{between}{}", head(word), tail(word)) } else { format!("{word}\"\"") }
}

/// Every word but the program. A tilde means the home only where nothing is quoted.
fn arguments(words: &[String], respell: impl Fn(&str) -> String) -> Vec<String> {
    let one = |(index, word): (usize, &String)| {
        if index == 0 || word.starts_with('~') { word.clone() } else { respell(word) }
    };
    words.iter().enumerate().map(one).collect()
}

fn home(words: &[String], name: &str) -> Vec<String> {
    let one = |word: &String| match word.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{name}{rest}"),
        _ => word.clone(),
    };
    words.iter().map(one).collect()
}

/// Flags that mean the same: program, subcommand, flag, others.
const SAME_FLAGS: &[(&str, Option<&str>, &str, &[&str])] = &[
    ("git", Some("push"), "--force", &["-f"]),
    ("git", Some("push"), "-f", &["--force"]),
    ("git", Some("commit"), "--no-verify", &["-n"]),
    ("git", Some("commit"), "-n", &["--no-verify"]),
    ("rm", None, "-rf", &["--recursive", "--force"]),
    ("rm", None, "-fr", &["--recursive", "--force"]),
    ("curl", None, "-fsSL", &["--fail", "--silent", "--show-error", "--location"]),
];

fn flags(words: &[String]) -> Vec<String> {
    let (program, subcommand) = (words.first().map(String::as_str), words.get(1).map(String::as_str));
    let same = |word: &String| {
        let of = |(named, sub, flag, _): &&(&str, Option<&str>, &str, &[&str])| {
            Some(*named) == program && (sub.is_none() || *sub == subcommand) && *flag == word
        };
        SAME_FLAGS.iter().find(of).map(|(.., others)| others.iter().map(|flag| (*flag).to_owned()).collect())
    };
    words.iter().flat_map(|word| same(word).unwrap_or_else(|| vec![word.clone()])).collect()
}

/// The first flag after all other words, for programs that take it there.
fn flag_order(words: &[String]) -> Vec<String> {
    let takes = words.first().is_some_and(|program| ["git", "rm"].contains(&program.as_str()));
    // A flag that has a value of its own would lose it.
    let movable = |word: &&String| ["--force", "-f", "--hard", "-rf", "-fr", "--no-verify"].contains(&word.as_str());
    match words.iter().find(movable) {
        Some(flag) if takes => {
            let mut rest: Vec<String> = words.iter().filter(|word| *word != flag).cloned().collect();
            rest.push(flag.clone());
            rest
        }
        _ => words.to_vec(),
    }
}

/// A text in single quotes.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
