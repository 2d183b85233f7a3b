//! Cuts decompressed bytes into lines, and says of each where it lies.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// How lines end in an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Byte,
    Little,
    Big,
}

/// Fewer zeros between other bytes are text of a program that writes such.
const GAP_BYTES_MIN: u64 = 16;

/// Finds lines in what is read piece by piece.
pub struct Lines {
    encoding: &'static Encoding,
    unit: Unit,
    line_bytes_max: usize,
    /// The beginning of a line whose end has not come.
    carry: Vec<u8>,
    /// The rest of a line that is too long is passed over.
    is_skipping: bool,
    /// The last byte of the line that has begun, kept or not.
    last: u8,
    /// Of the next byte that comes.
    offset: u64,
    /// Of the line that has begun, or of the zeros before it.
    line_start: u64,
    /// Zeros behind the last line, or behind the beginning of the next, of which nobody knows yet what is
    /// behind them.
    zeros: u64,
}

/// One line, without its end.
#[derive(Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its bytes as UTF-8.
    pub text: Cow<'a, [u8]>,
    /// Decompressed offset of its first byte.
    pub start: u64,
    /// Decompressed offset behind its end.
    pub end: u64,
    /// Its rest was dropped.
    pub is_cut: bool,
}

impl Lines {
    /// Lines from an offset on, which is the beginning of one.
    pub fn new(encoding: &'static Encoding, line_bytes_max: usize, offset: u64) -> Lines {
        let unit = match encoding {
            e if e == UTF_16LE => Unit::Little,
            e if e == UTF_16BE => Unit::Big,
            _ => Unit::Byte,
        };
        let carry = Vec::new();
        let (is_skipping, last, zeros) = (false, 0, 0);
        Lines { encoding, unit, line_bytes_max, carry, is_skipping, last, offset, line_start: offset, zeros }
    }

