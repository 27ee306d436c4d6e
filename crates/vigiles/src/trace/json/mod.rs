//! Reading JSON without decoding what nobody asks for.
//!
//! [`tape::scan`] checks one document completely and notes where its values are; [`node::Node`] walks the notes;
//! [`decode`] turns the bytes of one value into text. The grammar is that of RFC 8259 as `serde_json` reads it,
//! with one difference: a string may hold lone surrogate escapes, which become U+FFFD when it is decoded
//! (real transcripts hold them: a JavaScript slice cuts pairs in half).

pub(crate) mod decode;
pub(crate) mod node;
mod string;
pub(crate) mod tape;
#[cfg(test)]
mod tests;
mod wide_lanes;

pub(crate) use node::{Node, pick};
pub(crate) use tape::Tape;
