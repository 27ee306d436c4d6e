//! A shell command taken apart just far enough for a condition: simple commands, and whether anything is expanded.
//!
//! Everything unusual is an error, which lets the hook run; a full parser is not needed to fail open.

/// The simple commands of a command line.
pub(super) struct Commands {
    /// In the order they were found, those of substitutions included.
    pub(super) commands: Vec<Simple>,
    /// `$(...)`, backticks or `$NAME` occur.
    pub(super) expansions: bool,
}

/// One simple command: its words as written, without leading assignments and redirections.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Simple {
    words: Vec<Word>,
}

#[derive(Debug, Default, Clone, PartialEq)]
struct Word {
    raw: String,
    /// Without quotes and escapes.
    plain: String,
    expanded: bool,
}

impl Simple {
    /// The texts a pattern is compared with: as written, without quotes, and both again without each wrapper.
    pub(super) fn spellings(&self) -> Vec<String> {
        let mut from = vec![0];
        if self.words.first().is_some_and(|word| is_wrapper(&word.plain)) {
            // Where the wrapper's own arguments end is not known; each place is tried.
            from.extend(1..self.words.len());
        }
        let join = |words: &[Word], text: fn(&Word) -> &str| words.iter().map(text).collect::<Vec<_>>().join(" ");
        from.into_iter()
            .flat_map(|at| [join(&self.words[at..], |word| &word.raw), join(&self.words[at..], |word| &word.plain)])
            .collect()
    }

    pub(super) fn has_dynamic_name(&self) -> bool {
        self.words.first().is_some_and(|word| word.expanded)
    }
}

fn is_wrapper(name: &str) -> bool {
    matches!(name, "timeout" | "time" | "nice" | "nohup" | "stdbuf" | "xargs")
}

/// Splits a command line, or says why it cannot.
pub(super) fn split(command: &str) -> Result<Commands, String> {
    const MAX_DEPTH: usize = 20;
    let mut commands = Commands { commands: Vec::new(), expansions: false };
    let mut pending = vec![(command.to_owned(), 0)];
    while let Some((text, depth)) = pending.pop() {
        if depth > MAX_DEPTH {
            return Err("the command is nested too deeply".to_owned());
        }
        let mut scanner = Scanner::new(&text);
        scanner.run()?;
        commands.commands.extend(scanner.commands);
        commands.expansions |= scanner.expansions;
        pending.extend(scanner.substitutions.into_iter().map(|inner| (inner, depth + 1)));
    }
    Ok(commands)
}

struct Scanner {
    chars: Vec<char>,
    at: usize,
    commands: Vec<Simple>,
    current: Simple,
    word: Option<Word>,
    /// The next word is the target of a redirection.
    redirected: bool,
    substitutions: Vec<String>,
    expansions: bool,
}

impl Scanner {
    fn new(text: &str) -> Self {
        Self {
            chars: text.chars().collect(),
            at: 0,
            commands: Vec::new(),
            current: Simple::default(),
            word: None,
            redirected: false,
            substitutions: Vec::new(),
            expansions: false,
        }
    }

