//! Finding the end of a string, and checking what is in it, 64 bytes at a time.
//!
//! Tool outputs are most of a transcript, and their text is full of escapes. Comparing 64 bytes at once gives bit masks
//! of the quotes, backslashes and control characters; which characters are escaped follows from the mask of
//! backslashes by carry arithmetic (Langdale and Lemire, "Parsing gigabytes of JSON per second", 2019, section 3.1.1).

use wide::u8x16;

use super::tape::{Refusal, hex4, is_surrogate};
use super::wide_lanes;

pub(super) const BLOCK: usize = 64;

/// A string that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Read {
    /// Offset of the closing quote.
    pub(super) end: usize,
    /// Whether it holds escapes.
    pub(super) escaped: bool,
    /// Whether it holds half of a surrogate pair.
    pub(super) lone: bool,
}

/// Reads a string from behind its opening quote.
pub(super) fn read(bytes: &[u8], start: usize) -> Result<Read, Refusal> {
    match short(bytes, start) {
        Some(end) => Ok(Read { end, escaped: false, lone: false }),
        None => wide_lanes::long(bytes, start),
    }
}

/// Reads a string block by block, given a way to look at a block.
#[inline(always)]
#[expect(clippy::inline_always, reason = "must be compiled into its caller, for the vectors the caller may use")]
pub(super) fn long(bytes: &[u8], start: usize, masks: impl Fn(&[u8; BLOCK]) -> Masks) -> Result<Read, Refusal> {
    let mut scan = Scan { bytes, escaped: false, lone: false, low_at: usize::MAX };
    let mut at = start;
    let mut carry = 0;
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let masks = masks(block);
        if !masks.is_plain(carry)
            && let Some(end) = scan.block(block, &masks, at, &mut carry)?
        {
            return Ok(Read { end, escaped: scan.escaped, lone: scan.lone });
        }
        at += BLOCK;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let mut block = [b' '; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    match scan.block(&block, &masks(&block), at, &mut carry)? {
        Some(end) => Ok(Read { end, escaped: scan.escaped, lone: scan.lone }),
        None => Err(Refusal { reason: "ends in the middle of a string", at: bytes.len() }),
    }
}

/// What is looked at before a block is: as long as the ids of the CLIs (`toolu_...`, UUIDs).
const SHORT: usize = 48;

/// Keys and ids are short and plain: a look at a few vectors is cheaper than a block.
fn short(bytes: &[u8], start: usize) -> Option<usize> {
    for at in (start..start + SHORT).step_by(16) {
        let lane = u8x16::new(*bytes.get(at..)?.first_chunk()?);
        let control = lane.min(u8x16::splat(0x1F)).simd_eq(lane);
        let marks = bits(lane.simd_eq(u8x16::splat(b'"')) | lane.simd_eq(u8x16::splat(b'\\')) | control);
        if marks != 0 {
            let end = at + marks.trailing_zeros() as usize;
            return (bytes[end] == b'"').then_some(end);
        }
    }
    None
}

struct Scan<'b> {
    bytes: &'b [u8],
    escaped: bool,
    lone: bool,
    /// Offset of the `u` of a low surrogate that was read with its high one.
    low_at: usize,
}

