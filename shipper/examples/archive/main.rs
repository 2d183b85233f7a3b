//! Ships one archive that is larger than memory, kills the shipper at a place that chance decides,
//! and looks how soon it goes on, how much memory it takes, and whether every line came.

mod generated;
#[path = "../common/rng.rs"]
mod rng;
mod sink;

use generated::Generated;
use sink::Sink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const USAGE: &str = "\
Ships one generated gzip archive to a server that says yes, and kills the shipper in the middle.

  ./holdfast shipper-archive [--gigabytes N] [--seed S] [--folder DIR]

  --gigabytes N   decompressed size (default: 2)
  --seed S        decides where it is killed (default: 1)
  --folder DIR    where the archive is made (default: a temporary one)
";

/// How soon after its start the first lines have to be sent again.
const GOES_ON_WITHIN: Duration = Duration::from_secs(1);

/// What it may take, in KiB.
const PEAK_KIB_MAX: u64 = 20 << 10;

/// Nothing more for so long means that nothing more comes.
const CALM: Duration = Duration::from_mins(1);

fn main() -> ExitCode {
    let (mut gigabytes, mut seed, mut folder) = (2, 1, std::env::temp_dir());
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().unwrap_or_default();
        match (name.as_str(), value.parse::<u64>()) {
            ("--gigabytes", Ok(n)) if n > 0 => gigabytes = n,
            ("--seed", Ok(n)) => seed = n,
            ("--folder", _) if !value.is_empty() => folder = value.into(),
            _ => {
                eprint!("{USAGE}");
                return ExitCode::from(2);
            }
        }
    }
    match run(gigabytes * 1_000_000_000, seed, &folder) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("shipper-archive: {why}");
            ExitCode::from(2)
        }
    }
}

struct Shipper {
    child: Child,
    started: Instant,
}

impl Shipper {
    fn start(binary: &Path, folder: &Path) -> std::io::Result<Shipper> {
        let log = std::fs::File::options().create(true).append(true).open(folder.join("log"))?;
        let started = Instant::now();
        let child =
            Command::new(binary).arg("-c").arg(folder.join("shipper.yml")).stdout(Stdio::null()).stderr(log).spawn()?;
        Ok(Shipper { child, started })
    }

    fn peak_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        status.lines().find_map(|l| l.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    }

    /// Milliseconds of processor time.
    fn cpu_millis(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        let ticks: u64 = stat.split(' ').skip(13).take(2).filter_map(|t| t.parse::<u64>().ok()).sum();
        ticks * 10
    }
}

impl Drop for Shipper {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn run(bytes: u64, seed: u64, folder: &Path) -> Result<bool, String> {
    let say = |e: std::io::Error| e.to_string();
    let folder = tempfile::Builder::new().prefix("shipper-archive").tempdir_in(folder).map_err(say)?;
    let path = folder.path().join("app.log.gz");
    let file = Arc::new(Generated::write(&path, bytes).map_err(say)?);
    let packed = std::fs::metadata(&path).map_err(say)?.len();
    println!("archive: {} bytes, {packed} compressed, {} lines", file.bytes(), file.lines());
    let sink = Sink::start(Arc::clone(&file)).map_err(say)?;
    configure(folder.path(), &sink.address).map_err(say)?;
    let binary = binary()?;

    let kill_at = file.bytes() / 100 * rng::Rng::new(seed).within(20, 80);
    let first = Shipper::start(&binary, folder.path()).map_err(say)?;
    wait(&sink, |taken| taken.offset >= kill_at);
    let (mut peak, mut cpu) = (first.peak_kib(), first.cpu_millis());
    let reached = sink.taken.lock().expect("counts").offset;
    let took = first.started.elapsed();
    drop(first);
    std::thread::sleep(Duration::from_millis(200));
    sink.forget();

    let second = Shipper::start(&binary, folder.path()).map_err(say)?;
    wait(&sink, |taken| taken.first.is_some());
    let (at, offset) = sink.taken.lock().expect("counts").first.ok_or("nothing came after the restart")?;
    let goes_on = at - second.started;
    println!("killed at {reached} after {} s; goes on at {offset} after {} ms", took.as_secs(), goes_on.as_millis());
    wait(&sink, |taken| taken.lines() >= file.lines());
    (peak, cpu) = (peak.max(second.peak_kib()), cpu + second.cpu_millis());
    let all = took + second.started.elapsed();
    let taken = sink.taken.lock().expect("counts");
    println!(
        "{} of {} lines came, {} repeated, {} strange requests; {} s, {cpu} ms of processor time, {} lines a second of it; \
         peak of memory {} KiB",
        taken.lines(),
        file.lines(),
        taken.repeated,
        taken.strange,
        all.as_secs(),
        file.lines() * 1000 / cpu.max(1),
        peak,
    );
    let is_good = taken.lines() == file.lines() && taken.strange == 0 && peak <= PEAK_KIB_MAX;
    if goes_on > GOES_ON_WITHIN {
        println!("it went on later than after {} ms", GOES_ON_WITHIN.as_millis());
    }
    Ok(is_good && goes_on <= GOES_ON_WITHIN)
}

fn configure(folder: &Path, output: &str) -> std::io::Result<()> {
    let text = format!(
        "filebeat.inputs: [{{id: archive, paths: ['{0}/*.gz']}}]\npath.data: {0}/data\nshipper.readers: 1\nlogging.level: warning\n\
         output.elasticsearch: {{hosts: ['{output}'], index: archive, compression_level: 0}}\n",
        folder.display()
    );
    std::fs::write(folder.join("shipper.yml"), text)
}

fn binary() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let target = own.parent().and_then(Path::parent).ok_or("no folder of programs")?;
    Ok(target.join("holdfast-shipper"))
}

/// Waits until something holds, or nothing comes any more.
fn wait(sink: &Sink, holds: impl Fn(&sink::Taken) -> bool) {
    let (mut last, mut since) = (0, Instant::now());
    loop {
        {
            let taken = sink.taken.lock().expect("counts");
            if holds(&taken) {
                return;
            }
            if taken.offset != last {
                (last, since) = (taken.offset, Instant::now());
            }
        }
        if since.elapsed() > CALM {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
