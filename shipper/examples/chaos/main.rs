//! Ships logs that are rotated, compressed and truncated to a real node, through a network that
//! fails, while the shipper is killed, and looks whether every line is there, and how often.
//!
//! A seed decides what happens; when it happens is up to the machine.

mod logs;
mod node;
mod program;
mod proxy;
#[path = "../common/rng.rs"]
mod rng;

use lexopt::prelude::{Long, Short};
use logs::App;
use node::{Counts, Node};
use program::Program;
use proxy::{FAULTS, Fault, Proxy};
use rng::Rng;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

const USAGE: &str = "\
Kills the shipper, fails its network and its node, rotates, compresses and truncates its logs, and
looks whether every line arrived, and how often.

  ./holdfast shipper-chaos [options]

  --seeds N         how many runs (default: 20)
  --first-seed S    the first seed (default: 1)
  --jobs N          runs side by side (default: 2)
  --node URL        a node that runs already; without it one is started, paused and killed too
  --port P          the port of the node that is started (default: 23900)
  --holdfast FILE   the program that starts it
  --shipper FILE    the shipper
  --disk-queue      events wait in a queue on disk
  --keep            keep the folders of all runs, not only of those that failed
";

/// What was written has to be there after so long without faults.
const DELIVERED_WITHIN: Duration = Duration::from_mins(3);

/// A node that was killed is there again after so long, on a machine that has other things to do.
const NODE_AWAY_MAX: Duration = Duration::from_mins(15);

struct Options {
    seeds: u64,
    first: u64,
    jobs: u64,
    node: Option<String>,
    port: u16,
    holdfast: PathBuf,
    shipper: PathBuf,
    is_on_disk: bool,
    is_kept: bool,
}

#[derive(Default)]
struct Totals {
    runs: u64,
    failed: Vec<u64>,
    lines: u64,
    repeated: u64,
    repeated_with_ids: u64,
    kills: u64,
    peak_kib: u64,
}

fn main() -> ExitCode {
    match options().and_then(|options| options.map_or(Ok(true), |options| run(&options))) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("shipper-chaos: {why}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Option<Options>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let beside = std::env::current_exe().map_err(|e| e.to_string())?;
    let target = beside.parent().and_then(Path::parent).ok_or("no folder of programs")?.to_owned();
    let mut options = Options {
        seeds: 20,
        first: 1,
        jobs: 2,
        node: None,
        port: 23_900,
        holdfast: root.join("../holdfast"),
        shipper: target.join("holdfast-shipper"),
        is_on_disk: false,
        is_kept: false,
    };
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next().map_err(|e| e.to_string())? {
        let name = match &argument {
            Long(name) => (*name).to_owned(),
            Short('h') => "help".to_owned(),
            _ => return Err(argument.unexpected().to_string()),
        };
        match name.as_str() {
            "seeds" => options.seeds = number(&text(&mut parser)?)?,
            "first-seed" => options.first = number(&text(&mut parser)?)?,
            "jobs" => options.jobs = number(&text(&mut parser)?)?.clamp(1, 64),
            "node" => options.node = Some(text(&mut parser)?.trim_end_matches('/').to_owned()),
            "port" => options.port = u16::try_from(number(&text(&mut parser)?)?).map_err(|e| e.to_string())?,
            "holdfast" => options.holdfast = text(&mut parser)?.into(),
            "shipper" => options.shipper = text(&mut parser)?.into(),
            "disk-queue" => options.is_on_disk = true,
            "keep" => options.is_kept = true,
            "help" => {
                print!("{USAGE}");
                return Ok(None);
            }
            other => return Err(format!("unknown option [--{other}]\n{USAGE}")),
        }
    }
    Ok(Some(options))
}

fn text(parser: &mut lexopt::Parser) -> Result<String, String> {
    parser.value().map(|v| v.to_string_lossy().into_owned()).map_err(|e| e.to_string())
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("[{text}] is no number"))
}