    fn run(&mut self) -> Result<(), String> {
        while let Some(c) = self.next() {
            match c {
                ' ' | '\t' => self.end_word()?,
                '&' if self.peek() == Some('>') => self.end_word()?,
                '\n' | ';' | '|' | '&' | '(' | ')' => self.end_command()?,
                '#' if self.word.is_none() => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.at += 1;
                    }
                }
                '<' | '>' => self.redirection(c)?,
                '\'' => self.single_quoted()?,
                '"' => self.double_quoted()?,
                '\\' => self.escaped(),
                '`' => self.backticks()?,
                '$' => self.dollar()?,
                c => self.push(c, true),
            }
        }
        self.end_command()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn word(&mut self) -> &mut Word {
        self.word.get_or_insert_with(Word::default)
    }

    fn push(&mut self, c: char, plain: bool) {
        let word = self.word();
        word.raw.push(c);
        if plain {
            word.plain.push(c);
        }
    }

    fn end_word(&mut self) -> Result<(), String> {
        let Some(word) = self.word.take() else { return Ok(()) };
        if std::mem::take(&mut self.redirected) {
            return Ok(());
        }
        if self.current.words.is_empty() {
            match word.raw.as_str() {
                "case" | "function" | "select" | "coproc" | "[[" => {
                    return Err(format!("the command uses {:?}", word.raw));
                }
                // What follows these words is a command of its own.
                "if" | "then" | "elif" | "else" | "fi" | "while" | "until" | "do" | "done" | "{" | "}" | "!" => {
                    return Ok(());
                }
                _ if is_assignment(&word.raw) => return Ok(()),
                _ => {}
            }
        }
        self.current.words.push(word);
        Ok(())
    }

    fn end_command(&mut self) -> Result<(), String> {
        self.end_word()?;
        self.redirected = false;
        let command = std::mem::take(&mut self.current);
        if !command.words.is_empty() {
            self.commands.push(command);
        }
        Ok(())
    }

    fn redirection(&mut self, first: char) -> Result<(), String> {
        // `2>` names a descriptor; it is no word.
        if self.word.as_ref().is_some_and(|word| word.raw.chars().all(|c| c.is_ascii_digit())) {
            self.word = None;
        }
        self.end_word()?;
        match (first, self.peek()) {
            ('<', Some('<')) => return Err("the command holds a here-document".to_owned()),
            (_, Some('(')) => return Err("the command holds a process substitution".to_owned()),
            _ => {}
        }
        while self.peek().is_some_and(|c| matches!(c, '>' | '&' | '|')) {
            self.at += 1;
        }
        self.redirected = true;
        Ok(())
    }

    fn single_quoted(&mut self) -> Result<(), String> {
        self.push('\'', false);
        loop {
            match self.next().ok_or("the command has an open quote")? {
                '\'' => break,
                c => self.push(c, true),
            }
        }
        self.push('\'', false);
        Ok(())
    }

    fn double_quoted(&mut self) -> Result<(), String> {
        self.push('"', false);
        loop {
            match self.next().ok_or("the command has an open quote")? {
                '"' => break,
                '\\' => self.escaped(),
                '`' => self.backticks()?,
                '$' => self.dollar()?,
                c => self.push(c, true),
            }
        }
        self.push('"', false);
        Ok(())
    }

    fn escaped(&mut self) {
        match self.next() {
            Some('\n') => {}
            Some(c) => {
                self.push('\\', false);
                self.push(c, true);
            }
            None => self.push('\\', true),
        }
    }

    fn backticks(&mut self) -> Result<(), String> {
        let mut inner = String::new();
        loop {
            match self.next().ok_or("the command has an open backtick")? {
                '`' => break,
                '\\' => inner.extend(self.next()),
                c => inner.push(c),
            }
        }
        self.expand(&format!("`{inner}`"));
        self.substitutions.push(inner);
        Ok(())
    }

    fn dollar(&mut self) -> Result<(), String> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                if self.peek() == Some('(') {
                    return Err("the command holds arithmetic".to_owned());
                }
                let inner = self.substitution()?;
                self.expand(&format!("$({inner})"));
                self.substitutions.push(inner);
            }
            Some('{') => {
                let mut name = String::from("$");
                loop {
                    match self.next().ok_or("the command has an open brace")? {
                        '}' => break,
                        c if c.is_ascii_alphanumeric() || matches!(c, '_' | '{') => name.push(c),
                        _ => return Err("the command holds a parameter expansion".to_owned()),
                    }
                }
                name.push('}');
                self.expand(&name);
            }
            Some('\'') => return Err("the command holds $'...'".to_owned()),
            Some(c) if c.is_ascii_alphanumeric() || matches!(c, '_' | '?' | '$' | '!' | '#' | '@' | '*' | '-') => {
                let mut name = String::from("$");
                name.push(c);
                self.at += 1;
                while let Some(c) = self.peek().filter(|c| c.is_ascii_alphanumeric() || *c == '_') {
                    name.push(c);
                    self.at += 1;
                }
                self.expand(&name);
            }
            _ => self.push('$', true),
        }
        Ok(())
    }

    /// Reads up to the closing parenthesis of `$(`, over quotes and nested parentheses.
    fn substitution(&mut self) -> Result<String, String> {
        let start = self.at;
        let mut open = 1;
        let mut quote = None;
        while let Some(c) = self.next() {
            match (quote, c) {
                (None | Some('"'), '\\') => self.at += 1,
                (Some(kind), c) if kind == c => quote = None,
                (Some('\''), _) => {}
                (None, '\'' | '"') => quote = Some(c),
                (_, '(') => open += 1,
                (_, ')') => {
                    open -= 1;
                    if open == 0 {
                        return Ok(self.chars[start..self.at - 1].iter().collect());
                    }
                }
                _ => {}
            }
        }
        Err("the command has an open $(".to_owned())
    }

    fn expand(&mut self, text: &str) {
        self.expansions = true;
        let word = self.word();
        word.expanded = true;
        word.raw.push_str(text);
        word.plain.push_str(text);
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        let name = name.strip_suffix('+').unwrap_or(name);
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(command: &str) -> Vec<String> {
        let mut found: Vec<String> = split(command)
            .map(|all| all.commands.iter().map(|one| one.spellings()[1].clone()).collect())
            .unwrap_or_default();
        found.sort();
        found
    }

    #[test]
    fn simple_commands() {
        assert_eq!(plain("A=1 B=2 git  push 'a b' > out 2>&1"), ["git push a b"]);
        assert_eq!(plain("a && b; c | d & e\nf"), ["a", "b", "c", "d", "e", "f"]);
        assert_eq!(plain("(cd x && rm y)"), ["cd x", "rm y"]);
        assert_eq!(plain("if true; then rm x; fi"), ["rm x", "true"]);
        assert_eq!(plain("echo \"$(rm -rf \"$(pwd)\")\""), ["echo $(rm -rf \"$(pwd)\")", "pwd", "rm -rf $(pwd)"]);
        assert_eq!(plain("echo `rm x` # git push"), ["echo `rm x`", "rm x"]);
        assert_eq!(plain("echo 'a; git push'"), ["echo a; git push"]);
        assert_eq!(plain("g\"\"it pu\\sh"), ["git push"]);
        assert_eq!(plain("a &> log"), ["a"]);
    }

    #[test]
    fn what_cannot_be_taken_apart_is_an_error() {
        for command in
            ["echo 'x", "echo \"x", "echo $(x", "echo `x", "cat <<E\nx\nE", "case x in y) z;; esac", "${x:-y}"]
        {
            assert!(split(command).is_err(), "{command:?}");
        }
        assert!(split(&"$(".repeat(100)).is_err());
    }
}
