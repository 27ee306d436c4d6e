//! The least that reading a stream can cost: find the lines of the mapped file and check that it is UTF-8.
//!
//! `bench-floor FILE` prints `{"ms": …, "bytes": …, "lines": …, "utf8": …}`; mapping the file is part of the time.

use std::env;
use std::error::Error;
use std::fs::File;
use std::time::Instant;

use memchr::memchr_iter;
use memmap2::Mmap;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("expected the file to scan as the only argument")?;
    let start = Instant::now();
    let file = File::open(path)?;
    // SAFETY: the benchmark's own data file, which nothing writes to while it is measured.
    let bytes = unsafe { Mmap::map(&file)? };
    let lines = memchr_iter(b'\n', &bytes).count();
    let utf8 = simdutf8::basic::from_utf8(&bytes).is_ok();
    let ms = start.elapsed().as_secs_f64() * 1e3;
    println!(r#"{{"ms":{ms:.3},"bytes":{},"lines":{lines},"utf8":{utf8}}}"#, bytes.len());
    Ok(())
}
