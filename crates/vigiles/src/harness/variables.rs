//! Which variable a hook's command reads although nothing sets it.

use crate::hook::Hook;

/// Variables that a shell sets itself.
const OF_THE_SHELL: [&str; 22] = [
    "BASH",
    "BASHPID",
    "BASH_SOURCE",
    "BASH_VERSION",
    "COLUMNS",
    "EUID",
    "FUNCNAME",
    "HOSTNAME",
    "IFS",
    "LINENO",
    "LINES",
    "OLDPWD",
    "OPTARG",
    "OPTIND",
    "OSTYPE",
    "PIPESTATUS",
    "PPID",
    "PWD",
    "RANDOM",
    "REPLY",
    "SECONDS",
    "UID",
];

/// The first variable that the command reads and that neither its environment nor the command itself sets.
///
/// A reading that says what holds otherwise (`${NAME:-...}`) needs no value. The command is not parsed as a shell would: what stands
/// in single quotes or after a backslash is no reading, and any `NAME=`, `for NAME` or `read ... NAME` sets it.
pub(super) fn unset_variable(command: &str, hook: &Hook) -> Option<String> {
    let set = |name: &str| {
        OF_THE_SHELL.contains(&name)
            || name == "CLAUDE_PROJECT_DIR" && hook.project_dir.is_some()
            || hook.command.env.iter().any(|(key, _)| key == name)
            || sets(command, name)
    };
    readings(command).into_iter().find(|name| !set(name))
}

/// Names that the command reads without saying what holds where they have no value.
fn readings(command: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut chars = command.chars().peekable();
    let (mut single, mut double) = (false, false);
    while let Some(c) = chars.next() {
        match c {
            '\'' if !double => single = !single,
            '"' if !single => double = !double,
            '\\' if !single => {
                chars.next();
            }
            '$' if !single => {
                let braced = chars.next_if_eq(&'{').is_some();
                let mut name = String::new();
                while let Some(c) = chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                let plain = !braced || chars.peek() == Some(&'}');
                if plain && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
                    names.push(name);
                }
            }
            _ => {}
        }
    }
    names
}

fn sets(command: &str, name: &str) -> bool {
    let words: Vec<&str> = command.split(|c: char| c.is_whitespace() || ";&|(){}".contains(c)).collect();
    let assigned = words.iter().any(|word| word.strip_prefix(name).is_some_and(|rest| rest.starts_with(['=', '+'])));
    let taken = ["for", "read", "mapfile", "readarray", "getopts"].iter().any(|taker| {
        let after = words.iter().skip_while(|word| word != &taker).skip(1);
        after.take(6).any(|word| *word == name)
    });
    assigned || taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Command;

    #[test]
    fn a_variable_counts_as_read_where_a_shell_would_read_it() {
        let mut hook = Hook::new(Command::shell(""));
        hook.command.env = vec![("HOME".into(), "/h".into()), ("CLAUDE_PLUGIN_ROOT".into(), "/p".into())];
        for (command, expected) in [
            ("guard.sh", None),
            ("bash ${CLAUDE_PLUGIN_ROOT}/guard.sh", None),
            ("bash \"$CLAUDE_PLUGIN_ROOT/guard.sh\" $1 $? $$ $@ ${#}", None),
            ("bash $GUARDS/guard.sh", Some("GUARDS")),
            ("bash \"${GUARDS}/guard.sh\"", Some("GUARDS")),
            ("bash ${GUARDS:-/opt/guards}/guard.sh", None),
            ("bash ${GUARDS-/opt}/guard.sh", None),
            ("grep -q '$GUARDS'", None),
            ("echo \"it's $GUARDS\"", Some("GUARDS")),
            (r"echo \$GUARDS", None),
            ("GUARDS=/opt; bash $GUARDS/guard.sh", None),
            ("input=$(cat); echo \"$input\" | grep -q rm && exit 2", None),
            ("while read -r line; do echo $line; done", None),
            ("for word in a b; do echo $word; done", None),
            ("echo $HOME $PWD", None),
            ("echo $CLAUDE_PROJECT_DIR", Some("CLAUDE_PROJECT_DIR")),
            ("echo ${ENV_FILE%.txt}", None),
        ] {
            assert_eq!(unset_variable(command, &hook).as_deref(), expected, "{command}");
        }
        hook.project_dir = Some("/project".into());
        assert_eq!(unset_variable("echo $CLAUDE_PROJECT_DIR", &hook), None);
    }
}
