use std::borrow::Cow;
use std::collections::VecDeque;

/// What a stream carried: all of it, or its beginning and its end if it was longer than the limit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    head: Vec<u8>,
    tail: Vec<u8>,
    omitted: u64,
}

impl Captured {
    pub(super) fn whole(bytes: Vec<u8>) -> Self {
        Self { head: bytes, tail: Vec::new(), omitted: 0 }
    }

    /// The kept beginning: the whole stream unless [`is_truncated`](Self::is_truncated).
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// The kept end, empty unless [`is_truncated`](Self::is_truncated).
    pub fn tail(&self) -> &[u8] {
        &self.tail
    }

    /// Number of bytes left out between head and tail.
    pub fn omitted(&self) -> u64 {
        self.omitted
    }

    /// Whether the stream was longer than the limit.
    pub fn is_truncated(&self) -> bool {
        self.omitted > 0
    }

    /// Length of the stream in bytes, what was left out included.
    pub fn len(&self) -> u64 {
        self.head.len() as u64 + self.omitted + self.tail.len() as u64
    }

    /// Whether the stream carried nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The stream as it was, or head and tail with a line between them that tells how many bytes are missing:
    /// `[... 1024 bytes omitted ...]`.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        if !self.is_truncated() {
            return Cow::Borrowed(&self.head);
        }
        let marker = format!("\n[... {} bytes omitted ...]\n", self.omitted);
        Cow::Owned([&self.head, marker.as_bytes(), &self.tail].concat())
    }

    /// [`bytes`](Self::bytes) as text, with U+FFFD where it is not UTF-8. The cut itself never splits a character.
    pub fn text_lossy(&self) -> Cow<'_, str> {
        match self.bytes() {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }
}

/// Takes a stream chunk by chunk and holds no more of it than the limit.
#[derive(Debug)]
pub(super) struct Recorder {
    head: Vec<u8>,
    head_limit: usize,
    tail: VecDeque<u8>,
    tail_limit: usize,
    total: u64,
}

impl Recorder {
    pub(super) fn new(limit: u64) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let tail_limit = limit / 2;
        Self { head: Vec::new(), head_limit: limit - tail_limit, tail: VecDeque::new(), tail_limit, total: 0 }
    }

    pub(super) fn push(&mut self, chunk: &[u8]) {
        self.total += chunk.len() as u64;
        let room = self.head_limit - self.head.len();
        let (first, rest) = chunk.split_at(room.min(chunk.len()));
        self.head.extend_from_slice(first);

        let newest = &rest[rest.len().saturating_sub(self.tail_limit)..];
        let excess = (self.tail.len() + newest.len()).saturating_sub(self.tail_limit);
        self.tail.drain(..excess);
        self.tail.extend(newest);
    }

    pub(super) fn finish(self) -> Captured {
        let Self { mut head, tail, total, .. } = self;
        let mut tail = Vec::from(tail);
        if (head.len() + tail.len()) as u64 == total {
            head.append(&mut tail);
            return Captured::whole(head);
        }
        // Half a character on either side of the cut would read as damage that the command never wrote.
        head.truncate(head.len() - unfinished_character_len(&head));
        tail.drain(..continuation_bytes_len(&tail));
        let omitted = total - (head.len() + tail.len()) as u64;
        Captured { head, tail, omitted }
    }
}

/// Length of a UTF-8 character at the end of `bytes` whose last bytes are missing: 0 to 3.
fn unfinished_character_len(bytes: &[u8]) -> usize {
    for (seen, byte) in bytes.iter().rev().take(3).enumerate().map(|(index, byte)| (index + 1, byte)) {
        let full = match byte {
            0x80..=0xBF => continue,
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => 1,
        };
        return if full > seen { seen } else { 0 };
    }
    0
}

