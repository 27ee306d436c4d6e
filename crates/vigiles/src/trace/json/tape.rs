//! One validating pass over a JSON document that notes where each value lies.

use super::string;

/// What a [`Cell`] notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    Array,
    /// A string without escapes.
    Plain,
    /// A string with escapes.
    Escaped,
    Number,
    True,
    False,
    Null,
}

/// The note of one value: its bytes and where the notes after it start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) next: u32,
    pub(crate) kind: Kind,
}

/// The notes of one document. Reuse it: its memory stays.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    pub(crate) cells: Vec<Cell>,
    open: Vec<u32>,
    /// Strings that hold half of a surrogate pair.
    pub(crate) lone_surrogates: u32,
}

/// Why a document was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// What was expected or seen.
    pub(crate) reason: &'static str,
    /// Offset of the byte.
    pub(crate) at: usize,
}

/// One document may note so many values. 16 bytes each: the limit keeps a hostile line from taking the machine's memory.
const MAX_CELLS: usize = 16 << 20;

struct Scan<'b, 't> {
    bytes: &'b [u8],
    at: usize,
    tape: &'t mut Tape,
}

/// Reads one whole document; white space around it is allowed, anything else after it is not.
pub(crate) fn scan(bytes: &[u8], tape: &mut Tape) -> Result<(), Refusal> {
    tape.cells.clear();
    tape.open.clear();
    tape.lone_surrogates = 0;
    if u32::try_from(bytes.len()).is_err() {
        return Err(Refusal { reason: "longer than 4 GiB", at: 0 });
    }
    let mut scan = Scan { bytes, at: 0, tape };
    scan.document()
}

impl Scan<'_, '_> {
    fn document(&mut self) -> Result<(), Refusal> {
        // A loop with its own stack: the depth of the input must not become depth of ours.
        self.space();
        loop {
            let mut entered = self.value()?;
            loop {
                self.space();
                let Some(&parent) = self.tape.open.last() else {
                    return if self.at == self.bytes.len() { Ok(()) } else { self.refuse("trailing characters") };
                };
                let is_object = self.tape.cells[parent as usize].kind == Kind::Object;
                let close = if is_object { b'}' } else { b']' };
                match self.peek() {
                    Some(byte) if byte == close => {
                        self.at += 1;
                        self.close(parent);
                        entered = false;
                        continue;
                    }
                    _ if entered => {}
                    Some(b',') => {
                        self.at += 1;
                        self.space();
                    }
                    Some(_) => return self.refuse("expected `,` or the end of the object or array"),
                    None => return self.refuse("ends in the middle of an object or array"),
                }
                if is_object {
                    if self.peek() != Some(b'"') {
                        return self.refuse("expected a string as key");
                    }
                    self.string()?;
                    self.space();
                    if self.peek() != Some(b':') {
                        return self.refuse("expected `:` after the key");
                    }
                    self.at += 1;
                    self.space();
                }
                break;
            }
        }
    }

    /// Reads a scalar, or the opening of a container (then `true`).
    fn value(&mut self) -> Result<bool, Refusal> {
        match self.peek() {
            Some(b'"') => self.string().map(|()| false),
            Some(b'{') => self.enter(Kind::Object),
            Some(b'[') => self.enter(Kind::Array),
            Some(b't') => self.literal(b"true", Kind::True),
            Some(b'f') => self.literal(b"false", Kind::False),
            Some(b'n') => self.literal(b"null", Kind::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) => self.refuse("expected a value"),
            None => self.refuse("ends where a value is expected"),
        }
    }

    fn enter(&mut self, kind: Kind) -> Result<bool, Refusal> {
        let index = self.tape.cells.len();
        self.push(kind, self.at, self.at + 1)?;
        #[expect(clippy::cast_possible_truncation, reason = "`push` keeps the number of cells below MAX_CELLS")]
        self.tape.open.push(index as u32);
        self.at += 1;
        self.space();
        Ok(true)
    }

    fn close(&mut self, parent: u32) {
        self.tape.open.pop();
        let next = self.tape.cells.len();
        let cell = &mut self.tape.cells[parent as usize];
        #[expect(clippy::cast_possible_truncation, reason = "`scan` refuses longer input, `push` more cells")]
        {
            cell.end = self.at as u32;
            cell.next = next as u32;
        }
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) -> Result<(), Refusal> {
        let next = self.tape.cells.len() + 1;
        if next > MAX_CELLS {
            return self.refuse("more than 16 million values in one line");
        }
        #[expect(clippy::cast_possible_truncation, reason = "`scan` refuses longer input")]
        self.tape.cells.push(Cell { start: start as u32, end: end as u32, next: next as u32, kind });
        Ok(())
    }

    fn literal(&mut self, word: &'static [u8], kind: Kind) -> Result<bool, Refusal> {
        let start = self.at;
        if !self.bytes[start..].starts_with(word) {
            return self.refuse("expected true, false or null");
        }
        self.at += word.len();
        self.push(kind, start, self.at)?;
        Ok(false)
    }

    fn number(&mut self) -> Result<bool, Refusal> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return self.refuse("expected a digit"),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.some_digits()?;
        }
        self.push(Kind::Number, start, self.at)?;
        Ok(false)
    }

    fn digits(&mut self) {
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Result<(), Refusal> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return self.refuse("expected a digit");
        }
        self.digits();
        Ok(())
    }

    /// Reads a string, from its opening quote to behind its closing one; the note is of the bytes between.
    fn string(&mut self) -> Result<(), Refusal> {
        let start = self.at + 1;
        let string::Read { end, escaped, lone } = string::read(self.bytes, start)?;
        self.tape.lone_surrogates += u32::from(lone);
        self.push(if escaped { Kind::Escaped } else { Kind::Plain }, start, end)?;
        self.at = end + 1;
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn refuse<T>(&self, reason: &'static str) -> Result<T, Refusal> {
        Err(Refusal { reason, at: self.at })
    }
}

pub(crate) fn is_surrogate(unit: u16) -> bool {
    (0xD800..0xE000).contains(&unit)
}

/// The value of four hexadecimal digits.
pub(crate) fn hex4(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 4)?;
    digits.iter().try_fold(0u16, |value, &digit| {
        let nibble = char::from(digit).to_digit(16)?;
        u16::try_from(nibble).ok().map(|nibble| value << 4 | nibble)
    })
}
