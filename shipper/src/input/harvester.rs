//! Reads one file in turns, from where it was delivered to its end, and waits there for more.

use super::head::is_still;
use super::lines::{Line, Lines};
use super::parse::Chain;
use super::point::{Point, Points};
use super::settings::InputSettings;
use super::source::{Compression, Got, Source, SourceError};
use crate::ack::{Delivered, Deliveries, Ticket};
use crate::event::Record;
use crate::event::body::{Encoded, Encoder};
use crate::metrics::{self, count};
use crate::output::batch::{Closed, Filler};
use crate::registry::{Identity, Registry};
use std::collections::VecDeque;
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// So much is read in one turn, then other files have theirs.
const TURN_BYTES: usize = 2 << 20;

/// A file that is being read, for whoever learns what of it was delivered.
pub struct InHand {
    entry: u64,
    deliveries: Deliveries,
    points: Mutex<VecDeque<Point>>,
    registry: Arc<Registry>,
    kept_points: Arc<Points>,
}

impl InHand {
    /// A file with this entry.
    pub fn new(entry: u64, registry: Arc<Registry>, kept_points: Arc<Points>) -> InHand {
        InHand { entry, deliveries: Deliveries::default(), points: Mutex::default(), registry, kept_points }
    }

    /// A part of it is delivered.
    pub fn delivered(&self, ticket: Ticket) {
        let Some(now) = self.deliveries.done(ticket) else { return };
        self.registry.change(self.entry, |entry| {
            entry.offset = now.offset;
            entry.is_complete = now.is_complete;
        });
        if now.is_complete {
            self.kept_points.forget(&self.entry.to_string());
            return;
        }
        let mut points = self.points.lock().expect("points can't be broken");
        let mut newest = None;
        while points.front().is_some_and(|p| p.output_offset() <= now.offset) {
            newest = points.pop_front();
        }
        if let Some(point) = newest
            && let Err(e) = self.kept_points.keep(&self.entry.to_string(), &point)
        {
            metrics::debug("a point could not be kept", &[("reason", &e.to_string())]);
        }
    }

    /// Whether parts of it are on their way.
    pub fn is_pending(&self) -> bool {
        self.deliveries.is_pending()
    }
}

