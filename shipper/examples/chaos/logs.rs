//! Programs that write logs, and what rotates them: rename, compress, copy and truncate, the ways
//! of logrotate, kubelet and gzip(1).

use super::rng::Rng;
use flate2::write::GzEncoder;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One program's log and its older parts, `.1` the newest of them.
pub struct App {
    name: String,
    folder: PathBuf,
    written: u64,
    /// A line has begun whose end is not written.
    has_begun: Option<String>,
    /// Every line that is whole.
    pub lines: Vec<String>,
    /// Older parts, the newest first, by the ends of their names.
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Plain,
    Gzip,
    Zstd,
}

impl Part {
    fn end(self) -> &'static str {
        match self {
            Part::Plain => "",
            Part::Gzip => ".gz",
            Part::Zstd => ".zst",
        }
    }
}

impl App {
    pub fn new(name: &str, folder: &Path) -> App {
        App {
            name: name.to_owned(),
            folder: folder.to_owned(),
            written: 0,
            has_begun: None,
            lines: Vec::new(),
            parts: Vec::new(),
        }
    }

    fn active(&self) -> PathBuf {
        self.folder.join(format!("{}.log", self.name))
    }

    fn part(&self, number: usize, part: Part) -> PathBuf {
        self.folder.join(format!("{}.log.{number}{}", self.name, part.end()))
    }

    fn line(&mut self, rng: &mut Rng) -> String {
        self.written += 1;
        let filler = match rng.below(50) {
            0 => rng.within(500, 3000),
            n => n,
        };
        let noise: String = (0..filler).map(|_| char::from(b'a' + u8::try_from(rng.below(26)).unwrap_or(0))).collect();
        format!("{} line {} {:x} \"{noise}\" \u{fc}", self.name, self.written, rng.next())
    }

    /// Writes some lines, perhaps with a beginning of another at the end.
    pub fn write(&mut self, rng: &mut Rng, may_be_torn: bool) -> io::Result<()> {
        let path = self.active();
        self.write_to(&path, rng, may_be_torn)
    }

    fn write_to(&mut self, path: &Path, rng: &mut Rng, may_be_torn: bool) -> io::Result<()> {
        let mut text = String::new();
        if let Some(line) = self.has_begun.take() {
            text.push_str(&line[line.len() / 2..]);
            text.push('\n');
            self.lines.push(line);
        }
        let count = match rng.below(10) {
            0 => rng.within(2000, 6000),
            1..=4 => rng.within(1, 10),
            _ => rng.within(50, 800),
        };
        for _ in 0..count {
            let line = self.line(rng);
            text.push_str(&line);
            text.push('\n');
            self.lines.push(line);
        }
        if may_be_torn && rng.one_in(3) {
            // All of it but the last character is ASCII: it may be cut anywhere else.
            let line = self.line(rng);
            text.push_str(&line[..line.len() / 2]);
            self.has_begun = Some(line);
        }
        let mut file = OpenOptions::new().append(true).create(true).open(path)?;
        if rng.one_in(3) {
            let (first, second) = text.as_bytes().split_at(text.len() / 3);
            file.write_all(first)?;
            std::thread::sleep(Duration::from_millis(rng.below(60)));
            return file.write_all(second);
        }
        file.write_all(text.as_bytes())
    }

    /// A line that has begun gets its end: programs rotate between lines.
    pub fn end_line(&mut self) -> io::Result<()> {
        if let Some(line) = self.has_begun.take() {
            let mut file = OpenOptions::new().append(true).open(self.active())?;
            writeln!(file, "{}", &line[line.len() / 2..])?;
            self.lines.push(line);
        }
        Ok(())
    }

    /// `.2` becomes `.3`, `.1` becomes `.2`, so that `.1` is free.
    fn shift(&mut self) -> io::Result<()> {
        for (at, part) in self.parts.iter().enumerate().rev() {
            fs::rename(self.part(at + 1, *part), self.part(at + 2, *part))?;
        }
        Ok(())
    }

    /// The log becomes `.1`; the program may go on writing to it for a moment.
    pub fn rotate(&mut self, rng: &mut Rng) -> io::Result<()> {
        self.end_line()?;
        if !self.active().exists() {
            return Ok(());
        }
        self.shift()?;
        let renamed = self.part(1, Part::Plain);
        fs::rename(self.active(), &renamed)?;
        self.parts.insert(0, Part::Plain);
        if rng.one_in(3) {
            self.write_to(&renamed, rng, false)?;
        }
        Ok(())
    }

    /// The log is copied to `.1` and truncated.
    pub fn copy_and_truncate(&mut self) -> io::Result<()> {
        self.end_line()?;
        if !self.active().exists() {
            return Ok(());
        }
        self.shift()?;
        fs::copy(self.active(), self.part(1, Part::Plain))?;
        OpenOptions::new().write(true).truncate(true).open(self.active())?;
        self.parts.insert(0, Part::Plain);
        Ok(())
    }

    /// A plain part becomes an archive: slowly under its last name, or at once; then the part goes.
    pub fn compress(&mut self, rng: &mut Rng) -> io::Result<()> {
        let plain: Vec<usize> = (0..self.parts.len()).filter(|at| self.parts[*at] == Part::Plain).collect();
        if plain.is_empty() {
            return Ok(());
        }
        let at = *rng.pick(&plain);
        let from = self.part(at + 1, Part::Plain);
        let kind = if rng.one_in(4) { Part::Zstd } else { Part::Gzip };
        let to = self.part(at + 1, kind);
        let bytes = archive(&fs::read(&from)?, kind, rng)?;
        if rng.one_in(2) {
            // As gzip(1) does: the archive grows beside the file.
            let mut file = File::create(&to)?;
            let cuts = rng.within(1, 4);
            for piece in bytes.chunks(bytes.len() / usize::try_from(cuts).expect("a few") + 1) {
                file.write_all(piece)?;
                std::thread::sleep(Duration::from_millis(rng.below(120)));
            }
        } else {
            let away = self.folder.with_file_name(format!("{}.part", self.name));
            fs::write(&away, &bytes)?;
            fs::rename(&away, &to)?;
        }
        if rng.one_in(3) {
            std::thread::sleep(Duration::from_millis(rng.below(150)));
        }
        fs::remove_file(&from)?;
        self.parts[at] = kind;
        Ok(())
    }
}

fn archive(bytes: &[u8], kind: Part, rng: &mut Rng) -> io::Result<Vec<u8>> {
    if kind == Part::Zstd {
        return zstd::encode_all(bytes, 3);
    }
    // One member, or several, as by bgzip(1) and appending programs.
    let members = if rng.one_in(4) { rng.within(2, 5) } else { 1 };
    let mut out = Vec::new();
    for piece in bytes.chunks(bytes.len() / usize::try_from(members).expect("a few") + 1) {
        let level = u32::try_from(rng.within(1, 9)).expect("a digit");
        let mut encoder = GzEncoder::new(&mut out, flate2::Compression::new(level));
        encoder.write_all(piece)?;
        encoder.finish()?;
    }
    Ok(out)
}
