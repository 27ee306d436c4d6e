//! Nobody takes another's turn, in whatever order requests come.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;
use vigiles::model::{Script, ToolUse, Turn};
use vigiles::trace::RequestKind;

use super::client::{Ask, CLAUDE, send, start};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Main,
    Agent(usize),
    Title,
    Unscripted,
}

const AGENTS: usize = 3;

fn who() -> impl Strategy<Value = Who> {
    prop_oneof![3 => Just(Who::Main), 4 => (0..AGENTS).prop_map(Who::Agent), 1 => Just(Who::Title), 1 => Just(Who::Unscripted)]
}

fn side(body: &serde_json::Value) -> Ask {
    Ask::json(body).from(CLAUDE)
}

fn ask(who: Who) -> Ask {
    match who {
        Who::Main => Ask::main("go on"),
        Who::Agent(index) => Ask::subagent(&format!("id-{index}"), &format!("prompt {index}")),
        Who::Title => side(&json!({ "output_config": { "format": { "schema": { "properties": { "title": {} } } } } })),
        Who::Unscripted => side(&json!({ "system": "You are a security monitor" })),
    }
}

/// The texts that each has, in order; errors count as turns.
fn turns(name: &str, count: usize, errors: &[bool]) -> Vec<Turn> {
    let turn = |index: usize| match errors.get(index) {
        Some(true) => Turn::error(429),
        _ => Turn::text(format!("{name} {index}")),
    };
    (0..count).map(turn).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn turns_stay_with_their_agents(
        order in prop::collection::vec(who(), 0..40),
        counts in prop::array::uniform5(0usize..8),
        errors in prop::collection::vec(any::<bool>(), 8),
        at_once in any::<bool>(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let spawn = |index: usize| {
                let input = json!({ "subagent_type": format!("agent {index}"), "prompt": format!("prompt {index}") });
                ToolUse { tool: "Agent".to_owned(), input: input.as_object().cloned().unwrap_or_default() }
            };
            let first = Turn { tools: (0..AGENTS).map(spawn).collect(), ..Turn::default() };
            let main = std::iter::once(first).chain(turns("main", counts[3], &errors));
            let mut script = Script::new(main).side(RequestKind::Title, turns("title", counts[4], &errors));
            for (index, count) in counts[..AGENTS].iter().enumerate() {
                let name = format!("agent {index}");
                script = script.subagent(name.clone(), turns(&name, *count, &errors));
            }
            let server = start(script).await;
            send(&server, Ask::main("start")).await;

            let mut said: BTreeMap<Who, Vec<String>> = BTreeMap::new();
            if at_once {
                let asked = order.iter().map(|who| {
                    let (server, who) = (&server, *who);
                    async move { (who, send(server, ask(who)).await) }
                });
                let mut open: Vec<_> = asked.map(Box::pin).collect();
                std::future::poll_fn(|context| {
                    open.retain_mut(|future| match future.as_mut().poll(context) {
                        std::task::Poll::Ready((who, answer)) => {
                            said.entry(who).or_default().push(answer.said());
                            false
                        }
                        std::task::Poll::Pending => true,
                    });
                    if open.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
                }).await;
            } else {
                for &who in &order {
                    said.entry(who).or_default().push(send(&server, ask(who)).await.said());
                }
            }

            for (who, mut said) in said {
                let (name, count) = match who {
                    Who::Main => ("main".to_owned(), counts[3]),
                    Who::Agent(index) => (format!("agent {index}"), counts[index]),
                    Who::Title => ("title".to_owned(), counts[4]),
                    Who::Unscripted => {
                        assert!(said.iter().all(|text| text == "{}"), "{said:?}");
                        continue;
                    }
                };
                let (refused, mut served): (Vec<String>, Vec<String>) =
                    said.drain(..).partition(|text| text.contains("has no scripted turn"));
                let asked = refused.len() + served.len();
                let expected = turns(&name, count.min(asked), &errors);
                let mut expected: Vec<String> =
                    expected.into_iter().map(|turn| turn.text.unwrap_or_else(|| "scripted error".to_owned())).collect();
                if at_once {
                    served.sort();
                    expected.sort();
                }
                assert_eq!(served, expected, "{who:?} of {order:?}");
                let asker = match who {
                    Who::Main => "of the main agent".to_owned(),
                    Who::Agent(_) => format!("of the subagent {name}"),
                    _ => "of the kind title".to_owned(),
                };
                assert!(refused.iter().all(|text| text.contains(&asker)), "{refused:?}");
            }
            assert_eq!(server.request_count(), order.len() + 1);
        });
    }
}
