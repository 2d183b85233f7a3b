//! How a file's turn ends, and why a file is closed.

use std::time::Duration;

/// How a turn ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Turn {
    /// There is more to read.
    More,
    /// Nothing new; look again after a while.
    Idle(Duration),
    /// It is not read any more.
    Closed(Reason),
}

/// Why a file is not read any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// An archive was read to its end.
    Ended,
    /// An archive is damaged; what is before the damage was read.
    Damaged,
    /// It has no name any more.
    Removed,
    /// It has another name.
    Renamed,
    /// Its bytes are another file's: the scanner finds out whose.
    Replaced,
    /// It is shorter than what was read of it.
    Truncated,
    /// Nothing came for `close.on_state_change.inactive`.
    Inactive,
    /// `close.reader.on_eof`.
    AtEnd,
    /// `close.reader.after_interval`.
    Interval,
    /// An archive that breaks off, of which more is not waited for.
    Unfinished,
}

impl Reason {
    /// Whether all that is there now was read, as far as it can be, and under no other name is more.
    pub fn is_end(self) -> bool {
        matches!(self, Reason::Ended | Reason::Damaged | Reason::Inactive | Reason::AtEnd | Reason::Unfinished)
    }

    /// The same of a file that may be an archive: one that is closed where no more comes has no end there.
    #[must_use]
    pub fn of(self, is_archive: bool) -> Reason {
        if is_archive { Reason::Unfinished } else { self }
    }
}