fn run(options: &Options) -> Result<bool, String> {
    let folder = tempfile::Builder::new().prefix("shipper-chaos").tempdir().map_err(|e| e.to_string())?;
    let node = match &options.node {
        Some(url) => Node::there(url),
        None => Node::start(&options.holdfast, options.port, folder.path())?,
    };
    let (counts, is_over) = (Counts::default(), AtomicBool::new(false));
    let (next, totals) = (AtomicU64::new(options.first), Mutex::new(Totals::default()));
    let began = Instant::now();
    std::thread::scope(|scope| {
        let disturber = scope.spawn(|| node.disturb(options.first, &is_over, &counts));
        let workers: Vec<_> = (0..options.jobs)
            .map(|_| {
                scope.spawn(|| {
                    loop {
                        let seed = next.fetch_add(1, Relaxed);
                        if seed >= options.first + options.seeds {
                            return;
                        }
                        one(seed, options, &node, &counts, folder.path(), &totals);
                    }
                })
            })
            .collect();
        for worker in workers {
            let _ = worker.join();
        }
        is_over.store(true, Relaxed);
        let _ = disturber.join();
    });
    let totals = totals.into_inner().expect("totals");
    println!(
        "{} runs in {} s: {} lines written, 0 lost in {} of them; {} kills and stops of the shipper, {} kills and {} pauses \
         of the node; repeated without ids {}, with ids {}; peak of memory {} MiB",
        totals.runs,
        began.elapsed().as_secs(),
        totals.lines,
        totals.runs - totals.failed.len() as u64,
        totals.kills,
        counts.kills.lock().expect("a count"),
        counts.pauses.lock().expect("a count"),
        totals.repeated,
        totals.repeated_with_ids,
        totals.peak_kib >> 10,
    );
    if !totals.failed.is_empty() || options.is_kept {
        println!("failed seeds: {:?}; see {}", totals.failed, folder.keep().display());
    }
    Ok(totals.failed.is_empty() && totals.runs == options.seeds)
}

fn one(seed: u64, options: &Options, node: &Node, counts: &Counts, root: &Path, totals: &Mutex<Totals>) {
    let folder = root.join(format!("seed-{seed}"));
    let mut rng = Rng::new(seed);
    let index = format!("shipper-chaos-{seed}");
    let proxy = Proxy::start(&node.url);
    let result = Program::new(options, &folder, &proxy.address, &index, &mut rng).map_err(|e| e.to_string()).and_then(
        |mut program| {
            let kills_before = *counts.kills.lock().expect("a count");
            let apps = disturb(&folder, &mut program, &proxy, &mut rng)?;
            let expected: Vec<&String> = apps.iter().flat_map(|app| &app.lines).collect();
            wait_for(expected.len() as u64, node, &index, &mut program)?;
            let kills = *counts.kills.lock().expect("a count") - kills_before;
            check(&expected, node, &index, &proxy, &program, kills)
                .map(|repeated| (expected.len() as u64, repeated, program))
        },
    );
    node.delete(&index);
    let mut totals = totals.lock().expect("totals");
    totals.runs += 1;
    match result {
        Ok((lines, repeated, program)) => {
            totals.lines += lines;
            totals.kills += program.kills;
            totals.peak_kib = totals.peak_kib.max(program.peak_kib);
            *(if program.has_ids { &mut totals.repeated_with_ids } else { &mut totals.repeated }) += repeated;
            println!("seed {seed}: {lines} lines, {} kills, repeated {repeated}", program.kills);
            if !options.is_kept {
                let _ = std::fs::remove_dir_all(&folder);
            }
        }
        Err(why) => {
            println!("seed {seed}: FAILED: {why}");
            totals.failed.push(seed);
        }
    }
}

