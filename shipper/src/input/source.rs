//! The decompressed bytes of a file, in order, from any offset.

use super::gzip::GzipReader;
use super::point::Point;
use super::zstd_reader::ZstdReader;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// As it is.
    None,
    /// RFC 1952, one member or many.
    Gzip,
    /// RFC 8878, one frame or many.
    Zstd,
}

impl Compression {
    /// What the first bytes say; the name of a file says nothing.
    pub fn of(head: &[u8]) -> Compression {
        match head {
            [0x1f, 0x8b, ..] => Compression::Gzip,
            // A frame, or one that is stepped over, with which pzstd begins and seekable files may.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Compression::Zstd,
            _ => Compression::None,
        }
    }

    /// Whether these are all bytes of a file, and more of them may tell something else.
    pub fn may_change(head: &[u8]) -> bool {
        matches!(
            head,
            [] | [0x1f | 0x28 | 0x50..=0x5f]
                | [0x28, 0xb5]
                | [0x28, 0xb5, 0x2f]
                | [0x50..=0x5f, 0x2a]
                | [0x50..=0x5f, 0x2a, 0x4d]
        )
    }
}

/// Why no more bytes come.
#[derive(Debug)]
pub enum SourceError {
    /// The file can't be read now.
    Io(io::Error),
    /// What is in it is not what it says; says what and where.
    Damaged(String),
    /// It ends before the offset that was asked for, as of now: an archive that is being written.
    NotYet,
}

impl From<io::Error> for SourceError {
    fn from(e: io::Error) -> Self {
        SourceError::Io(e)
    }
}

impl std::fmt::Display for SourceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SourceError::Io(e) => write!(f, "{e}"),
            SourceError::Damaged(what) => write!(f, "damaged: {what}"),
            SourceError::NotYet => write!(f, "it is shorter than what was read of it earlier, and may grow"),
        }
    }
}

/// What a read gave.
#[derive(Debug, PartialEq, Eq)]
pub enum Got {
    /// So many bytes, at least one.
    Bytes(usize),
    /// The file ends here as of now; it may grow.
    NoMoreYet,
    /// An archive that is complete: its checksums are right and nothing follows.
    End,
}

/// A reader of one file.
pub enum Source {
    /// A plain file.
    Plain(File),
    /// A gzip file.
    Gzip(Box<GzipReader>),
    /// A zstd file.
    Zstd(Box<ZstdReader>),
}

impl Source {
    /// Opens at a decompressed offset. `point` saves reading what lies before it.
    pub fn open(
        mut file: File,
        compression: Compression,
        offset: u64,
        point: Option<Point>,
    ) -> Result<Source, SourceError> {
        let point = point.filter(|p| p.output_offset() <= offset);
        let mut source = match compression {
            Compression::None => {
                file.seek(SeekFrom::Start(offset))?;
                return Ok(Source::Plain(file));
            }
            Compression::Gzip => {
                let resumed = match &point {
                    Some(point) => GzipReader::resumed(file.try_clone()?, point),
                    None => None,
                };
                Source::Gzip(Box::new(resumed.map_or_else(|| GzipReader::new(file), Ok)?))
            }
            Compression::Zstd => {
                let resumed = match &point {
                    Some(point) => ZstdReader::resumed(file.try_clone()?, point),
                    None => None,
                };
                Source::Zstd(Box::new(resumed.map_or_else(|| ZstdReader::new(file), Ok)?))
            }
        };
        let from = match &source {
            Source::Plain(_) => 0,
            Source::Gzip(gzip) => gzip.output_offset(),
            Source::Zstd(zstd) => zstd.output_offset(),
        };
        source.skip(offset - from)?;
        Ok(source)
    }

    fn skip(&mut self, mut bytes: u64) -> Result<(), SourceError> {
        let mut scratch = vec![0u8; 64 * 1024];
        while bytes > 0 {
            let most = scratch.len().min(usize::try_from(bytes).unwrap_or(usize::MAX));
            match self.read(&mut scratch[..most])? {
                Got::Bytes(n) => bytes -= n as u64,
                Got::NoMoreYet => return Err(SourceError::NotYet),
                Got::End => {
                    return Err(SourceError::Damaged(format!(
                        "it ends {bytes} bytes before what was read of it earlier"
                    )));
                }
            }
        }
        Ok(())
    }

    /// Fills a part of the buffer.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<Got, SourceError> {
        match self {
            Source::Plain(file) => Ok(match retried(|| file.read(buffer))? {
                0 => Got::NoMoreYet,
                n => Got::Bytes(n),
            }),
            Source::Gzip(gzip) => gzip.read(buffer),
            Source::Zstd(zstd) => zstd.read(buffer),
        }
    }

    /// Places from which a later reader may go on, made since the last call.
    pub fn take_points(&mut self) -> Vec<Point> {
        match self {
            Source::Plain(_) => Vec::new(),
            Source::Gzip(gzip) => gzip.take_points(),
            Source::Zstd(zstd) => zstd.take_points(),
        }
    }

    /// The file, for plain ones.
    pub fn plain(&self) -> Option<&File> {
        match self {
            Source::Plain(file) => Some(file),
            _ => None,
        }
    }
}

/// Again when a signal came in between.
pub fn retried<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}
