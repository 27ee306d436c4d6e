//! A program of a Rust user: prints the tools that a recorded session called, one a line.

use std::error::Error;

use vigiles::trace::Trace;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("expected the path of a recorded session")?;
    let trace = Trace::from_path(path)?;
    for call in trace.tool_calls().ok_or("expected recorded tool calls")? {
        println!("{}", call.name);
    }
    Ok(())
}
