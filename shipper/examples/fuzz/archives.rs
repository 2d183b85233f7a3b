//! Archives that are damaged: whatever a file holds, its reader neither panics nor stops before the
//! damage nor takes memory without bound.

use super::mutate::mutate;
use super::rng::Rng;
use ::shipper::input::lines::Lines;
use ::shipper::input::source::{Compression, Got, Source, SourceError};
use encoding_rs::UTF_8;
use flate2::GzBuilder;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};

/// What is decompressed of a bomb; nobody would keep it, which is what is looked at.
const READ_MAX: usize = 16 << 20;

/// The longest line.
const LINE_MAX: usize = 16 << 10;

/// One file that is written anew for each case.
pub struct Archives {
    file: File,
    buffer: Vec<u8>,
}

impl Archives {
    pub fn new() -> std::io::Result<Archives> {
        let folder = if std::path::Path::new("/dev/shm").is_dir() { "/dev/shm".into() } else { std::env::temp_dir() };
        Ok(Archives { file: tempfile::tempfile_in(folder)?, buffer: vec![0; 64 << 10] })
    }

    /// One case; says what is wrong.
    pub fn case(&mut self, rng: &mut Rng) -> Result<(), String> {
        let text = text(rng);
        let (sound, compression) = if rng.one_in(3) {
            (zstd_of(&text, rng), Compression::Zstd)
        } else {
            (gzip_of(&text, rng), Compression::Gzip)
        };
        let damaged = mutate(&sound, rng);
        let same = sound.iter().zip(&damaged).take_while(|(a, b)| a == b).count();
        let before = self.read(&sound[..same], compression, rng, None)?;
        if !text.starts_with(&before) {
            return Err("a beginning of a sound archive gives other bytes".into());
        }
        let out = self.read(&damaged, compression, rng, Some(before.len()))?;
        if out != before[..before.len().min(READ_MAX)] {
            return Err(format!(
                "{compression:?}: {} bytes are sound before the damage at {same}, {} came",
                before.len(),
                out.len()
            ));
        }
        // What reads a file of which the first bytes say something else, or that is read from elsewhere.
        if rng.one_in(4) {
            let _ = self.open(&damaged, Compression::of(&damaged), rng.below(text.len() as u64 * 2 + 2));
        }
        Ok(())
    }

    fn open(&mut self, bytes: &[u8], compression: Compression, offset: u64) -> Result<Source, SourceError> {
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(bytes)?;
        Source::open(self.file.try_clone()?, compression, offset, None)
    }

    /// All that comes, or its first `keep` bytes; lines of it are made on the way.
    fn read(&mut self, bytes: &[u8], is: Compression, rng: &mut Rng, keep: Option<usize>) -> Result<Vec<u8>, String> {
        let mut source = match self.open(bytes, is, 0) {
            Ok(source) => source,
            Err(SourceError::Io(e)) => return Err(e.to_string()),
            Err(_) => return Ok(Vec::new()),
        };
        let keep = keep.unwrap_or(READ_MAX);
        let mut out = Vec::new();
        let mut total = 0;
        let mut lines = Lines::new(UTF_8, LINE_MAX, 0);
        let mut longest = 0;
        let size = usize::try_from(*rng.pick(&[100, 4 << 10, 64 << 10])).expect("small");
        while total < READ_MAX {
            let Ok(Got::Bytes(n)) = source.read(&mut self.buffer[..size]) else { break };
            total += n;
            let piece = &self.buffer[..n];
            out.extend_from_slice(&piece[..n.min(keep - out.len())]);
            lines.push(piece, |line| longest = longest.max(line.text.len()));
        }
        if longest > LINE_MAX {
            return Err(format!("a line of {longest} bytes"));
        }
        Ok(out)
    }
}

fn text(rng: &mut Rng) -> Vec<u8> {
    let mut text = Vec::new();
    if rng.one_in(200) {
        // A bomb: a few kilobytes that become megabytes.
        text.resize(usize::try_from(rng.within(1 << 20, 8 << 20)).expect("small"), b'x');
        return text;
    }
    let lines = if rng.one_in(50) { rng.within(1000, 8000) } else { rng.below(200) };
    for n in 0..lines {
        let _ = writeln!(text, "line {n} {:x}", rng.next() >> rng.below(60));
    }
    text
}

fn gzip_of(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut out = Vec::new();
    let members = usize::try_from(rng.within(1, 3)).expect("a few");
    for piece in text.chunks(text.len() / members + 1) {
        let mut builder = GzBuilder::new();
        if rng.one_in(3) {
            builder = builder.filename("app.log").comment("made by a fuzzer").extra(vec![7; 20]);
        }
        let level = u32::try_from(rng.below(10)).expect("a digit");
        let mut encoder = builder.write(out, flate2::Compression::new(level));
        let _ = encoder.write_all(piece);
        out = encoder.finish().expect("memory takes everything");
    }
    out
}

fn zstd_of(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut out = Vec::new();
    let frames = usize::try_from(rng.within(1, 3)).expect("a few");
    for piece in text.chunks(text.len() / frames + 1) {
        let mut encoder = zstd::stream::Encoder::new(out, 1).expect("a level");
        let _ = encoder.include_checksum(rng.one_in(2));
        let _ = encoder.write_all(piece);
        out = encoder.finish().expect("memory takes everything");
    }
    out
}
