//! Damages archives, configurations, registries and server answers, and rotates files step by step under a
//! shipper: nothing panics, nothing that is sound before the damage is lost, no line comes under two ids, and
//! memory stays within its bound. A case is its number: what fails is found again with `--first N --count 1`.

mod answers;
mod archives;
mod configurations;
mod files;
mod mutate;
mod registries;
#[path = "../common/rng.rs"]
mod rng;
mod shipper;

use ::shipper::metrics;
use rng::Rng;
use std::cell::Cell;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

const USAGE: &str = "\
Damages archives, configurations, registries and server answers, and looks what the shipper does.

  ./holdfast shipper-fuzz [--count N] [--first N] [--jobs N]

  --count N    cases (default: 20000)
  --first N    the first one (default: 1)
  --jobs N     threads (default: 1)
";

/// No number of cases takes more memory than this, in KiB: a zstd window of 32 MiB a thread and what
/// is compared.
const PEAK_KIB_MAX: u64 = 128 << 10;

thread_local! {
    static CASE: Cell<u64> = const { Cell::new(0) };
}

fn main() -> ExitCode {
    let (mut count, mut first, mut jobs) = (20_000, 1, 1);
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().and_then(|v| v.parse::<u64>().ok());
        match (name.as_str(), value) {
            ("--count", Some(n)) => count = n,
            ("--first", Some(n)) => first = n,
            ("--jobs", Some(n)) => jobs = n.clamp(1, 64),
            ("--help" | "-h", _) => {
                print!("{USAGE}");
                return ExitCode::SUCCESS;
            }
            _ => {
                eprint!("{USAGE}");
                return ExitCode::from(2);
            }
        }
    }
    metrics::set_level(metrics::Level::Off);
    let said = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        eprintln!("case {} panics", CASE.get());
        said(info);
    }));
    run(count, first, jobs)
}

fn run(count: u64, first: u64, jobs: u64) -> ExitCode {
    let (next, failed) = (AtomicU64::new(first), AtomicU64::new(0));
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                let mut archives = archives::Archives::new().expect("a file can be made");
                let mut registries = registries::Registries::new().expect("a folder can be made");
                let mut files = files::Files::new();
                let mut server = answers::Server::start().expect("a port is free");
                loop {
                    let case = next.fetch_add(1, Relaxed);
                    if case >= first + count {
                        return;
                    }
                    CASE.set(case);
                    let mut rng = Rng::new(case);
                    let (kind, result) = match case % 100 {
                        0 => ("exchange", server.case(&mut rng)),
                        1..=14 => ("answer", answers::case(&mut rng)),
                        15..=29 => ("configuration", configurations::case(&mut rng)),
                        30..=34 => ("registry", registries.case(&mut rng)),
                        35..=44 => ("files", files.case(&mut rng)),
                        _ => ("archive", archives.case(&mut rng)),
                    };
                    if let Err(why) = result {
                        println!("case {case}, {kind}: {why}");
                        failed.fetch_add(1, Relaxed);
                    }
                    if (case - first + 1).is_multiple_of(100_000) {
                        println!(
                            "{} cases, {} failed, {} s",
                            case - first + 1,
                            failed.load(Relaxed),
                            began.elapsed().as_secs()
                        );
                    }
                }
            });
        }
    });
    let peak = peak_kib();
    let failed = failed.into_inner();
    println!("{count} cases in {} s: {failed} failed; peak of memory {} MiB", began.elapsed().as_secs(), peak >> 10);
    if failed > 0 || peak > PEAK_KIB_MAX * jobs {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