/// How a turn ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Turn {
    /// There is more to read.
    More,
    /// Nothing new; look again after a while.
    Idle(Duration),
    /// It is not read any more, for this reason.
    Closed(&'static str),
}

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
            entry: in_hand.entry,
            path,
            compression,
            identity,
            source: None,
            lines: Lines::new(settings.encoding, settings.message_bytes_max, offset),
            chain: (!settings.parsers.is_empty()).then(|| settings.parsers.begin()),
            encoder,
            in_hand,
            marked: offset,
            pause: settings.backoff.0,
            read_at: Instant::now(),
            opened_at: None,
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
            Err(SourceError::Io(e)) if e.kind() == std::io::ErrorKind::NotFound => Turn::Closed("removed"),
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
                Turn::Closed("damaged")
            }
        };
        if let Turn::Closed(reason) = turn {
            self.park();
            metrics::debug("closed a file", &[("path", &self.shown_path()), ("reason", reason)]);
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
        self.finish(filler)
    }

    fn try_turn(&mut self, buffer: &mut [u8], filler: &mut Filler) -> Result<Result<Turn, Closed>, SourceError> {
        self.open()?;
        let mut read = 0;
        while read < TURN_BYTES {
            let source = self.source.as_mut().expect("it was opened");
            let got = source.read(buffer)?;
            match got {
                Got::Bytes(n) => {
                    if self.is_replaced()? {
                        return Ok(Ok(Turn::Closed("truncated")));
                    }
                    read += n;
                    if let Err(closed) = self.take(&buffer[..n], filler) {
                        return Ok(Err(closed));
                    }
                }
                Got::NoMoreYet => return Ok(self.at_end(read, filler)),
                Got::End => {
                    return Ok(self.finish(filler).map(|()| Turn::Closed("read to its end")));
                }
            }
        }
        self.read_at = Instant::now();
        self.pause = self.settings.backoff.0;
        if self.is_over_time() {
            return Ok(Ok(Turn::Closed("close.reader.after_interval")));
        }
        Ok(Ok(Turn::More))
    }

    fn is_over_time(&self) -> bool {
        let limit = self.settings.closing.after_interval;
        !limit.is_zero() && self.opened_at.is_some_and(|at| at.elapsed() >= limit)
    }

    fn open(&mut self) -> Result<(), SourceError> {
        if self.source.is_some() {
            return Ok(());
        }
        let file = File::open(&self.path)?;
        let point = match self.compression {
            Compression::Gzip => self.in_hand.kept_points.find(&self.entry.to_string()),
            _ => None,
        };
        self.source = Some(Source::open(file, self.compression, self.lines.offset(), point)?);
        self.opened_at.get_or_insert_with(Instant::now);
        count(&metrics::FILES_OPENED, 1);
        count(&metrics::FILES_ACTIVE, 1);
        if self.compression != Compression::None {
            count(&metrics::GZIP_FILES_OPENED, 1);
        }
        Ok(())
    }

    /// Whether what was just read belongs to another content: the file was copied and truncated.
    /// The scanner finds the copy by its first bytes, and what is new by its own.
    fn is_replaced(&self) -> std::io::Result<bool> {
        match self.source.as_ref().and_then(Source::plain) {
            Some(file) => Ok(!is_still(file, &self.identity, self.settings.identified_by)?),
            None => Ok(false),
        }
    }

    fn take(&mut self, bytes: &[u8], filler: &mut Filler) -> Result<(), Closed> {
        count(&metrics::BYTES_READ, bytes.len() as u64);
        if self.compression != Compression::None {
            count(&metrics::GZIP_BYTES_READ, bytes.len() as u64);
            let points = self.source.as_mut().map(Source::take_points).unwrap_or_default();
            self.in_hand.points.lock().expect("points can't be broken").extend(points);
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
            filler.mark(&self.in_hand, self.in_hand.deliveries.begin(Delivered { offset: to, is_complete }));
        }
        if filler.is_full() { filler.seal() } else { Ok(()) }
    }

    /// No more will ever come: the last line needs no end.
    fn finish(&mut self, filler: &mut Filler) -> Result<(), Closed> {
        self.give_last(filler)?;
        let is_complete = self.compression != Compression::None;
        self.mark(filler, is_complete)
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

    fn idle(&mut self) -> Turn {
        let wait = self.chain.as_ref().and_then(|c| c.wait(Instant::now()));
        let pause = self.pause;
        self.pause = (self.pause * 2).min(self.settings.backoff.1);
        Turn::Idle(wait.map_or(pause, |w| w.min(pause)))
    }

    fn at_end(&mut self, read: usize, filler: &mut Filler) -> Result<Turn, Closed> {
        if read > 0 {
            self.read_at = Instant::now();
            self.pause = self.settings.backoff.0;
        }
        if self.chain.as_ref().and_then(|c| c.wait(Instant::now())) == Some(Duration::ZERO) {
            let mut emit =
                Emit::new(&mut self.chain, &mut self.encoder, filler, &self.settings, &self.in_hand, &mut self.marked);
            emit.flush();
            emit.result?;
            self.mark(filler, false)?;
        }
        let closing = &self.settings.closing;
        let is_inactive = self.read_at.elapsed() >= closing.inactive;
        match self.state_of_name() {
            State::Removed if closing.removed && read == 0 => {
                // Nobody finds it any more: what it has is all that it will ever have.
                self.give_last(filler)?;
                self.mark(filler, false)?;
                return Ok(Turn::Closed("removed"));
            }
            State::Truncated => return Ok(Turn::Closed("truncated")),
            State::Renamed if closing.renamed => return Ok(Turn::Closed("renamed")),
            _ => {}
        }
        if closing.on_eof || is_inactive || self.is_over_time() {
            return Ok(Turn::Closed(if closing.on_eof { "close.reader.on_eof" } else { "inactive" }));
        }
        if self.compression != Compression::None {
            self.park();
        }
        Ok(self.idle())
    }

    fn state_of_name(&self) -> State {
        let Some(file) = self.source.as_ref().and_then(Source::plain) else { return State::Same };
        let Ok(open) = file.metadata() else { return State::Same };
        if open.len() < self.lines.offset() {
            return State::Truncated;
        }
        if open.nlink() == 0 {
            return State::Removed;
        }
        match std::fs::metadata(&self.path) {
            Ok(named) if named.ino() == open.ino() && named.dev() == open.dev() => State::Same,
            _ => State::Renamed,
        }
    }
}

