//! What is behind the lines of a file that was read to its end, and is not kept in memory: the beginning
//! of a line that has no end yet, or zeros, in the place of which lines may be written yet.

use super::head::read_at_most;
use super::stat::Stat;
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;

/// Behind the lines of a file.
pub(super) struct Tail {
    /// Where the file ended.
    end: u64,
    /// Where its zeros begin.
    room: Option<u64>,
    /// The file when the first of these was looked at last.
    seen: Option<Stat>,
}

impl Tail {
    /// Up to the end of a file, as far as it was read.
    pub(super) fn new(end: u64, room: Option<u64>) -> Tail {
        Tail { end, room, seen: None }
    }

    /// Whether nothing came: to a line, when the file has not grown; to zeros, when the first
    /// is still one. That of a file without a name is wanted.
    pub(super) fn is_same(&mut self, file: &File) -> io::Result<bool> {
        let metadata = file.metadata()?;
        if metadata.len() > self.end || metadata.nlink() == 0 {
            return Ok(false);
        }
        if let Some(room) = self.room {
            let mut first = [1];
            read_at_most(file, &mut first, room)?;
            self.seen = Some(Stat::of(&metadata)).filter(|_| first == [0]);
        }
        Ok(self.room.is_none() || self.seen.is_some())
    }

    /// How far the file counts as read.
    pub(super) fn read_to(&self) -> u64 {
        self.room.unwrap_or(self.end)
    }

    /// The file before its room was found as it had been.
    pub(super) fn seen(&self) -> Option<Stat> {
        self.seen
    }
}