/// Number of bytes at the start of `bytes` that belong to a character begun before it: 0 to 3.
fn continuation_bytes_len(bytes: &[u8]) -> usize {
    bytes.iter().take(3).take_while(|byte| matches!(byte, 0x80..=0xBF)).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Captured, Recorder};

    fn record<'a>(limit: u64, chunks: impl IntoIterator<Item = &'a [u8]>) -> Captured {
        let mut recorder = Recorder::new(limit);
        for chunk in chunks {
            recorder.push(chunk);
            assert!(recorder.head.len() + recorder.tail.len() <= usize::try_from(limit).unwrap());
        }
        recorder.finish()
    }

    /// Splits `bytes` at pseudo-random places derived from `sizes`, empty chunks included.
    fn chunks<'a>(mut bytes: &'a [u8], sizes: &[usize]) -> Vec<&'a [u8]> {
        let mut out = Vec::new();
        for size in sizes {
            let (first, rest) = bytes.split_at((*size).min(bytes.len()));
            out.push(first);
            bytes = rest;
        }
        out.push(bytes);
        out
    }

    proptest! {
        /// ASCII has no characters to split, so the cut is exactly where the limit says.
        #[test]
        fn keeps_the_first_and_last_half_whatever_the_chunks(
            bytes in proptest::collection::vec(0_u8..0x80, 0..400),
            sizes in proptest::collection::vec(0_usize..60, 0..30),
            limit in 0_usize..300,
        ) {
            let captured = record(limit as u64, chunks(&bytes, &sizes));
            if bytes.len() <= limit {
                prop_assert_eq!(captured.bytes(), &bytes[..]);
                prop_assert!(!captured.is_truncated());
            } else {
                prop_assert_eq!(captured.head(), &bytes[..limit.div_ceil(2)]);
                prop_assert_eq!(captured.tail(), &bytes[bytes.len() - limit / 2..]);
                prop_assert_eq!(captured.omitted(), (bytes.len() - limit) as u64);
            }
            prop_assert_eq!(captured.len(), bytes.len() as u64);
        }

        #[test]
        fn any_bytes_are_a_prefix_a_gap_and_a_suffix(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            sizes in proptest::collection::vec(0_usize..40, 0..20),
            limit in 0_usize..150,
        ) {
            let captured = record(limit as u64, chunks(&bytes, &sizes));
            prop_assert_eq!(&captured, &record(limit as u64, [&bytes[..]]));
            prop_assert!(bytes.starts_with(captured.head()));
            prop_assert!(bytes.ends_with(captured.tail()));
            prop_assert_eq!(captured.len(), bytes.len() as u64);
            prop_assert_eq!(captured.is_truncated(), bytes.len() > limit);
            let kept = captured.head().len() + captured.tail().len();
            prop_assert!(kept + 6 >= limit.min(bytes.len()), "kept only {} of {}", kept, limit);
        }

        #[test]
        fn a_cut_never_splits_a_character(text in "\\PC{0,80}", limit in 0_u64..200) {
            let captured = record(limit, [text.as_bytes()]);
            prop_assert!(std::str::from_utf8(captured.head()).is_ok());
            prop_assert!(std::str::from_utf8(captured.tail()).is_ok());
        }
    }

    #[test]
    fn the_marker_tells_how_much_is_missing() {
        let captured = record(4, [&b"abcdefghij"[..]]);
        assert_eq!(captured.text_lossy(), "ab\n[... 6 bytes omitted ...]\nij");
    }

    #[test]
    fn a_limit_of_zero_only_counts() {
        let captured = record(0, [&b"abc"[..], b"de"]);
        assert_eq!((captured.head(), captured.tail(), captured.omitted()), (&b""[..], &b""[..], 5));
    }

    #[test]
    fn invalid_utf8_stays_as_bytes_and_reads_as_replacement_characters() {
        let captured = record(100, [&b"a\xFFb"[..]]);
        assert_eq!(captured.bytes(), &b"a\xFFb"[..]);
        assert_eq!(captured.text_lossy(), "a\u{FFFD}b");
    }
}
