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
    /// Keeps what texts point to in sources that are in memory, and lets go of the rest.
    ///
    /// In place: a copy of what is kept would be there beside the whole for a while, and that is the peak.
    pub(super) fn compact(&mut self) {
        let mut spans: Vec<Vec<&mut Span>> = self.sources.iter().map(|_| Vec::new()).collect();
        each_text(&mut self.parts, &mut |text| {
            if let Text::At(span) | Text::Raw(span) = text {
                spans[span.source as usize].push(span);
            }
        });
        for (source, spans) in self.sources.iter_mut().zip(spans) {
            if let Source::Bytes { bytes, .. } = source {
                keep(bytes, spans);
            }
        }
    }
}

/// Moves the bytes of spans to the front, in their order, each byte once: spans may be equal or overlap.
fn keep(bytes: &mut Vec<u8>, mut spans: Vec<&mut Span>) {
    spans.sort_unstable_by_key(|span| span.start);
    // Up to `seen`, bytes were moved or passed over; up to `kept`, they are where they stay. `kept` is never ahead.
    let (mut seen, mut kept) = (0, 0);
    for span in spans {
        let start = usize::try_from(span.start).map_or(bytes.len(), |start| start.min(bytes.len()));
        let end = usize::try_from(span.start + span.len).map_or(bytes.len(), |end| end.min(bytes.len()));
        let from = start.max(seen);
        // What lies before `from` was kept with the spans before.
        span.start = (kept - (from - start)) as u64;
        if end > from {
            bytes.copy_within(from..end, kept);
            kept += end - from;
            seen = end;
        }
    }
    bytes.truncate(kept);
    bytes.shrink_to_fit();
}

/// Every text of a trace, once.
fn each_text<'p>(parts: &'p mut Parts, visit: &mut impl FnMut(&'p mut Text)) {
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

fn of_subagent<'p>(agent: &'p mut Subagent, visit: &mut impl FnMut(&'p mut Text)) {
    agent.output.iter_mut().for_each(|output| of_result(output, visit));
    agent.subagents.iter_mut().for_each(|nested| of_subagent(nested, visit));
}

fn of_result<'p>(result: &'p mut ResultText, visit: &mut impl FnMut(&'p mut Text)) {
    let (ResultText::Text(text) | ResultText::Blocks(text)) = result;
    pieces(text, visit);
}

fn pieces<'p>(text: &'p mut Text, visit: &mut impl FnMut(&'p mut Text)) {
    match text {
        Text::Joined(texts) => texts.iter_mut().for_each(|text| pieces(text, visit)),
        text => visit(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_are_equal_overlap_or_lie_apart_keep_their_bytes() {
        let whole: Vec<u8> = (0..200).collect();
        let cases: [&[(u64, u64)]; 6] = [
            &[],
            &[(0, 200)],
            &[(150, 20), (10, 5), (100, 0), (30, 40)],
            &[(50, 10), (50, 10), (50, 10)],
            &[(40, 30), (50, 5), (60, 30), (40, 30)],
            &[(190, 10), (0, 1), (199, 1)],
        ];
        for case in cases {
            let mut spans: Vec<Span> = case.iter().map(|&(start, len)| Span { source: 0, start, len }).collect();
            let mut bytes = whole.clone();
            keep(&mut bytes, spans.iter_mut().collect());
            for (span, &(start, len)) in spans.iter().zip(case) {
                let read = |bytes: &[u8], start: u64| {
                    let start = usize::try_from(start).ok()?;
                    Some(bytes[start..start + usize::try_from(len).ok()?].to_vec())
                };
                assert_eq!(read(&bytes, span.start), read(&whole, start), "{start}+{len} of {case:?}");
            }
            let needed = (0..200).filter(|at| case.iter().any(|(start, len)| (*start..start + len).contains(at)));
            assert_eq!(bytes.len(), needed.count(), "nothing else is kept: {case:?}");
        }
    }
}
