//! Reads one file in turns, from where it was delivered to its end, and waits there for more.

mod rewound;

use super::emit::Emit;
use super::head::{is_known_as, still};
use super::in_hand::InHand;
use super::lines::Lines;
use super::parse::Chain;
use super::room::Room;
use super::settings::InputSettings;
use super::source::{Compression, Got, Source, SourceError};
use super::stat::{self, Named, Stat};
use super::tail::Tail;
pub use super::turn::{Reason, Turn};
use crate::ack::Delivered;
use crate::event::body::Encoder;
use crate::metrics::{self, count};
use crate::output::batch::{Closed, Filler};
use crate::registry::{Ended, Identity};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// So much is read in one turn, then other files have theirs.
const TURN_BYTES: usize = 2 << 20;

/// A line without an end of which more has come is read again when its end may be there.
const CARRIED_IDLE_MAX: usize = 4 << 10;

/// Reads one file.
pub struct Harvester {
    /// Its number in the registry.
    pub entry: u64,
    /// Where it was found.
    pub path: PathBuf,
    /// How it is compressed.
    pub compression: Compression,
    identity: Identity,
    settings: Arc<InputSettings>,
    source: Option<Source>,
    lines: Lines,
    chain: Option<Chain>,
    encoder: Encoder,
    in_hand: Arc<InHand>,
    /// Handed to the output, with what was dropped.
    marked: u64,
    pause: Duration,
    read_at: Instant,
    opened_at: Option<Instant>,
    /// The file before what it has was read: when it was opened, or something had come.
    before: Option<Stat>,
    /// What was read of it and let go.
    tail: Option<Tail>,
    /// Zeros at its end that were seen before what is being read came.
    room: Option<Room>,
    /// Zeros before this were waited for, when there is something behind them.
    passed_to: u64,
    /// How long that is.
    patience: Duration,
}

impl Harvester {
    /// A file that is opened at its first turn.
    pub fn new(
        path: PathBuf,
        compression: Compression,
        identity: Identity,
        settings: Arc<InputSettings>,
        encoder: Encoder,
        in_hand: Arc<InHand>,
        offset: u64,
    ) -> Harvester {
        Harvester {
            entry: in_hand.entry(),
            path,
            compression,
            identity,
            source: None,
            lines: Lines::new(settings.events.encoding, settings.events.message_bytes_max, offset),
            chain: settings.events.parsers.begin(),
            encoder,
            in_hand,
            marked: offset,
            pause: settings.backoff.0,
            read_at: Instant::now(),
            opened_at: None,
            before: None,
            tail: None,
            room: None,
            passed_to: 0,
            patience: rewound::patience(&settings.closing),
            settings,
        }
    }

    /// Whether it is open.
    pub fn is_open(&self) -> bool {
        self.source.is_some()
    }

    /// Lets go of the decompressor and the file; the next turn opens it again where it was.
    pub fn park(&mut self) {
        if self.source.take().is_some() {
            self.count_closed();
        }
    }

    fn count_closed(&self) {
        count(&metrics::FILES_CLOSED, 1);
        metrics::uncount(&metrics::FILES_ACTIVE, 1);
        if self.compression != Compression::None {
            count(&metrics::GZIP_FILES_CLOSED, 1);
        }
    }

    /// Reads some.
    ///
    /// # Errors
    /// The output takes nothing any more.
    pub fn turn(&mut self, buffer: &mut [u8], filler: &mut Filler) -> Result<Turn, Closed> {
        let turn = match self.try_turn(buffer, filler) {
            Ok(turn) => turn?,
            Err(SourceError::Io(e)) if e.kind() == std::io::ErrorKind::NotFound => Turn::Closed(Reason::Removed),
            Err(SourceError::NotYet) => {
                self.park();
                let is_over = self.is_inactive() || self.settings.closing.on_eof;
                if is_over { Turn::Closed(Reason::Unfinished) } else { self.idle() }
            }
            Err(SourceError::Io(e)) => {
                // Too many open files, a file system that is away: it may come right.
                metrics::warning(
                    "can't read a file, trying again later",
                    &[("path", &self.shown_path()), ("reason", &e.to_string())],
                );
                self.park();
                self.idle()
            }
            Err(SourceError::Damaged(what)) => {
                self.damaged(&what, filler)?;
                Turn::Closed(Reason::Damaged)
            }
        };
        if let Turn::Closed(reason) = turn {
            self.park();
            metrics::debug("closed a file", &[("path", &self.shown_path()), ("reason", &format!("{reason:?}"))]);
        }
        Ok(turn)
    }

    fn shown_path(&self) -> String {
        self.path.display().to_string()
    }

