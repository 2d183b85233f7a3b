//! Files as programs write, rotate and compress them, step by step with a shipper that reads them, is killed
//! and starts again: whatever the order, every line comes, and none comes twice with another id. Numbers of
//! files are of the moment in which they are found, so now and then a case goes another way when it is run again.

use super::rng::Rng;
use super::shipper::Shipper;
use flate2::write::GzEncoder;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// So many rounds without faults deliver all that is there.
const ROUNDS_MAX: u32 = 60;

/// Where the folders of cases are.
pub struct Files {
    root: PathBuf,
}

/// A program's log and its older parts, the newest first, by the ends of their names.
struct App {
    name: String,
    /// It makes its file large first, and fills it then.
    is_mapped: bool,
    /// Where its text ends.
    end: u64,
    /// The rest of a line that has begun.
    rest: Option<String>,
    parts: Vec<&'static str>,
}

struct Logs {
    folder: PathBuf,
    apps: Vec<App>,
    lines: Vec<String>,
    /// Every change has a time of its own, as if there were some between.
    clock: SystemTime,
}

impl Files {
    pub fn new() -> Files {
        let shared = Path::new("/dev/shm");
        Files { root: if shared.is_dir() { shared.to_owned() } else { std::env::temp_dir() } }
    }

    /// One case; says what is wrong.
    pub fn case(&mut self, rng: &mut Rng) -> Result<(), String> {
        let folder = TempDir::new_in(&self.root).map_err(|e| e.to_string())?;
        let mut steps = Vec::new();
        let result = case(folder.path(), rng, &mut steps);
        result.map_err(|why| format!("{why}; {}", steps.join(" ")))
    }
}

fn case(folder: &Path, rng: &mut Rng, steps: &mut Vec<String>) -> Result<(), String> {
    let say = |e: io::Error| e.to_string();
    let mut logs = Logs::new(folder.join("logs"), rng).map_err(say)?;
    let mut shipper = Shipper::start(folder, rng)?;
    for _ in 0..rng.within(5, 40) {
        let at = usize::try_from(rng.below(logs.apps.len() as u64)).expect("a few");
        let step = rng.below(20);
        steps.push(format!("{step}/{at}"));
        match step {
            0..=5 => logs.write(at, rng).map_err(say)?,
            6 | 7 => logs.rotate(at, rng).map_err(say)?,
            8 | 9 => logs.compress(at, rng).map_err(say)?,
            10 => logs.copy_and_truncate(at).map_err(say)?,
            11..=13 => shipper.look()?,
            14..=16 => shipper.read(rng)?,
            17 | 18 => shipper.send(rng)?,
            _ => shipper = shipper.again(rng)?,
        }
    }
    for at in 0..logs.apps.len() {
        logs.end_line(at).map_err(say)?;
    }
    for _ in 0..ROUNDS_MAX {
        shipper.look()?;
        shipper.read_all()?;
        shipper.send_all()?;
        if logs.lines.iter().all(|line| shipper.taken.contains_key(line)) {
            break;
        }
    }
    let lost: Vec<&String> = logs.lines.iter().filter(|line| !shipper.taken.contains_key(*line)).collect();
    if let Some(first) = lost.first() {
        return Err(format!("{} of {} lines are lost, such as [{first}]", lost.len(), logs.lines.len()));
    }
    if let Some((line, ids)) = shipper.taken.iter().find(|(_, ids)| ids.len() > 1) {
        return Err(format!("a line came with {} ids: [{line:.60}] {ids:?}", ids.len()));
    }
    match shipper.taken.keys().find(|line| !logs.lines.contains(line)) {
        Some(unknown) => Err(format!("nobody wrote [{unknown:.60}]")),
        None => Ok(()),
    }
}

impl Logs {
    fn new(folder: PathBuf, rng: &mut Rng) -> io::Result<Logs> {
        fs::create_dir(&folder)?;
        let app =
            |n: u64, is_mapped| App { name: format!("app{n}.log"), is_mapped, end: 0, rest: None, parts: Vec::new() };
        let apps = (0..rng.within(1, 3)).map(|n| app(n, rng.one_in(3))).collect();
        let clock = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        Ok(Logs { folder, apps, lines: Vec::new(), clock })
    }