impl Scan<'_> {
    /// Checks the part of a block that is in the string; gives the offset of the closing quote if it is in the block.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "once for each 64 bytes: a call and its result in memory cost as much as the work"
    )]
    fn block(
        &mut self,
        block: &[u8; BLOCK],
        masks: &Masks,
        at: usize,
        carry: &mut u64,
    ) -> Result<Option<usize>, Refusal> {
        let escaped = if masks.backslash | *carry == 0 { 0 } else { escaped_by(masks.backslash, carry) };
        let quote = masks.quote & !escaped;
        // All bits below the closing quote; all bits if it is not here.
        let inside = if quote == 0 { u64::MAX } else { (quote & quote.wrapping_neg()) - 1 };
        if masks.has_control && controls(block) & inside != 0 {
            let offset = (controls(block) & inside).trailing_zeros() as usize;
            return Err(Refusal { reason: "control character in a string", at: at + offset });
        }
        if escaped & inside != 0 {
            // Line breaks, quotes and backslashes are nearly all escapes there are.
            let rare = escaped & inside & !(masks.line_break | masks.quote | masks.backslash);
            if rare != 0 {
                self.escapes(block, rare, at)?;
            }
        }
        self.escaped |= masks.backslash & inside != 0;
        Ok((quote != 0).then(|| at + quote.trailing_zeros() as usize))
    }

    /// Checks what stands behind backslashes, where that is neither a line break, a quote nor a backslash.
    fn escapes(&mut self, block: &[u8; BLOCK], mut rare: u64, at: usize) -> Result<(), Refusal> {
        while rare != 0 {
            let offset = rare.trailing_zeros() as usize;
            match block[offset] {
                b'u' => self.unicode(at + offset)?,
                b'/' | b'b' | b'f' | b'r' | b't' => {}
                _ => return Err(self.unknown_escape(at + offset)),
            }
            rare &= rare - 1;
        }
        Ok(())
    }

    fn unknown_escape(&self, at: usize) -> Refusal {
        // The padding of the last block is no character of the string.
        let reason =
            if at < self.bytes.len() { "unknown escape in a string" } else { "ends in the middle of a string" };
        Refusal { reason, at: at - 1 }
    }

    /// Checks the four digits behind the `u` at an offset, and whether surrogates come in pairs.
    fn unicode(&mut self, at: usize) -> Result<(), Refusal> {
        let Some(unit) = hex4(self.bytes, at + 1) else {
            return Err(Refusal { reason: "expected four hexadecimal digits after \\u", at: at - 1 });
        };
        if !is_surrogate(unit) || at == self.low_at {
            return Ok(());
        }
        let low =
            self.bytes.get(at + 5..).filter(|rest| rest.starts_with(b"\\u")).and_then(|_| hex4(self.bytes, at + 7));
        if unit < 0xDC00 && low.is_some_and(|low| (0xDC00..0xE000).contains(&low)) {
            self.low_at = at + 6;
        } else {
            self.lone = true;
        }
        Ok(())
    }
}

/// What 64 bytes hold, one bit a byte.
pub(super) struct Masks {
    pub(super) quote: u64,
    pub(super) backslash: u64,
    /// The letter of an escaped line break.
    pub(super) line_break: u64,
    /// Whether there is a control character at all; where, [`controls`] says.
    pub(super) has_control: bool,
}

impl Masks {
    /// Whether there is nothing to look at.
    fn is_plain(&self, carry: u64) -> bool {
        self.quote | self.backslash | carry == 0 && !self.has_control
    }

    /// With the vectors that every target has.
    pub(super) fn of(block: &[u8; BLOCK]) -> Self {
        let (mut quote, mut backslash, mut line_break) = (0, 0, 0);
        let mut control = u8x16::splat(0);
        for (index, lane) in lanes(block).enumerate() {
            let shift = index * 16;
            quote |= bits(lane.simd_eq(u8x16::splat(b'"'))) << shift;
            backslash |= bits(lane.simd_eq(u8x16::splat(b'\\'))) << shift;
            line_break |= bits(lane.simd_eq(u8x16::splat(b'n'))) << shift;
            control |= lane.min(u8x16::splat(0x1F)).simd_eq(lane);
        }
        Self { quote, backslash, line_break, has_control: control.any() }
    }
}

fn controls(block: &[u8; BLOCK]) -> u64 {
    block.iter().rev().fold(0, |mask, &byte| mask << 1 | u64::from(byte < 0x20))
}

fn lanes(block: &[u8; BLOCK]) -> impl Iterator<Item = u8x16> {
    block.as_chunks::<16>().0.iter().map(|lane| u8x16::new(*lane))
}

fn bits(lane: u8x16) -> u64 {
    u64::from(lane.to_bitmask())
}

/// Bits of the characters that a backslash before them escapes; `carry` is 1 when the next block's first is one.
fn escaped_by(backslash: u64, carry: &mut u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let backslash = backslash & !*carry;
    let follows = backslash << 1 | *carry;
    let odd_starts = backslash & !EVEN & !follows;
    let (sequences, overflow) = odd_starts.overflowing_add(backslash);
    *carry = u64::from(overflow);
    (EVEN ^ (sequences << 1)) & follows
}
