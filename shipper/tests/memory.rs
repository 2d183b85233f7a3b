//! The memory that thousands of files take.

#[allow(dead_code, unused_imports)] // what other tests need of it
mod support;

use flate2::write::GzEncoder;
use std::io::Write;
use std::time::Duration;
use support::{Server, Shipper};

const LIMIT: Duration = Duration::from_mins(2);
const FILES: usize = 2000;
const LINES: usize = 50;

/// What a file has that waits for its turn is a few hundred bytes, and what an open one has is used
/// again by the next: 16 MiB for a shipper, 4 KiB for each file, and some to spare.
const PEAK_KIB_MAX: u64 = 40 << 10;

#[test]
fn thousands_of_archives_take_little() {
    let server = Server::start();
    let mut shipper = Shipper::new(&server.address, "");
    for file in 0..FILES {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::new(1));
        for line in 0..LINES {
            let noise = (file * LINES + line).wrapping_mul(2_654_435_761);
            writeln!(encoder, "file {file} line {line} {noise:x}").unwrap();
        }
        std::fs::write(shipper.logs().join(format!("{file}.gz")), encoder.finish().unwrap()).unwrap();
    }
    shipper.start();
    server.wait_for(FILES * LINES, LIMIT);
    assert_eq!((server.distinct(), server.repeated()), (FILES * LINES, 0), "{}", shipper.log());
    let peak = shipper.peak_kib();
    assert!(peak < PEAK_KIB_MAX, "{peak} KiB");
}