    fn path(&self, at: usize, number: usize, end: &str) -> PathBuf {
        let name = &self.apps[at].name;
        self.folder.join(if number == 0 { name.clone() } else { format!("{name}.{number}{end}") })
    }

    fn touch(&mut self, file: &File) -> io::Result<()> {
        self.clock += Duration::from_secs(1);
        file.set_modified(self.clock)
    }

    /// Writes behind what is there; a program that maps its file finds room, or makes some.
    fn put(&mut self, at: usize, text: &str, room: u64) -> io::Result<()> {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(self.path(at, 0, ""))?;
        let end = self.apps[at].end + text.len() as u64;
        let length = file.metadata()?.len();
        // It may do so before it has something to write.
        if self.apps[at].is_mapped && (length < end || length == 0) {
            file.set_len(end + room)?;
        }
        file.write_all_at(text.as_bytes(), self.apps[at].end)?;
        self.apps[at].end = end;
        self.touch(&file)
    }

    fn write(&mut self, at: usize, rng: &mut Rng) -> io::Result<()> {
        let mut text = self.apps[at].rest.take().unwrap_or_default();
        for _ in 0..*rng.pick(&[0, 1, 3, 40]) {
            text += &self.line(rng);
        }
        if rng.one_in(4) {
            let line = self.line(rng);
            text += &line[..line.len() / 2];
            self.apps[at].rest = Some(line[line.len() / 2..].to_owned());
        }
        self.put(at, &text, *rng.pick(&[0, 10, 3000, 20_000, 300_000]))
    }

    fn line(&mut self, rng: &mut Rng) -> String {
        let line = format!("{} {:x} {}", self.lines.len(), rng.next(), "x".repeat(*rng.pick(&[0, 9, 100, 3000])));
        self.lines.push(line.clone());
        line + "\n"
    }

    fn end_line(&mut self, at: usize) -> io::Result<()> {
        match self.apps[at].rest.take() {
            Some(rest) => self.put(at, &rest, 0),
            None => Ok(()),
        }
    }

    /// `.1` becomes `.2` and so on; false when there is nothing to be rotated.
    fn shift(&mut self, at: usize) -> io::Result<bool> {
        self.end_line(at)?;
        if self.apps[at].end == 0 {
            return Ok(false);
        }
        for (number, end) in self.apps[at].parts.iter().enumerate().rev() {
            fs::rename(self.path(at, number + 1, end), self.path(at, number + 2, end))?;
        }
        self.apps[at].parts.insert(0, "");
        self.apps[at].end = 0;
        Ok(true)
    }

    fn rotate(&mut self, at: usize, rng: &mut Rng) -> io::Result<()> {
        let end = self.apps[at].end + self.apps[at].rest.as_ref().map_or(0, |rest| rest.len() as u64);
        if !self.shift(at)? {
            return Ok(());
        }
        if rng.one_in(2) {
            OpenOptions::new().write(true).open(self.path(at, 0, ""))?.set_len(end)?;
        }
        fs::rename(self.path(at, 0, ""), self.path(at, 1, ""))
    }

    fn copy_and_truncate(&mut self, at: usize) -> io::Result<()> {
        if self.apps[at].is_mapped || !self.shift(at)? {
            return Ok(());
        }
        fs::copy(self.path(at, 0, ""), self.path(at, 1, ""))?;
        let file = OpenOptions::new().write(true).truncate(true).open(self.path(at, 0, ""))?;
        self.touch(&file)
    }

    fn compress(&mut self, at: usize, rng: &mut Rng) -> io::Result<()> {
        let Some(number) = self.apps[at].parts.iter().position(|end| end.is_empty()) else { return Ok(()) };
        let from = self.path(at, number + 1, "");
        let bytes = fs::read(&from)?;
        let (end, archive) = if rng.one_in(3) {
            (".zst", zstd::encode_all(&bytes[..], 1)?)
        } else {
            let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(&bytes)?;
            (".gz", encoder.finish()?)
        };
        fs::write(self.path(at, number + 1, end), archive)?;
        self.apps[at].parts[number] = end;
        fs::remove_file(from)
    }
}
