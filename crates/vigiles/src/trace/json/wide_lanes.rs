//! The long way through a string with the widest vectors that the machine has.

use super::string::{Read, long as with};
use super::tape::Refusal;

/// Reads a string block by block.
#[cfg(target_arch = "x86_64")]
pub(super) fn long(bytes: &[u8], start: usize) -> Result<Read, Refusal> {
    if std::arch::is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "calling a function compiled for AVX2 has no safe form")]
        // SAFETY: the line above makes sure that the machine has AVX2, the only thing the function asks for.
        return unsafe { avx2::long(bytes, start) };
    }
    with(bytes, start, super::string::Masks::of)
}

/// Reads a string block by block.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn long(bytes: &[u8], start: usize) -> Result<Read, Refusal> {
    with(bytes, start, super::string::Masks::of)
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_cmpeq_epi8, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set_epi64x,
        _mm256_set1_epi8,
    };

    use super::super::string::{BLOCK, Masks, Read};
    use super::super::tape::Refusal;

    #[target_feature(enable = "avx2")]
    pub(super) fn long(bytes: &[u8], start: usize) -> Result<Read, Refusal> {
        super::with(bytes, start, |block| masks(block))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn masks(block: &[u8; BLOCK]) -> Masks {
        let [low, high] = halves(block);
        let control = |half| _mm256_cmpeq_epi8(_mm256_min_epu8(half, _mm256_set1_epi8(0x1F)), half);
        Masks {
            quote: equal(low, high, b'"'),
            backslash: equal(low, high, b'\\'),
            line_break: equal(low, high, b'n'),
            has_control: _mm256_movemask_epi8(_mm256_or_si256(control(low), control(high))) != 0,
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn equal(low: __m256i, high: __m256i, byte: u8) -> u64 {
        let wanted = _mm256_set1_epi8(byte.cast_signed());
        let bits = |half| u64::from(_mm256_movemask_epi8(_mm256_cmpeq_epi8(half, wanted)).cast_unsigned());
        bits(low) | bits(high) << 32
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn halves(block: &[u8; BLOCK]) -> [__m256i; 2] {
        // The compiler makes one load of the four words.
        let (words, _) = block.as_chunks::<8>();
        let word = |index: usize| i64::from_le_bytes(words[index]);
        [_mm256_set_epi64x(word(3), word(2), word(1), word(0)), _mm256_set_epi64x(word(7), word(6), word(5), word(4))]
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use proptest::prelude::*;

    use super::super::string::{BLOCK, Masks};

    fn bits(block: &[u8; BLOCK], is: impl Fn(u8) -> bool) -> u64 {
        block.iter().enumerate().map(|(at, &byte)| u64::from(is(byte)) << at).sum()
    }

    fn check(masks: &Masks, block: &[u8; BLOCK]) {
        assert_eq!(masks.quote, bits(block, |byte| byte == b'"'), "quotes of {block:?}");
        assert_eq!(masks.backslash, bits(block, |byte| byte == b'\\'), "backslashes of {block:?}");
        assert_eq!(masks.line_break, bits(block, |byte| byte == b'n'), "line breaks of {block:?}");
        assert_eq!(masks.has_control, block.iter().any(|&byte| byte < 0x20), "control characters of {block:?}");
    }

    fn check_all(block: &[u8; BLOCK]) {
        check(&Masks::of(block), block);
        if std::arch::is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "calling a function compiled for AVX2 has no safe form")]
            // SAFETY: the line above makes sure that the machine has AVX2.
            let wide = unsafe { super::avx2::masks(block) };
            check(&wide, block);
        }
    }

    #[test]
    fn every_byte_at_every_place_gives_the_same_masks() {
        for at in 0..BLOCK {
            for byte in 0..=u8::MAX {
                for around in [b' ', b'"', b'\\', 0xFF] {
                    let mut block = [around; BLOCK];
                    block[at] = byte;
                    check_all(&block);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_block_gives_the_same_masks(bytes in prop::collection::vec(any::<u8>(), BLOCK)) {
            check_all(bytes.first_chunk().unwrap());
        }
    }
}
