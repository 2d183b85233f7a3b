//! Reads zstd files: frames one after the other, from the beginning of any of them, while they are
//! still being written too.

use super::point::{Point, guard};
use super::source::{Got, SourceError, retried};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

/// A frame may ask for a window of so many bits: 32 MiB. A frame that asks for more is refused,
/// because the file, not its reader, would decide how much memory is used.
const WINDOW_LOG_MAX: u32 = 25;

/// Compressed bytes read at once.
const INPUT_BYTES: usize = 128 << 10;

/// A point is made at the first frame that begins so many decompressed bytes behind the last one.
const POINT_EVERY: u64 = 16 << 20;

/// A reader of a zstd file.
///
/// The decoder gives nothing of a step in which it finds damage, although what is before the damage
/// is sound. So a damaged frame is read once more, a byte at a step, from where the steps were whole.
pub struct ZstdReader {
    file: File,
    decoder: Decoder<'static>,
    input: Box<[u8]>,
    start: usize,
    end: usize,
    /// Of `input[start]` in the file.
    input_offset: u64,
    output_offset: u64,
    /// Where the current frame begins, compressed and decompressed.
    frame: (u64, u64),
    is_inside: bool,
    /// The last buffer was filled: there may be more without more input.
    is_holding: bool,
    is_careful: bool,
    last_point: u64,
    points: Vec<Point>,
}

impl ZstdReader {
    /// From the first byte.
    pub fn new(file: File) -> io::Result<ZstdReader> {
        ZstdReader::at(file, (0, 0))
    }

    /// From a point; `None` when the file is not the one that it was made of.
    pub fn resumed(file: File, point: &Point) -> Option<ZstdReader> {
        let is_between_frames = point.window.is_empty() && point.bits == 0;
        if !is_between_frames || guard(&file, point.input_offset).ok()? != point.guard {
            return None;
        }
        ZstdReader::at(file, (point.input_offset, point.output_offset)).ok()
    }

    /// From the beginning of a frame.
    fn at(mut file: File, frame: (u64, u64)) -> io::Result<ZstdReader> {
        file.seek(SeekFrom::Start(frame.0))?;
        Ok(ZstdReader {
            file,
            decoder: decoder()?,
            input: vec![0; INPUT_BYTES].into_boxed_slice(),
            start: 0,
            end: 0,
            input_offset: frame.0,
            output_offset: frame.1,
            frame,
            is_inside: false,
            is_holding: false,
            is_careful: false,
            last_point: frame.1,
            points: Vec::new(),
        })
    }

    /// Decompressed bytes before what comes next.
    pub fn output_offset(&self) -> u64 {
        self.output_offset
    }

    /// Points made since the last call.
    pub fn take_points(&mut self) -> Vec<Point> {
        std::mem::take(&mut self.points)
    }

    /// Decompresses into a part of the buffer.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<Got, SourceError> {
        match self.step(buffer) {
            Err(SourceError::Damaged(_)) if !self.is_careful => {
                self.again()?;
                self.step(buffer)
            }
            other => other,
        }
    }

    /// Goes back to the beginning of the frame, and carefully to where it was.
    fn again(&mut self) -> Result<(), SourceError> {
        let mut again = self.output_offset - self.frame.1;
        self.file.seek(SeekFrom::Start(self.frame.0))?;
        self.decoder = decoder()?;
        (self.start, self.end) = (0, 0);
        (self.input_offset, self.output_offset) = self.frame;
        (self.is_inside, self.is_holding, self.is_careful) = (false, false, true);
        let mut scratch = vec![0u8; 64 * 1024];
        while again > 0 {
            let most = scratch.len().min(usize::try_from(again).unwrap_or(usize::MAX));
            match self.step(&mut scratch[..most])? {
                Got::Bytes(n) => again -= n as u64,
                _ => return Err(SourceError::NotYet), // it was cut in this moment
            }
        }
        Ok(())
    }

    fn step(&mut self, buffer: &mut [u8]) -> Result<Got, SourceError> {
        loop {
            if self.start == self.end && !self.is_holding && !self.fill()? {
                return Ok(if self.is_inside { Got::NoMoreYet } else { Got::End });
            }
            let most = if self.is_careful { 1 } else { self.input.len() };
            let mut input = InBuffer::around(&self.input[self.start..self.end.min(self.start + most)]);
            let mut output = OutBuffer::around(&mut *buffer);
            let left = self
                .decoder
                .run(&mut input, &mut output)
                .map_err(|e| SourceError::Damaged(format!("{e} [compressed_offset={}]", self.input_offset)))?;
            let (consumed, produced) = (input.pos(), output.pos());
            self.start += consumed;
            self.input_offset += consumed as u64;
            self.output_offset += produced as u64;
            self.is_inside = left > 0;
            self.is_holding = self.is_inside && produced == buffer.len();
            if !self.is_inside {
                self.frame = (self.input_offset, self.output_offset);
                self.is_careful = false;
                self.point()?;
            }
            if produced > 0 {
                return Ok(Got::Bytes(produced));
            }
        }
    }

    /// Reads on; false at the file's end.
    fn fill(&mut self) -> io::Result<bool> {
        let n = retried(|| self.file.read(&mut self.input))?;
        (self.start, self.end) = (0, n);
        Ok(n > 0)
    }

    fn point(&mut self) -> io::Result<()> {
        if self.output_offset - self.last_point >= POINT_EVERY {
            self.points.push(Point {
                input_offset: self.input_offset,
                bits: 0,
                output_offset: self.output_offset,
                member_bytes: 0,
                member_crc: 0,
                guard: guard(&self.file, self.input_offset)?,
                window: Vec::new(),
            });
            self.last_point = self.output_offset;
        }
        Ok(())
    }
}

fn decoder() -> io::Result<Decoder<'static>> {
    let mut decoder = Decoder::new()?;
    decoder.set_parameter(DParameter::WindowLogMax(WINDOW_LOG_MAX))?;
    Ok(decoder)
}

#[cfg(test)]
#[path = "zstd_test.rs"]
mod tests;