/// What happens in a run; no fault is left when it returns, and the shipper runs.
fn disturb(folder: &Path, program: &mut Program, proxy: &Proxy, rng: &mut Rng) -> Result<Vec<App>, String> {
    let logs = folder.join("logs");
    let mut apps: Vec<App> = (0..rng.within(1, 3)).map(|n| App::new(&format!("app{n}"), &logs)).collect();
    let say = |e: std::io::Error| e.to_string();
    program.start().map_err(say)?;
    for _ in 0..rng.within(10, 40) {
        let at = usize::try_from(rng.below(apps.len() as u64)).expect("a few");
        let app = &mut apps[at];
        match rng.below(20) {
            0..=6 => app.write(rng, true).map_err(say)?,
            7..=8 => app.rotate(rng).map_err(say)?,
            9..=10 => app.compress(rng).map_err(say)?,
            11 => app.copy_and_truncate().map_err(say)?,
            12..=14 => program.kill(),
            15 => program.stop().map_err(say)?,
            16..=18 => proxy.set(*rng.pick(FAULTS)),
            _ => proxy.set(Fault::None),
        }
        std::thread::sleep(Duration::from_millis(rng.below(120)));
        if let Some(ended) = program.ended() {
            return Err(ended);
        }
        if !program.is_running() && rng.one_in(2) {
            program.start().map_err(say)?;
        }
    }
    for app in &mut apps {
        app.end_line().map_err(say)?;
    }
    proxy.set(Fault::None);
    program.start().map_err(say)?;
    Ok(apps)
}

/// Waits for at least as many documents; what is there is looked at later.
fn wait_for(count: u64, node: &Node, index: &str, program: &mut Program) -> Result<(), String> {
    if count == 0 {
        return Ok(());
    }
    let (began, mut until) = (Instant::now(), Instant::now() + DELIVERED_WITHIN);
    let (mut last, mut calm_since) = (0, Instant::now());
    while Instant::now() < until {
        match node.count(index) {
            Ok(now) if now != last => (last, calm_since) = (now, Instant::now()),
            // A node that starts again delivers nothing: its time is not counted.
            Err(_) if began.elapsed() < NODE_AWAY_MAX => until = Instant::now() + DELIVERED_WITHIN,
            Ok(_) | Err(_) => {}
        }
        // Repeated ones may make up for missing ones: enough, and nothing more for a while.
        if last >= count && calm_since.elapsed() > Duration::from_millis(1500) {
            break;
        }
        std::thread::sleep(Duration::from_millis(300));
        if let Some(ended) = program.ended() {
            return Err(ended);
        }
    }
    program.look();
    Ok(())
}

/// How many lines are repeated, when none is lost and no more are repeated than may be.
fn check(
    expected: &[&String],
    node: &Node,
    index: &str,
    proxy: &Proxy,
    program: &Program,
    node_kills: u64,
) -> Result<u64, String> {
    if expected.is_empty() {
        return Ok(0);
    }
    let began = Instant::now();
    let found: BTreeMap<String, u64> = loop {
        match node.messages(index) {
            // Lines may still be on their way when repeated ones made up the number.
            Ok(all) if began.elapsed() < DELIVERED_WITHIN && expected.iter().any(|line| !all.contains_key(*line)) => {
                std::thread::sleep(Duration::from_secs(1));
            }
            Ok(all) => break all,
            Err(e) if began.elapsed() > NODE_AWAY_MAX => return Err(format!("the node can't be asked: {e}")),
            Err(_) => std::thread::sleep(Duration::from_secs(1)),
        }
    };
    let lost: Vec<&&String> = expected.iter().filter(|line| !found.contains_key(**line)).collect();
    if let Some(first) = lost.first() {
        let told = lost.iter().filter(|line| proxy.is_acknowledged(line)).count();
        return Err(format!(
            "{} of {} lines lost ({told} of them after the node had acknowledged them), the first [{first:.80}]",
            lost.len(),
            expected.len()
        ));
    }
    if found.len() > expected.len() {
        let known: std::collections::BTreeSet<&String> = expected.iter().copied().collect();
        let unknown = found.keys().find(|message| !known.contains(message));
        return Err(format!("messages that nobody wrote: {} such as {unknown:?}", found.len() - expected.len()));
    }
    let repeated: u64 = found.values().map(|times| times - 1).sum();
    let allowed = if program.has_ids {
        0
    } else {
        program.kills * program.window_events() + proxy.unanswered() + node_kills * program.under_way
    };
    if repeated > allowed {
        let example = found.iter().find(|(_, times)| **times > 1);
        return Err(format!("{repeated} lines repeated, {allowed} may be; such as {example:.120?}"));
    }
    Ok(repeated)
}
