//! What is behind the lines of a file that were read, and is not kept in memory: the beginning of a line that
//! has no end yet, or zeros, in the place of which lines may be written yet.

use super::room::{Room, Wait};
use super::stat::Stat;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;

/// Behind the lines of a file.
pub(super) struct Tail {
    /// Where the file ended.
    end: u64,
    /// Where its zeros begin, and what is known of them.
    room: Option<(u64, Room)>,
    /// It was not read to its end: there is something behind these zeros.
    is_gap: bool,
}

impl Tail {
    /// Of a file that was read up to `offset`, and whose zeros begin at `start`. `known` are zeros behind that,
    /// which were seen before; `before` is the file before it was read.
    pub(super) fn new(offset: u64, start: Option<u64>, known: Option<Room>, before: Stat) -> Tail {
        let room = start.map(|start| {
            let room = known.map_or_else(|| Room::new(offset, before), |known| known.shrunk(offset, before));
            (start, room)
        });
        Tail { end: room.as_ref().map_or(offset, |(_, room)| room.end()), room, is_gap: false }
    }

    /// Of a file that is as `before`, and was read up to zeros from `start` to `behind`.
    pub(super) fn gap((start, behind): (u64, u64), before: Stat, wait: Wait) -> Tail {
        let room = Room::between(behind, before.size, before, wait.now);
        Tail { end: before.size, room: Some((start, room)), is_gap: true }
    }

    /// Whether nothing came that is to be read: to a line, when the file has not grown; to zeros, when they still
    /// are. What a file without a name has is wanted. `metadata` are the file's.
    pub(super) fn is_same(&mut self, file: &File, metadata: &Metadata, wait: Wait) -> io::Result<bool> {
        let has_grown = metadata.len() > self.end && !self.is_gap;
        if has_grown || metadata.nlink() == 0 {
            self.room = None;
            return Ok(false);
        }
        match &mut self.room {
            Some((start, room)) => Ok(!room.is_filled(file, *start, Stat::of(metadata), wait)?),
            None => Ok(true),
        }
    }

    /// How far the file counts as read.
    pub(super) fn read_to(&self) -> u64 {
        self.room.as_ref().map_or(self.end, |(start, _)| *start)
    }

    /// The file before all of its zeros were found as they are.
    pub(super) fn seen(&self) -> Option<Stat> {
        self.room.as_ref()?.1.seen()
    }

    /// How far zeros between lines were waited for.
    pub(super) fn passed_to(&self) -> Option<u64> {
        self.room.as_ref().filter(|(_, room)| room.is_passed()).map(|_| self.end)
    }

    /// Zeros at the end that were seen before what came, and need not be read again.
    pub(super) fn into_room(self) -> Option<Room> {
        self.room.filter(|_| !self.is_gap).map(|(_, room)| room)
    }
}