enum State {
    Same,
    Renamed,
    Removed,
    Truncated,
}

/// Takes lines of a file to the batch.
struct Emit<'a> {
    chain: &'a mut Option<Chain>,
    encoder: &'a mut Encoder,
    filler: &'a mut Filler,
    settings: &'a InputSettings,
    in_hand: &'a Arc<InHand>,
    marked: &'a mut u64,
    now_nanos: i64,
    is_plain: bool,
    messages: u64,
    result: Result<(), Closed>,
}

impl<'a> Emit<'a> {
    fn new(
        chain: &'a mut Option<Chain>,
        encoder: &'a mut Encoder,
        filler: &'a mut Filler,
        settings: &'a InputSettings,
        in_hand: &'a Arc<InHand>,
        marked: &'a mut u64,
    ) -> Emit<'a> {
        let now = jiff::Timestamp::now();
        let is_plain = chain.is_none() && encoder.is_plain();
        Emit {
            chain,
            encoder,
            filler,
            settings,
            in_hand,
            marked,
            now_nanos: now.as_millisecond() * 1_000_000,
            is_plain,
            messages: 0,
            result: Ok(()),
        }
    }

    fn line(&mut self, line: &Line<'_>) {
        if self.result.is_err() {
            return;
        }
        if self.is_plain && !line.is_cut {
            self.messages += 1;
            if self.wants(&line.text) {
                self.encoder.line(self.filler.body(), &line.text, line.start, self.now_nanos);
                self.filler.event_ends();
            }
            self.given(line.end);
            return;
        }
        let record = Record::line(&line.text, line.start, line.end, self.now_nanos, line.is_cut);
        let records = match self.chain {
            Some(chain) => chain.push(record),
            None => vec![record],
        };
        self.records(records);
    }

    fn flush(&mut self) {
        let records = self.chain.as_mut().map(Chain::flush).unwrap_or_default();
        self.records(records);
    }

    fn records(&mut self, records: Vec<Record>) {
        for record in records {
            let end = record.end;
            self.messages += 1;
            if record.is_cut {
                count(&metrics::MESSAGES_TRUNCATED, 1);
            }
            if !record.is_dropped && self.wants(&record.message) {
                let before = self.filler.body().len();
                match self.encoder.record(self.filler.body(), record) {
                    Encoded::Written => self.filler.event_ends(),
                    Encoded::Dropped => self.filler.body().truncate(before),
                }
            }
            self.given(end);
        }
    }

    fn wants(&self, text: &[u8]) -> bool {
        let s = self.settings;
        let wants = (s.include_lines.is_empty() || s.include_lines.iter().any(|p| p.is_match(text)))
            && !s.exclude_lines.iter().any(|p| p.is_match(text));
        if !wants {
            count(&metrics::EVENTS_FILTERED, 1);
        }
        wants
    }

    /// A full batch leaves before the next line comes. What waits in a parser is not delivered,
    /// even when what comes after it is.
    fn given(&mut self, end: u64) {
        if self.filler.is_full() && self.result.is_ok() {
            let waits = self.chain.as_ref().and_then(Chain::waiting_start).unwrap_or(u64::MAX);
            let to = end.min(waits);
            if to > *self.marked {
                *self.marked = to;
                let ticket = self.in_hand.deliveries.begin(Delivered { offset: to, is_complete: false });
                self.filler.mark(self.in_hand, ticket);
            }
            self.result = self.filler.seal();
        }
    }
}
