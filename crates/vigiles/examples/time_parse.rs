fn main() {
    let path = std::env::args().nth(1).unwrap();
    for _ in 0..5 {
        let t = std::time::Instant::now();
        let trace = vigiles::trace::Trace::from_path(&path).unwrap();
        println!(
            "{:?} calls {} turns {:?} errors {} warnings {:?}",
            t.elapsed(),
            trace.tool_calls().map_or(0, <[_]>::len),
            trace.turns(),
            trace.parse_errors().len(),
            trace.warnings()
        );
    }
}