    /// Gives every line that ends within `bytes`.
    pub fn push(&mut self, bytes: &[u8], mut take: impl FnMut(Line<'_>)) {
        let base = self.offset;
        let mut at = self.hole(bytes, 0);
        while let Some(end) = self.line_end(bytes, at) {
            let end_offset = base + end as u64;
            let piece = &bytes[at..end];
            if self.carry.is_empty() && piece.len() <= self.line_bytes_max {
                take(self.line(piece, self.line_start, end_offset, false));
            } else {
                self.append(piece);
                let kept = std::mem::take(&mut self.carry);
                // What ends a line does not count.
                let is_whole = kept.len() as u64 == end_offset - self.line_start;
                let is_cut = !is_whole || kept.len() - self.end_bytes(&kept) > self.line_bytes_max;
                let text = if is_cut { &kept[..self.line_bytes_max.min(kept.len())] } else { &kept };
                take(self.line(text, self.line_start, end_offset, is_cut));
            }
            self.is_skipping = false;
            self.line_start = end_offset;
            at = self.hole(bytes, end);
        }
        let rest = &bytes[at..];
        let text = if self.unit == Unit::Byte { without_zeros(rest) } else { rest };
        self.append(text);
        self.zeros += (rest.len() - text.len()) as u64;
        self.offset = base + bytes.len() as u64;
    }

    /// Passes over zeros before a line; where it begins. A file that is truncated under a writer that does
    /// not append has gigabytes of them, which would count as a part of the line behind. Before the end of a
    /// file they may be room that its writer fills: then there is no line behind them, or the rest of one.
    fn hole(&mut self, bytes: &[u8], from: usize) -> usize {
        if self.unit != Unit::Byte || from == bytes.len() {
            return from;
        }
        let zeros = leading_zeros(&bytes[from..]);
        self.zeros += zeros as u64;
        if from + zeros < bytes.len() {
            let before = std::mem::take(&mut self.zeros);
            if self.carry.is_empty() {
                self.line_start += before;
            } else if !self.is_skipping {
                self.append_zeros(before);
            }
        }
        from + zeros
    }

    /// Zeros that would be passed over, or become a part of a line, if these bytes came now: where the first begin
    /// that do so at `from` or behind it, and what is behind them. A few are text.
    pub fn gap(&self, bytes: &[u8], from: u64) -> Option<(u64, u64)> {
        if self.unit != Unit::Byte {
            return None;
        }
        let (mut at, mut before) = (0, self.zeros);
        loop {
            let end = at + leading_zeros(&bytes[at..]);
            if end == bytes.len() {
                return None; // nobody knows yet what is behind them
            }
            let (start, behind) = (self.offset + at as u64 - before, self.offset + end as u64);
            if behind - start >= GAP_BYTES_MIN && start >= from {
                return Some((start, behind));
            }
            at = end + memchr::memchr(0, &bytes[end..])?;
            before = 0;
        }
    }

    /// The line that has begun, when no more will come.
    pub fn finish(&mut self, take: impl FnOnce(Line<'_>)) {
        let zeros = std::mem::take(&mut self.zeros);
        if self.carry.is_empty() && !self.is_skipping {
            self.line_start += zeros;
        }
        if self.offset > self.line_start {
            let mut rest = std::mem::take(&mut self.carry);
            let is_cut = std::mem::take(&mut self.is_skipping) || rest.len() > self.line_bytes_max;
            rest.truncate(self.line_bytes_max);
            take(self.line(&rest, self.line_start, self.offset, is_cut));
            self.line_start = self.offset;
        }
    }

    /// Where zeros begin that nothing is behind: after the last line, or after the beginning of another.
    pub fn room_start(&self) -> Option<u64> {
        (self.zeros > 0).then(|| self.offset - self.zeros)
    }

    /// Decompressed offset of such zeros, or of the next byte that comes.
    pub fn read_to(&self) -> u64 {
        self.room_start().unwrap_or(self.offset)
    }

    /// Decompressed offset of the line that has begun, or of zeros behind the last.
    pub fn line_start(&self) -> u64 {
        self.line_start
    }

    /// Bytes of the line that has begun that are in memory and can be let go.
    pub fn carried(&self) -> usize {
        if self.is_skipping { 0 } else { self.carry.len() }
    }

    /// Decompressed offset of what comes next after [`Lines::rewind`]: that line again, or what is in the place of
    /// zeros behind what is kept of a line that is too long.
    pub fn rewinds_to(&self) -> u64 {
        if self.is_skipping { self.read_to() } else { self.line_start }
    }

    /// Lets go of them.
    pub fn rewind(&mut self) {
        self.offset = self.rewinds_to();
        self.zeros = 0;
        if !self.is_skipping {
            self.carry = Vec::new();
        }
    }

    /// Decompressed offset of the next byte that comes.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Of the newline that a line ends with, and of the carriage return before it.
    fn end_bytes(&self, line: &[u8]) -> usize {
        let (both, newline): (&[u8], usize) = match self.unit {
            Unit::Byte => (b"\r\n", 1),
            Unit::Little => (b"\r\0\n\0", 2),
            Unit::Big => (b"\0\r\0\n", 2),
        };
        if line.ends_with(both) { both.len() } else { newline }
    }

    /// What fits of the line that has begun: as much as it may have, and what may end it.
    fn room(&self) -> usize {
        let both = if self.unit == Unit::Byte { 2 } else { 4 };
        (self.line_bytes_max + both).saturating_sub(self.carry.len())
    }

    /// Keeps what fits of the line that has begun.
    fn append(&mut self, piece: &[u8]) {
        let room = self.room();
        self.carry.extend_from_slice(&piece[..piece.len().min(room)]);
        self.is_skipping |= piece.len() > room;
        self.last = piece.last().copied().unwrap_or(self.last);
    }

    /// As [`Lines::append`], of zeros that turned out to be a part of the line.
    fn append_zeros(&mut self, zeros: u64) {
        let room = self.room();
        let kept = usize::try_from(zeros).unwrap_or(usize::MAX).min(room);
        self.carry.resize(self.carry.len() + kept, 0);
        self.is_skipping |= zeros > room as u64;
    }

    /// Where a line ends that begins, or goes on, at `from`: behind its newline.
    fn line_end(&self, bytes: &[u8], from: usize) -> Option<usize> {
        match self.unit {
            Unit::Byte => memchr::memchr(b'\n', &bytes[from..]).map(|n| from + n + 1),
            Unit::Little | Unit::Big => {
                // Units begin at even distances from the line's beginning, which may be carried.
                let is_odd = (self.offset + from as u64 - self.line_start) % 2 == 1;
                let newline: [u8; 2] = if self.unit == Unit::Little { [b'\n', 0] } else { [0, b'\n'] };
                if is_odd && from < bytes.len() && [self.last, bytes[from]] == newline {
                    return Some(from + 1);
                }
                let mut at = from + usize::from(is_odd);
                while at + 1 < bytes.len() {
                    if bytes[at..at + 2] == newline {
                        return Some(at + 2);
                    }
                    at += 2;
                }
                None
            }
        }
    }

    fn line<'a>(&self, raw: &'a [u8], start: u64, end: u64, is_cut: bool) -> Line<'a> {
        Line { text: self.text(raw, start == 0), start, end, is_cut }
    }

    /// Its text. Only a file's first line may begin with a mark of UTF-8, those of UTF-16 are in no text.
    fn text<'a>(&self, raw: &'a [u8], is_first: bool) -> Cow<'a, [u8]> {
        if self.encoding == UTF_8 {
            let raw = raw.strip_prefix(b"\xef\xbb\xbf").filter(|_| is_first).unwrap_or(raw);
            let raw = raw.strip_suffix(b"\n").unwrap_or(raw);
            return Cow::Borrowed(raw.strip_suffix(b"\r").unwrap_or(raw));
        }
        let (text, _) = self.encoding.decode_without_bom_handling(raw);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let text = text.strip_suffix('\n').unwrap_or(text);
        Cow::Owned(text.strip_suffix('\r').unwrap_or(text).as_bytes().to_vec())
    }
}

/// Zeros that come first. There may be gigabytes of them, so many are compared at once.
pub(super) fn leading_zeros(bytes: &[u8]) -> usize {
    const CHUNK_BYTES: usize = 64;
    let chunks = bytes.as_chunks::<CHUNK_BYTES>().0.iter();
    let whole = CHUNK_BYTES * chunks.take_while(|chunk| **chunk == [0; CHUNK_BYTES]).count();
    whole + bytes[whole..].iter().take_while(|byte| **byte == 0).count()
}

fn without_zeros(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1)]
}

#[cfg(test)]
#[path = "lines_test.rs"]
mod tests;