    /// What is sound was delivered; the rest never will be, so the file counts as read.
    fn damaged(&mut self, what: &str, filler: &mut Filler) -> Result<(), Closed> {
        count(&metrics::GZIP_ERRORS, 1);
        metrics::error(
            "a compressed file is damaged: what is before the damage was read, the rest can't be",
            &[("path", &self.shown_path()), ("reason", what), ("offset", &self.lines.offset().to_string())],
        );
        self.finish(filler, true)
    }

    fn try_turn(&mut self, buffer: &mut [u8], filler: &mut Filler) -> Result<Result<Turn, Closed>, SourceError> {
        if !self.open()? {
            return Ok(Ok(Turn::Closed(Reason::Replaced)));
        }
        if self.is_rewound()? {
            return Ok(self.at_end(0, filler));
        }
        let mut read = 0;
        while read < TURN_BYTES {
            let source = self.source.as_mut().expect("it was opened");
            let got = source.read(buffer)?;
            match got {
                Got::Bytes(n) => {
                    let gap = self.gap(&buffer[..n])?;
                    let n = gap.as_ref().map_or(n, |(start, _)| self.bytes_before(*start));
                    if self.is_replaced(n)? {
                        // What waits in parsers may be in no file any more.
                        return Ok(self.flush(filler).map(|()| Turn::Closed(Reason::Replaced)));
                    }
                    read += n;
                    if let Err(closed) = self.take(&buffer[..n], filler) {
                        return Ok(Err(closed));
                    }
                    let is_gap = gap.is_some();
                    if let Some((_, tail)) = gap {
                        self.wait_for(tail)?;
                    }
                    if is_gap || self.is_at_room() {
                        return Ok(self.at_end(read, filler));
                    }
                }
                Got::NoMoreYet => {
                    self.room = None;
                    return Ok(self.at_end(read, filler));
                }
                Got::End => {
                    return Ok(self.finish(filler, false).map(|()| Turn::Closed(Reason::Ended)));
                }
            }
        }
        self.read_at = Instant::now();
        self.pause = self.settings.backoff.0;
        if self.is_over_time() {
            return Ok(Ok(Turn::Closed(Reason::Interval)));
        }
        Ok(Ok(Turn::More))
    }

    fn is_over_time(&self) -> bool {
        let limit = self.settings.closing.after_interval;
        !limit.is_zero() && self.opened_at.is_some_and(|at| at.elapsed() >= limit)
    }

    /// Opens it when it is not; false when what has its name now is another file.
    fn open(&mut self) -> Result<bool, SourceError> {
        if self.source.is_some() {
            return Ok(true);
        }
        let (file, metadata) = stat::open(&self.path)?;
        let opened = Stat::of(&metadata);
        (self.before, self.room) = (Some(opened), None);
        if let Identity::Inode(device, inode) = &self.identity
            && opened.inode != (*device, *inode)
        {
            return Ok(false); // names moved on while it waited for its turn
        }
        if !is_known_as(&file, self.compression, &self.identity, self.settings.identified_by)? {
            return Ok(false);
        }
        let point = match self.compression {
            Compression::None => None,
            _ => self.in_hand.kept_point(),
        };
        self.source = Some(Source::open(file, self.compression, self.lines.offset(), point)?);
        self.opened_at.get_or_insert_with(Instant::now);
        count(&metrics::FILES_OPENED, 1);
        count(&metrics::FILES_ACTIVE, 1);
        if self.compression != Compression::None {
            count(&metrics::GZIP_FILES_OPENED, 1);
        }
        Ok(true)
    }

    /// Whether the `n` bytes that were just read belong to another content: the file was copied and
    /// truncated. The scanner finds the copy by its first bytes, and what is new by its own.
    fn is_replaced(&mut self, n: usize) -> std::io::Result<bool> {
        let Some(file) = self.source.as_ref().and_then(Source::plain) else { return Ok(false) };
        let read = self.lines.offset() + n as u64;
        match still(file, &self.identity, self.settings.identified_by, read)? {
            None => Ok(true),
            Some(identity) => {
                self.identity = identity;
                Ok(false)
            }
        }
    }

    fn take(&mut self, bytes: &[u8], filler: &mut Filler) -> Result<(), Closed> {
        count(&metrics::BYTES_READ, bytes.len() as u64);
        if self.compression != Compression::None {
            count(&metrics::GZIP_BYTES_READ, bytes.len() as u64);
            let points = self.source.as_mut().map(Source::take_points).unwrap_or_default();
            self.in_hand.add_points(points);
        }
        let mut emit =
            Emit::new(&mut self.chain, &mut self.encoder, filler, &self.settings, &self.in_hand, &mut self.marked);
        self.lines.push(bytes, |line| emit.line(&line));
        let (result, messages) = (emit.result, emit.messages);
        self.count_messages(messages);
        result?;
        self.mark(filler, false)
    }

