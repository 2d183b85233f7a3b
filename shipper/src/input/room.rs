//! Zeros at the end of a file: room that its writer has made, and fills with lines. There may be gigabytes of
//! them, so those that were seen are not read again for each line that comes: the first of them are looked at
//! every time, the others piece by piece, because nothing says in which order pages are written.
//!
//! When something is behind zeros, others may come in their place, of a writer that is slower or in a page that
//! is late. That is waited for; then they are passed over.

use super::head::read_at_most;
use super::lines::leading_zeros;
use super::stat::Stat;
use std::fs::File;
use std::io;
use std::time::{Duration, Instant};

/// Lines in the place of zeros have ended where so many zeros are behind them.
const NEAR_BYTES: usize = 64 << 10;

/// So much of what is behind those is looked at each time.
const PIECE_BYTES: u64 = 8 << 20;

/// How long zeros are waited for that have something behind them.
#[derive(Clone, Copy)]
pub(super) struct Wait {
    /// The time.
    pub(super) now: Instant,
    /// So long.
    pub(super) patience: Duration,
}

/// Zeros at the end of a file.
pub(super) struct Room {
    /// Where they end, and the file did.
    end: u64,
    /// The file before all of them were looked at.
    seen: Stat,
    /// The file before the look that goes on, and how far it has come.
    look: Option<(Stat, u64)>,
    /// Where something is behind those that are first, and since when that is known.
    behind: Option<(u64, Instant)>,
}

impl Room {
    /// Zeros of which all were read; `before` is the file before that.
    pub(super) fn new(end: u64, before: Stat) -> Room {
        Room { end, seen: before, look: None, behind: None }
    }

    /// Zeros with something behind them.
    pub(super) fn between(behind: u64, end: u64, before: Stat, now: Instant) -> Room {
        Room { behind: Some((behind, now)), ..Room::new(end, before) }
    }

    /// What is left of them when lines were read in their place, and some of them up to `offset`; `before` is
    /// the file before that.
    pub(super) fn shrunk(self, offset: u64, before: Stat) -> Room {
        let (before, at) = self.look.unwrap_or((before, offset));
        Room { look: Some((before, at.max(offset))), behind: None, ..self }
    }

    /// Where they end.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// The file before all of them were found as they are.
    pub(super) fn seen(&self) -> Option<Stat> {
        Some(self.seen).filter(|_| self.behind.is_none())
    }

    /// Whether lines end at `start`: up to `offset` are enough zeros, and those behind were seen before.
    pub(super) fn begins(&self, start: u64, offset: u64) -> bool {
        let is_known = self.behind.is_none_or(|(at, _)| at < start);
        is_known && offset <= self.end && offset >= start + NEAR_BYTES as u64
    }

    /// Whether there is something to be read in the place of these, which begin at `start`, or for so long only
    /// behind them that they are to be passed over. `now` is the file as it is.
    pub(super) fn is_filled(&mut self, file: &File, start: u64, now: Stat, wait: Wait) -> io::Result<bool> {
        let mut bytes = vec![0; NEAR_BYTES];
        let near = read_at_most(file, &mut bytes, start)?;
        match first(&bytes[..near]) {
            Some(0) => {
                self.behind = None;
                return Ok(true);
            }
            None if near == 0 => return Ok(true), // the file ends here now
            Some(n) => self.found(start + n as u64, wait.now),
            None if self.behind.is_some() => {}
            None => {
                if let Some(at) = self.piece(file, &mut bytes, start, now)? {
                    self.found(at, wait.now);
                }
            }
        }
        Ok(self.behind.is_some_and(|(_, since)| wait.now.duration_since(since) >= wait.patience))
    }

    /// Whether they are to be passed over: nothing came in their place.
    pub(super) fn is_passed(&self) -> bool {
        self.behind.is_some()
    }

    /// What comes before others that are known is waited for anew.
    fn found(&mut self, at: u64, now: Instant) {
        if self.behind.is_none_or(|(known, _)| known != at) {
            self.behind = Some((at, now));
        }
    }

    /// Looks at a piece; where something is.
    fn piece(&mut self, file: &File, bytes: &mut [u8], start: u64, now: Stat) -> io::Result<Option<u64>> {
        let (before, from) = match self.look {
            Some((before, at)) => (before, at.max(start)),
            None if self.seen == now => return Ok(None),
            None => (now, start),
        };
        let mut at = from;
        while at < self.end && at < from + PIECE_BYTES {
            let n = read_at_most(file, bytes, at)?;
            if let Some(n) = first(&bytes[..n]) {
                self.look = Some((before, at));
                return Ok(Some(at + n as u64));
            }
            at = if n < bytes.len() { self.end } else { at + n as u64 };
        }
        if at < self.end {
            self.look = Some((before, at));
        } else {
            (self.seen, self.look) = (before, None);
        }
        Ok(None)
    }
}

