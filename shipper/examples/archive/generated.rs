//! An archive of any size: one gzip member of one text over and over, of which each repetition is a
//! run of deflate blocks that needs nothing before it, so that it is compressed once.

use flate2::{Compress, Compression, FlushCompress};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Bytes of the text that is repeated.
const TEXT_BYTES: usize = 32 << 20;

/// Where lines are in a generated file.
pub struct Generated {
    /// Of each line of the text, its first byte.
    starts: Vec<u64>,
    text_bytes: u64,
    repetitions: u64,
}

impl Generated {
    /// Writes a file of about so many decompressed bytes.
    pub fn write(path: &Path, bytes: u64) -> io::Result<Generated> {
        let (text, starts) = text();
        let repetitions = bytes.div_ceil(text.len() as u64);
        let blocks = blocks(&text);
        let mut crc = crc32fast::Hasher::new();
        let mut one = crc32fast::Hasher::new();
        one.update(&text);
        let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
        file.write_all(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])?;
        for _ in 0..repetitions {
            file.write_all(&blocks)?;
            crc.combine(&one);
        }
        let text_bytes = text.len() as u64;
        file.write_all(&[3, 0])?; // a last block of nothing
        file.write_all(&crc.finalize().to_le_bytes())?;
        let length = (text_bytes * repetitions).to_le_bytes();
        file.write_all(&length[..4])?;
        file.flush()?;
        Ok(Generated { starts, text_bytes, repetitions })
    }

    /// Decompressed bytes.
    pub fn bytes(&self) -> u64 {
        self.text_bytes * self.repetitions
    }

    /// Lines.
    pub fn lines(&self) -> u64 {
        self.starts.len() as u64 * self.repetitions
    }

    /// The number of the line that begins at an offset.
    pub fn line_at(&self, offset: u64) -> Option<u64> {
        let at = self.starts.binary_search(&(offset % self.text_bytes)).ok()?;
        Some(offset / self.text_bytes * self.starts.len() as u64 + at as u64)
    }
}

fn text() -> (Vec<u8>, Vec<u64>) {
    let mut text = String::with_capacity(TEXT_BYTES + 300);
    let mut starts = Vec::new();
    let mut chance = 1u64;
    while text.len() < TEXT_BYTES {
        starts.push(text.len() as u64);
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = chance >> 40;
        let _ = writeln!(
            text,
            "203.0.113.{} - - [23/Nov/2026:10:{:02}:{:02} +0000] \"GET /images/{} HTTP/1.1\" 200 {} \"-\" \
             \"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\"",
            number % 16,
            starts.len() / 60_000 % 60,
            starts.len() / 1000 % 60,
            number % 64,
            number % 512,
        );
    }
    (text.into_bytes(), starts)
}

fn blocks(text: &[u8]) -> Vec<u8> {
    let mut compress = Compress::new(Compression::new(6), false);
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    loop {
        if out.len() == out.capacity() {
            out.reserve(1 << 20);
        }
        let before = compress.total_in();
        compress.compress_vec(&text[at..], &mut out, FlushCompress::Full).expect("memory takes everything");
        at += usize::try_from(compress.total_in() - before).expect("a part of the text");
        // A flush is over when it has left room.
        if at == text.len() && out.len() < out.capacity() {
            return out;
        }
    }
}
