//! Reads gzip files: members one after the other, checked by their CRC-32 and length, from any
//! [`Point`] on, while they are still being written too.

use super::inflate::{Damaged, Inflater};
use super::point::{Point, guard};
use super::source::{Got, SourceError, retried};
use crate::kept::Kept;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;

/// Compressed bytes read at once.
const INPUT_BYTES: usize = 64 * 1024;

/// Where readers that are gone had such bytes.
static INPUTS: Kept<Box<[u8]>> = Kept::new();

/// A point is made after so many decompressed bytes: reading them again takes a tenth of a second.
const POINT_EVERY: u64 = 16 << 20;

const FLAG_CRC: u8 = 2;
const FLAG_EXTRA: u8 = 4;
const FLAG_NAME: u8 = 8;
const FLAG_COMMENT: u8 = 16;

enum State {
    /// Bytes of a header, as far as they have come.
    Header(Vec<u8>),
    Body,
    /// Bytes of a trailer, as far as they have come.
    Trailer(Vec<u8>),
    /// A member ended; nothing, zeros or another member may follow.
    Between,
}

/// A reader of a gzip file.
pub struct GzipReader {
    file: File,
    input: Box<[u8]>,
    start: usize,
    end: usize,
    /// Of `input[start]` in the file.
    input_offset: u64,
    state: State,
    inflater: Inflater,
    member_crc: crc32fast::Hasher,
    member_bytes: u32,
    output_offset: u64,
    last_point: u64,
    points: Vec<Point>,
    members: u64,
}

impl GzipReader {
    /// From the first byte.
    pub fn new(mut file: File) -> io::Result<GzipReader> {
        file.seek(SeekFrom::Start(0))?;
        Ok(GzipReader {
            file,
            input: INPUTS.take().unwrap_or_else(|| vec![0; INPUT_BYTES].into_boxed_slice()),
            start: 0,
            end: 0,
            input_offset: 0,
            state: State::Header(Vec::new()),
            inflater: Inflater::new(),
            member_crc: crc32fast::Hasher::new(),
            member_bytes: 0,
            output_offset: 0,
            last_point: 0,
            points: Vec::new(),
            members: 0,
        })
    }

    /// From a point; `None` when the file is not the one that it was made of.
    pub fn resumed(file: File, point: &Point) -> Option<GzipReader> {
        if point.window.is_empty() || guard(&file, point.input_offset).ok()? != point.guard {
            return None;
        }
        let mut byte = [0u8];
        if point.bits > 0 {
            file.read_exact_at(&mut byte, point.input_offset.checked_sub(1)?).ok()?;
        }
        let inflater = Inflater::resumed(point.bits, byte[0], &point.window).ok()?;
        let mut reader = GzipReader::new(file).ok()?;
        reader.file.seek(SeekFrom::Start(point.input_offset)).ok()?;
        reader.input_offset = point.input_offset;
        reader.inflater = inflater;
        reader.state = State::Body;
        reader.member_crc = crc32fast::Hasher::new_with_initial(point.member_crc);
        reader.member_bytes = point.member_bytes;
        reader.output_offset = point.output_offset;
        reader.last_point = point.output_offset;
        Some(reader)
    }

    /// Decompressed bytes given so far.
    pub fn output_offset(&self) -> u64 {
        self.output_offset
    }

    /// Points made since the last call.
    pub fn take_points(&mut self) -> Vec<Point> {
        std::mem::take(&mut self.points)
    }

