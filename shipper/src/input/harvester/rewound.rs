//! What a reader lets go of at the end of a file, or before zeros that may be filled yet, and how it goes on
//! from there.

use super::Harvester;
use crate::input::room::Wait;
use crate::input::settings::Closing;
use crate::input::source::{Compression, Source};
use crate::input::stat::{Left, Stat};
use crate::input::tail::Tail;
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

/// Zeros with lines behind them are waited for so long.
const PATIENCE: Duration = Duration::from_secs(5);

/// In a file that was not changed for so long they are not. What is written to mapped memory may change a
/// file half a minute later.
const SETTLED: Duration = Duration::from_mins(5);

/// How long that is with some settings: a file must not be closed each time before it is over.
pub(super) fn patience(closing: &Closing) -> Duration {
    if closing.on_eof {
        return Duration::ZERO;
    }
    let limits = [closing.inactive, closing.after_interval].into_iter().filter(|limit| !limit.is_zero());
    limits.map(|limit| limit / 2).fold(PATIENCE, Duration::min)
}

impl Harvester {
    /// The file as it is left, for whoever decides whether it is opened again.
    pub fn left(&self) -> Option<Left> {
        let before = self.before?;
        Some(match (self.compression, self.tail.as_ref().and_then(Tail::seen)) {
            (Compression::None, None) => Left::Plain { inode: before.inode, read: self.read_to() },
            (_, room) => Left::Seen(room.unwrap_or(before)),
        })
    }

    /// How far it was read, whether or not all of it is kept.
    pub(super) fn read_to(&self) -> u64 {
        self.tail.as_ref().map_or_else(|| self.lines.read_to(), Tail::read_to)
    }

    fn wait(&self) -> Wait {
        Wait { now: Instant::now(), patience: self.patience }
    }

    /// Lets go of the beginning of a line, since thousands of files may have one, and its end may never come;
    /// and of zeros, in the place of which there may be lines soon.
    pub(super) fn rewind(&mut self) {
        let (offset, room_start) = (self.lines.offset(), self.lines.room_start());
        if let Some(before) = self.before
            && self.seek_back().is_ok()
        {
            self.tail = Some(Tail::new(offset, room_start, self.room.take(), before));
        }
    }

    fn seek_back(&mut self) -> io::Result<()> {
        if let Some(mut file) = self.source.as_ref().and_then(Source::plain) {
            file.seek(SeekFrom::Start(self.lines.rewinds_to()))?;
            self.lines.rewind();
        }
        Ok(())
    }

    /// Whether nothing came to what was let go.
    pub(super) fn is_rewound(&mut self) -> io::Result<bool> {
        let wait = self.wait();
        let file = self.source.as_ref().and_then(Source::plain);
        let (Some(file), Some(tail)) = (file, &mut self.tail) else { return Ok(false) };
        let metadata = file.metadata()?;
        let is_same = tail.is_same(file, &metadata, wait)?;
        if !is_same {
            self.passed_to = self.passed_to.max(tail.passed_to().unwrap_or(0));
            self.room = self.tail.take().and_then(Tail::into_room);
            self.before = Some(Stat::of(&metadata));
        }
        Ok(is_same)
    }

    /// Whether what came in the place of zeros was read: behind it are zeros that were seen before.
    pub(super) fn is_at_room(&self) -> bool {
        let (Some(room), Some(start)) = (&self.room, self.lines.room_start()) else { return false };
        room.begins(start, self.lines.offset())
    }

    /// Whether among bytes that were just read are zeros with something behind them, which may be filled yet:
    /// where they begin, and how they are waited for.
    pub(super) fn gap(&self, bytes: &[u8]) -> io::Result<Option<(u64, Tail)>> {
        let Some(file) = self.source.as_ref().and_then(Source::plain) else { return Ok(None) };
        if self.patience.is_zero() {
            return Ok(None);
        }
        let Some(gap) = self.lines.gap(bytes, self.passed_to) else { return Ok(None) };
        let metadata = file.metadata()?;
        let age = metadata.modified()?.elapsed().unwrap_or_default();
        if metadata.nlink() == 0 || age >= SETTLED {
            return Ok(None); // nobody writes to it any more
        }
        Ok(Some((gap.0, Tail::gap(gap, Stat::of(&metadata), self.wait()))))
    }

    /// Of bytes that were just read those before `start`, which may lie before all of them.
    pub(super) fn bytes_before(&self, start: u64) -> usize {
        usize::try_from(start.saturating_sub(self.lines.offset())).expect("they are in memory")
    }

    /// Goes back to the beginning of a line, or of zeros, that are waited for.
    pub(super) fn wait_for(&mut self, tail: Tail) -> io::Result<()> {
        self.seek_back()?;
        (self.tail, self.room) = (Some(tail), None);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_closed_before_zeros_were_waited_for() {
        let closing = |inactive, after_interval, on_eof| Closing {
            inactive: Duration::from_secs(inactive),
            on_eof,
            removed: true,
            renamed: false,
            after_interval: Duration::from_secs(after_interval),
        };
        for (settings, seconds) in [
            (closing(300, 0, false), 5),
            (closing(0, 0, false), 5),
            (closing(4, 0, false), 2),
            (closing(300, 6, false), 3),
            (closing(300, 0, true), 0),
        ] {
            assert_eq!(patience(&settings), Duration::from_secs(seconds), "{settings:?}");
        }
    }
}