/// Where the first byte is that is no zero.
fn first(bytes: &[u8]) -> Option<usize> {
    Some(leading_zeros(bytes)).filter(|zeros| *zeros < bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::FileExt;

    const START: u64 = 4;
    const END: u64 = 20 << 20;
    const PATIENCE: Duration = Duration::from_secs(5);

    /// A file with room, and what is known of that.
    struct Case {
        file: File,
        room: Room,
        began: Instant,
    }

    impl Case {
        /// A file that was another when its zeros were seen.
        fn new() -> Case {
            let (file, other) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
            file.set_len(END).unwrap();
            Case { file, room: Room::new(END, stat(&other)), began: Instant::now() }
        }

        fn write(&self, text: &str, at: u64) {
            self.file.write_all_at(text.as_bytes(), at).unwrap();
        }

        fn is_filled_after(&mut self, time: Duration) -> bool {
            let wait = Wait { now: self.began + time, patience: PATIENCE };
            self.room.is_filled(&self.file, START, stat(&self.file), wait).unwrap()
        }

        fn is_filled(&mut self) -> bool {
            self.is_filled_after(Duration::ZERO)
        }
    }

    fn stat(file: &File) -> Stat {
        Stat::of(&file.metadata().unwrap())
    }

    #[test]
    fn what_is_written_at_the_beginning_is_read_at_once() {
        let mut case = Case::new();
        assert!(!case.is_filled());
        case.write("line\n", START);
        assert!(case.is_filled() && !case.room.is_passed());
        let read = START + 5 + NEAR_BYTES as u64;
        assert!(case.room.begins(START + 5, read), "the others were seen");
        assert!(!case.room.begins(START + 5, read - 1), "so few zeros may be between lines");
        assert!(!case.room.begins(START + 5, END + 1), "the file has grown");
        case.file.set_len(START).unwrap();
        assert!(case.is_filled(), "who reads finds whether it is truncated");
    }

    #[test]
    fn what_is_written_behind_others_is_found_wherever_it_is_and_has_to_wait() {
        for at in [START + 1, 100_000, 9 << 20, END - 1] {
            let mut case = Case::new();
            case.write("x", at);
            let mut looks = 0;
            while !case.room.is_passed() {
                assert!(!case.is_filled());
                looks += 1;
            }
            assert_eq!(looks, 1 + (at - START) / PIECE_BYTES, "each look has its piece");
            assert_eq!(case.room.seen(), None, "somebody has to look again");
            assert!(!case.is_filled_after(PATIENCE / 2));
            assert!(case.is_filled_after(PATIENCE));
            assert!(!case.room.begins(START, at), "it is behind these");
            let enough = at + 1 + NEAR_BYTES as u64;
            assert_eq!(case.room.begins(at + 1, enough), enough <= END);
        }
    }

    #[test]
    fn zeros_that_are_filled_while_others_wait_are_waited_for() {
        let mut case = Case::new();
        case.write("behind\n", START + 100);
        assert!(!case.is_filled());
        case.write("between\n", START + 50);
        assert!(!case.is_filled_after(PATIENCE), "the rest may come, too");
        case.write("first\n", START);
        assert!(case.is_filled_after(PATIENCE));
        assert!(!case.room.is_passed(), "what is between the first and those behind is waited for again");
    }

    #[test]
    fn a_file_that_has_not_changed_is_not_looked_at_again() {
        let mut case = Case::new();
        for _ in 0..END.div_ceil(PIECE_BYTES) {
            assert_ne!(case.room.seen(), Some(stat(&case.file)), "not all of it was looked at");
            assert!(!case.is_filled());
        }
        let seen = stat(&case.file);
        assert_eq!((case.room.seen(), case.room.look), (Some(seen), None));
        case.write("x", END - 1);
        let wait = Wait { now: case.began, patience: PATIENCE };
        assert!(!case.room.is_filled(&case.file, START, seen, wait).unwrap());
        assert_eq!(case.room.look, None, "what tells that it has changed is asked, not all of its bytes");
    }

    #[test]
    fn what_was_read_is_a_part_of_the_look_that_goes_on() {
        let mut case = Case::new();
        let now = stat(&case.file);
        case.room = case.room.shrunk(1 << 20, now);
        assert_eq!(case.room.look, Some((now, 1 << 20)));
        assert!(!case.is_filled());
        assert_eq!(case.room.look, Some((now, 9 << 20)));
        assert_eq!(case.room.shrunk(2 << 20, now).look, Some((now, 9 << 20)));
    }
}