    /// Decompresses into a part of the buffer.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<Got, SourceError> {
        loop {
            if self.start == self.end && !self.fill()? {
                return match self.state {
                    // A file that ends between members is complete, unless it is empty.
                    State::Between => Ok(Got::End),
                    // What was decoded and had no room in the last buffer comes without more input.
                    State::Body => Ok(match self.inflate(buffer)? {
                        0 => Got::NoMoreYet,
                        n => Got::Bytes(n),
                    }),
                    _ => Ok(Got::NoMoreYet),
                };
            }
            match &mut self.state {
                State::Header(_) => self.header()?,
                State::Body => {
                    let n = self.inflate(buffer)?;
                    if n > 0 {
                        return Ok(Got::Bytes(n));
                    }
                }
                State::Trailer(_) => self.trailer()?,
                State::Between => self.between()?,
            }
        }
    }

    /// Reads on; false at the file's end.
    fn fill(&mut self) -> io::Result<bool> {
        let n = retried(|| self.file.read(&mut self.input))?;
        self.start = 0;
        self.end = n;
        Ok(n > 0)
    }

    fn advance(&mut self, bytes: usize) {
        self.start += bytes;
        self.input_offset += bytes as u64;
    }

    fn damaged(&self, what: &str) -> SourceError {
        SourceError::Damaged(format!("{what} [compressed_offset={}]", self.input_offset))
    }

    /// Takes one byte of a header; what it means is decided when enough have come.
    fn header(&mut self) -> Result<(), SourceError> {
        let byte = self.input[self.start];
        let State::Header(bytes) = &mut self.state else { return Ok(()) };
        bytes.push(byte);
        let is_wrong = match bytes.len() {
            1 => byte != 0x1f,
            2 => byte != 0x8b,
            3 => byte != 8,
            4 => byte & 0xe0 != 0,
            _ => false,
        };
        // A name or a comment ends with a zero, and a checksum may follow: who looked at each byte would read
        // a long name as often as it has bytes.
        let has_text = bytes.get(3).is_none_or(|flags| flags & (FLAG_NAME | FLAG_COMMENT) != 0);
        let may_end = !has_text || bytes.iter().rev().take(3).any(|byte| *byte == 0);
        let is_complete = may_end && header_bytes(bytes) == Some(bytes.len());
        // Extra fields, name and comment have no use here and may not take memory at will.
        let is_long = bytes.len() > 256 * 1024;
        self.advance(1);
        if is_wrong || is_long {
            return Err(self.damaged("not a gzip header"));
        }
        if is_complete {
            self.state = State::Body;
            self.inflater.reset();
            self.member_crc = crc32fast::Hasher::new();
            self.member_bytes = 0;
        }
        Ok(())
    }

    fn inflate(&mut self, buffer: &mut [u8]) -> Result<usize, SourceError> {
        let wants_point = self.output_offset - self.last_point >= POINT_EVERY;
        let step = self
            .inflater
            .step(&self.input[self.start..self.end], buffer, wants_point)
            .map_err(|Damaged| self.damaged("not a deflate stream"))?;
        let out = &buffer[..step.produced];
        self.member_crc.update(out);
        self.member_bytes = self.member_bytes.wrapping_add(u32::try_from(out.len()).unwrap_or(u32::MAX));
        self.output_offset += step.produced as u64;
        self.advance(step.consumed);
        if step.is_end {
            self.state = State::Trailer(Vec::new());
        } else if let (true, Some(bits)) = (wants_point, step.boundary_bits) {
            self.point(bits)?;
        }
        Ok(step.produced)
    }

    fn point(&mut self, bits: u8) -> Result<(), SourceError> {
        self.points.push(Point {
            input_offset: self.input_offset,
            bits,
            output_offset: self.output_offset,
            member_bytes: self.member_bytes,
            member_crc: self.member_crc.clone().finalize(),
            guard: guard(&self.file, self.input_offset)?,
            window: self.inflater.window(),
        });
        self.last_point = self.output_offset;
        Ok(())
    }

    fn trailer(&mut self) -> Result<(), SourceError> {
        let byte = self.input[self.start];
        let State::Trailer(bytes) = &mut self.state else { return Ok(()) };
        bytes.push(byte);
        let whole: Option<[u8; 8]> = bytes[..].try_into().ok();
        self.advance(1);
        let Some(whole) = whole else { return Ok(()) };
        let (crc, length) = whole.split_at(4);
        if crc != self.member_crc.clone().finalize().to_le_bytes() {
            return Err(self.damaged("CRC-32 does not match"));
        }
        if length != self.member_bytes.to_le_bytes() {
            return Err(self.damaged("length does not match"));
        }
        self.members += 1;
        self.state = State::Between;
        Ok(())
    }

    /// Another member, or padding. What is neither can't be read; gzip(1) warns of it, and so it is told of.
    fn between(&mut self) -> Result<(), SourceError> {
        match self.input[self.start] {
            0x1f => self.state = State::Header(Vec::new()),
            0 => self.advance(1),
            _ => return Err(self.damaged("what is behind the last member is none")),
        }
        Ok(())
    }
}

impl Drop for GzipReader {
    fn drop(&mut self) {
        INPUTS.give(std::mem::take(&mut self.input));
    }
}

/// The length of the header that begins so; `None` when more bytes are needed to tell.
fn header_bytes(bytes: &[u8]) -> Option<usize> {
    let flags = *bytes.get(3)?;
    let mut length = 10;
    if flags & FLAG_EXTRA != 0 {
        let extra = bytes.get(length..length + 2)?;
        length += 2 + usize::from(u16::from_le_bytes([extra[0], extra[1]]));
    }
    for flag in [FLAG_NAME, FLAG_COMMENT] {
        if flags & flag != 0 {
            length += memchr::memchr(0, bytes.get(length..)?)? + 1;
        }
    }
    if flags & FLAG_CRC != 0 {
        length += 2;
    }
    Some(length).filter(|l| bytes.len() >= *l)
}

#[cfg(test)]
#[path = "gzip_test.rs"]
mod tests;