    fn count_messages(&self, messages: u64) {
        count(&metrics::MESSAGES_READ, messages);
        if self.compression != Compression::None {
            count(&metrics::GZIP_MESSAGES_READ, messages);
        }
    }

    /// Everything up to the line that has begun is on its way, or dropped.
    fn mark(&mut self, filler: &mut Filler, is_complete: bool) -> Result<(), Closed> {
        let waits = self.chain.as_ref().and_then(Chain::waiting_start).unwrap_or(u64::MAX);
        let to = self.lines.line_start().min(waits);
        if to > self.marked || is_complete {
            self.marked = to;
            self.in_hand.begin(filler, Delivered { offset: to, is_complete });
        }
        if filler.is_full() { filler.seal() } else { Ok(()) }
    }

    /// An archive ends here: the last line needs no end.
    fn finish(&mut self, filler: &mut Filler, is_damaged: bool) -> Result<(), Closed> {
        self.give_last(filler)?;
        if let Some(before) = self.before {
            self.in_hand.ends(Ended { bytes: before.size, is_damaged });
        }
        self.mark(filler, true)
    }

    fn give_last(&mut self, filler: &mut Filler) -> Result<(), Closed> {
        let mut emit =
            Emit::new(&mut self.chain, &mut self.encoder, filler, &self.settings, &self.in_hand, &mut self.marked);
        self.lines.finish(|line| emit.line(&line));
        emit.flush();
        let (result, messages) = (emit.result, emit.messages);
        self.count_messages(messages);
        result
    }

    /// What waits in parsers is whole.
    fn flush(&mut self, filler: &mut Filler) -> Result<(), Closed> {
        let mut emit =
            Emit::new(&mut self.chain, &mut self.encoder, filler, &self.settings, &self.in_hand, &mut self.marked);
        emit.flush();
        let (result, messages) = (emit.result, emit.messages);
        self.count_messages(messages);
        result?;
        self.mark(filler, false)
    }

    fn idle(&mut self) -> Turn {
        let wait = self.chain.as_ref().and_then(|c| c.wait(Instant::now()));
        let next = (self.pause * 2).min(self.settings.backoff.1);
        let pause = std::mem::replace(&mut self.pause, next);
        Turn::Idle(wait.map_or(pause, |w| w.min(pause)))
    }

    fn at_end(&mut self, read: usize, filler: &mut Filler) -> Result<Turn, Closed> {
        if read > 0 {
            self.read_at = Instant::now();
            self.pause = self.settings.backoff.0;
        }
        if self.chain.as_ref().and_then(|c| c.wait(Instant::now())) == Some(Duration::ZERO) {
            self.flush(filler)?;
        }
        let plain = self.source.as_ref().and_then(Source::plain);
        let name = plain.map(|file| stat::named(file, &self.path, self.read_to()));
        if name == Some(Named::Removed) {
            self.room = None; // all of it is read, once
        }
        let is_long = self.lines.carried() > CARRIED_IDLE_MAX || self.lines.room_start().is_some();
        if is_long && !matches!(name, None | Some(Named::Removed)) {
            self.rewind();
        }
        if let Some(reason) = self.reason_to_close(name, read) {
            match reason {
                // Nobody finds it any more: what it has is all that it will ever have.
                _ if name == Some(Named::Removed) => {
                    self.give_last(filler)?;
                    self.mark(filler, false)?;
                }
                Reason::Renamed => {} // goes on under its other name
                _ => self.flush(filler)?,
            }
            return Ok(Turn::Closed(reason.of(self.compression != Compression::None)));
        }
        if self.compression != Compression::None {
            self.park();
        }
        Ok(self.idle())
    }

    /// Whether a file of which nothing more can be read now is closed.
    fn reason_to_close(&self, name: Option<Named>, read: usize) -> Option<Reason> {
        let closing = &self.settings.closing;
        match name {
            // A line that was let go is read again first.
            Some(Named::Removed) if closing.removed && read == 0 && self.tail.is_none() => Some(Reason::Removed),
            Some(Named::Truncated) => Some(Reason::Truncated),
            Some(Named::Renamed) if closing.renamed => Some(Reason::Renamed),
            _ if closing.on_eof => Some(Reason::AtEnd),
            _ if self.is_inactive() || self.is_over_time() => Some(Reason::Inactive),
            _ => None,
        }
    }

    fn is_inactive(&self) -> bool {
        let limit = self.settings.closing.inactive;
        !limit.is_zero() && self.read_at.elapsed() >= limit
    }
}

#[cfg(test)]
#[path = "harvester_test.rs"]
mod tests;
