//! Did the hook's own code run at all? An interpreter that cannot open or parse its script says so on stderr, and several
//! of them then exit 2, the very code that blocks.
//!
//! Every form here is what the real interpreter prints (see the table in `tests/hook_interpreters.rs`), with its exit
//! code. The report must be the last thing on stderr, because the interpreter ends there; a hook that merely quotes such a
//! text and goes on is not matched.

/// Says why the hook's own code never ran, or `None` if nothing shows that.
pub(super) fn never_ran(exit_code: Option<i32>, stderr: &str) -> Option<String> {
    let code = exit_code?;
    match code {
        0 => return None,
        126 => {
            return Some("exit 126: the shell found the command but could not execute it".to_owned());
        }
        127 => return Some("exit 127: the shell found no such command or file".to_owned()),
        _ => {}
    }
    let stderr = without_ansi(stderr);
    let report = Report::new(&stderr)?;
    [python, dash, bash, perl, node, ruby, deno, bun]
        .into_iter()
        .find_map(|reads| reads(code, &report))
        .map(|(interpreter, trouble)| format!("{interpreter} {trouble}: {}", report.headline(interpreter)))
}

type Trouble = (&'static str, &'static str);

const CANNOT_OPEN: &str = "could not open the hook's script";
const CANNOT_PARSE: &str = "could not parse the hook's script";
const CANNOT_LOAD: &str = "could not load what the hook's script imports";

/// Stderr, seen from its end.
struct Report<'a> {
    text: &'a str,
    last: &'a str,
    before_last: &'a str,
}

impl<'a> Report<'a> {
    fn new(text: &'a str) -> Option<Self> {
        let text = text.trim_end();
        let mut lines = text.lines().rev().filter(|line| !line.trim().is_empty());
        let last = lines.next()?;
        Some(Report { text, last, before_last: lines.next().unwrap_or_default() })
    }

    fn lines(&self) -> impl Iterator<Item = &'a str> {
        self.text.lines()
    }

    /// The line that names the trouble.
    fn headline(&self, interpreter: &str) -> &'a str {
        const STARTS: [&str; 5] = ["Error: ", "Error [", "SyntaxError: ", "SyntaxError [", "error: "];
        match interpreter {
            "ruby" => self.first(),
            "bash" if self.before_last.contains(": line ") => self.before_last,
            "node" | "deno" | "bun" => {
                self.lines().find(|line| STARTS.iter().any(|start| line.starts_with(start))).unwrap_or(self.last)
            }
            _ => self.last,
        }
    }

    fn first(&self) -> &'a str {
        self.lines().find(|line| !line.trim().is_empty()).unwrap_or_default()
    }
}

fn python(code: i32, report: &Report<'_>) -> Option<Trouble> {
    const NAME: &str = "python";
    if let Some((program, rest)) = report.last.split_once(": ")
        && program.rsplit(['/', '\\']).next().is_some_and(|name| name.starts_with("python") || name.starts_with("pypy"))
    {
        let missing = code == 2 && rest.starts_with("can't open file '") && rest.contains(": [Errno ");
        let unrunnable =
            code == 1 && (rest.starts_with("can't find '__main__' module in ") || rest.starts_with("No module named "));
        return (missing || unrunnable).then_some((NAME, CANNOT_OPEN));
    }
    let syntax = ["SyntaxError: ", "IndentationError: ", "TabError: "].iter().any(|kind| report.last.starts_with(kind));
    // With a traceback, code was running: the broken source belongs to an import, an eval or a compile.
    let running = report.lines().any(|line| line.starts_with("Traceback (most recent call last)"));
    let located = report.lines().any(|line| line.starts_with("  File \"") && line.contains("\", line "))
        || report.last.starts_with("SyntaxError: Non-UTF-8 code starting with ");
    (code == 1 && syntax && located && !running).then_some((NAME, CANNOT_PARSE))
}

fn dash(code: i32, report: &Report<'_>) -> Option<Trouble> {
    const NAME: &str = "sh";
    if code != 2 {
        return None;
    }
    let (name, number, message) = numbered(report.last)?;
    if number == 0
        && !name.contains(char::is_whitespace)
        && (message.starts_with("cannot open ") || message.starts_with("Can't open "))
    {
        return Some((NAME, CANNOT_OPEN));
    }
    message.starts_with("Syntax error: ").then_some((NAME, CANNOT_PARSE))
}

/// Splits `name: 12: message`.
fn numbered(line: &str) -> Option<(&str, u32, &str)> {
    let mut parts = line.splitn(3, ": ");
    let (name, number, message) = (parts.next()?, parts.next()?, parts.next()?);
    Some((name, number.parse().ok()?, message))
}

fn bash(code: i32, report: &Report<'_>) -> Option<Trouble> {
    if code != 2 {
        return None;
    }
    let unparsable = |line: &str| {
        let (name, message) = bash_message(line)?;
        // `eval` and `$(...)` name themselves before the line number: there the script itself was running.
        let inner = name.ends_with(": eval") || name.ends_with(": command substitution");
        let known = message.starts_with("syntax error near unexpected token ")
            || message.starts_with("syntax error: unexpected end of file")
            || message.starts_with("unexpected EOF while looking for matching ");
        (known && !inner).then_some(())
    };
    let quotes_source = bash_message(report.last).is_some_and(|(_, message)| message.starts_with('`'));
    let found = unparsable(report.last).or_else(|| if quotes_source { unparsable(report.before_last) } else { None });
    found.map(|()| ("bash", CANNOT_PARSE))
}

