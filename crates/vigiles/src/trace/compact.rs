//! Keeping only the bytes of a small source that a trace still needs.
//!
//! Most of a stream is said twice (the answer of a tool, and beside it the same as data) or not needed once it is
//! folded. A test suite that holds many traces holds a third of their bytes.

use super::Trace;
use super::model::{HookFire, ResultText, Subagent};
use super::parts::Parts;
use super::source::Source;
use super::text::{Span, Text};

impl Trace {
    /// Copies what texts point to out of sources that are in memory, and lets go of the rest.
    pub(super) fn compact(&mut self) {
        let mut kept: Vec<Vec<u8>> = self.sources.iter().map(|_| Vec::new()).collect();
        let sources = &self.sources;
        each_text(&mut self.parts, &mut |text| {
            let (Text::At(span) | Text::Raw(span)) = text else { return };
            let Source::Bytes { bytes, .. } = &sources[span.source as usize] else { return };
            keep(span, bytes, &mut kept[span.source as usize]);
        });
        for (source, kept) in self.sources.iter_mut().zip(kept) {
            if let Source::Bytes { bytes, .. } = source {
                *bytes = kept;
            }
        }
    }
}

fn keep(span: &mut Span, bytes: &[u8], kept: &mut Vec<u8>) {
    let range = usize::try_from(span.start).ok().zip(usize::try_from(span.start + span.len).ok());
    let start = kept.len() as u64;
    kept.extend_from_slice(range.and_then(|(start, end)| bytes.get(start..end)).unwrap_or_default());
    span.start = start;
}

/// Every text of a trace, once.
fn each_text(parts: &mut Parts, visit: &mut impl FnMut(&mut Text)) {
    for call in parts.tool_calls.iter_mut().flatten() {
        pieces(&mut call.input, visit);
        call.result.iter_mut().for_each(|result| of_result(result, visit));
    }
    for fire in parts.hooks.iter_mut().flatten() {
        let HookFire { stdout, stderr, output, .. } = fire;
        [stdout, stderr, output].into_iter().flatten().for_each(|text| pieces(text, visit));
    }
    parts.replies.iter_mut().flatten().for_each(|text| pieces(text, visit));
    parts.permission_denials.iter_mut().flatten().for_each(|denial| pieces(&mut denial.tool_input, visit));
    parts.subagents.iter_mut().flatten().for_each(|agent| of_subagent(agent, visit));
}

fn of_subagent(agent: &mut Subagent, visit: &mut impl FnMut(&mut Text)) {
    agent.output.iter_mut().for_each(|output| of_result(output, visit));
    agent.subagents.iter_mut().for_each(|nested| of_subagent(nested, visit));
}

fn of_result(result: &mut ResultText, visit: &mut impl FnMut(&mut Text)) {
    let (ResultText::Text(text) | ResultText::Blocks(text)) = result;
    pieces(text, visit);
}

fn pieces(text: &mut Text, visit: &mut impl FnMut(&mut Text)) {
    match text {
        Text::Joined(texts) => texts.iter_mut().for_each(|text| pieces(text, visit)),
        text => visit(text),
    }
}