/// Splits `name: line 12: message`.
fn bash_message(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(": line ")?;
    let (number, message) = rest.split_once(": ")?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some((name, message))
}

fn perl(code: i32, report: &Report<'_>) -> Option<Trouble> {
    const NAME: &str = "perl";
    // Perl exits with errno here, so any code is possible, 2 included.
    if report.last.starts_with("Can't open perl script \"") {
        return Some((NAME, CANNOT_OPEN));
    }
    if report.last.starts_with("BEGIN failed--compilation aborted at ") {
        return Some((NAME, CANNOT_LOAD));
    }
    let aborted =
        report.last.starts_with("Execution of ") && report.last.ends_with(" aborted due to compilation errors.");
    (code == 255 && (aborted || report.last.ends_with(" had too many errors."))).then_some((NAME, CANNOT_PARSE))
}

fn node(code: i32, report: &Report<'_>) -> Option<Trouble> {
    const NAME: &str = "node";
    if code != 1 {
        return None;
    }
    let frame = |text: &str| report.lines().any(|line| line.trim_start().starts_with("at ") && line.contains(text));
    let internal = report.first().starts_with("node:internal/modules/");
    let line = |start: &str| report.lines().any(|line| line.starts_with(start));

    if internal && line("Error: Cannot find module '") && report.text.contains("requireStack: []") {
        return Some((NAME, CANNOT_OPEN));
    }
    // A static import is resolved before the first line runs; `import()` is not.
    let linking = frame("ModuleJob._link") || frame("ModuleJob.syncLink");
    let dynamic = frame("importModuleDynamically") || frame("ImportModuleDynamically");
    if internal && line("Error [ERR_MODULE_NOT_FOUND]: ") && linking && !dynamic {
        return Some((NAME, CANNOT_LOAD));
    }
    let syntax = line("SyntaxError: ") || line("SyntaxError [ERR_INVALID_TYPESCRIPT_SYNTAX]: ");
    let main = frame("node:internal/modules/run_main") || frame("node:internal/main/run_main_module");
    let parsing = frame("at wrapSafe (node:internal/modules/") || frame("at parseTypeScript (node:internal/modules/");
    let required = frame("at Module.require (node:internal/modules/");
    let common_js = parsing && main && !required;
    let module = frame("at compileSourceTextModule (node:internal/modules/") && !dynamic;
    let inline = report.first().starts_with("[eval]:") && frame("at makeContextifyScript (node:internal/vm");
    (syntax && (common_js || module || inline)).then_some((NAME, CANNOT_PARSE))
}

fn ruby(code: i32, report: &Report<'_>) -> Option<Trouble> {
    const NAME: &str = "ruby";
    if code != 1 {
        return None;
    }
    if report.last.starts_with("ruby: ") && report.last.ends_with(" (LoadError)") && report.last.contains(" -- ") {
        return Some((NAME, CANNOT_OPEN));
    }
    // `script.rb:1: syntax error, ...`; an error raised while running has `:in` after the line number.
    let (place, message) = report.first().split_once(": ")?;
    let (file, line) = place.rsplit_once(':')?;
    let located = !file.is_empty() && !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    (located && (message.starts_with("syntax error, ") || message.starts_with("syntax errors found")))
        .then_some((NAME, CANNOT_PARSE))
}

fn deno(code: i32, report: &Report<'_>) -> Option<Trouble> {
    const NAME: &str = "deno";
    if code != 1 {
        return None;
    }
    let first = report.first();
    // The whole graph of static imports is fetched before the first line runs.
    if first.starts_with("error: Module not found \"") {
        let imported = report.text.contains("\n    at file://");
        return Some((NAME, if imported { CANNOT_LOAD } else { CANNOT_OPEN }));
    }
    // The parser knows one place; an error raised while running says `Uncaught`.
    (first.starts_with("error: SyntaxError: ") && report.text.contains("\n    at file://"))
        .then_some((NAME, CANNOT_PARSE))
}

fn bun(code: i32, report: &Report<'_>) -> Option<Trouble> {
    const NAME: &str = "bun";
    if code != 1 {
        return None;
    }
    if report.last.starts_with("error: Module not found \"") && report.last.ends_with('"') {
        return Some((NAME, CANNOT_OPEN));
    }
    let stamped = report.last.starts_with("Bun v");
    let message = report.lines().find_map(|line| line.strip_prefix("error: "))?;
    let parsing = message.starts_with("Expected ") || message.starts_with("Unexpected ");
    // The parser gives a bare `at path:line:column`; a running stack has `at name (path...)`.
    let bare = report.lines().filter(|line| line.starts_with("    at ")).all(|line| !line.contains(" ("));
    (stamped && parsing && bare).then_some((NAME, CANNOT_PARSE))
}

/// Deno colours its message even when stderr is no terminal.
fn without_ansi(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, escaped)) = rest.split_once("\u{1b}[") {
        out.push_str(plain);
        rest = escaped.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        rest = rest.strip_prefix('m').unwrap_or(rest);
    }
    out.push_str(rest);
    out.into()
}
