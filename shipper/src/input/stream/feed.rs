//! Takes messages of a stream to the batch that is being filled, from however many threads.

use super::journal_place::JournalPlace;
use crate::event::Record;
use crate::event::body::{Encoded, Encoder};
use crate::input::events::EventSettings;
use crate::input::parse::Chain;
use crate::metrics::{self, count};
use crate::output::batch::{Closed, Filler};
use encoding_rs::UTF_8;
use serde_json::{Map, Value};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

struct Inner {
    encoder: Encoder,
    filler: Filler,
    /// Of the next message: what its id is made of.
    number: u64,
}

/// Where messages of one input go.
pub struct Feed {
    /// What becomes of them.
    pub events: EventSettings,
    inner: Mutex<Inner>,
    place: Option<Arc<JournalPlace>>,
}

/// A message as it came.
pub struct Message<'a> {
    /// Its bytes, in the encoding of the input.
    pub text: &'a [u8],
    /// Some of it was too long and dropped.
    pub is_cut: bool,
    /// Where it came from.
    pub members: Map<String, Value>,
}

impl Feed {
    /// Of an input whose events nobody can ask for again, or of a journal when it has a place.
    pub fn new(events: EventSettings, encoder: Encoder, filler: Filler, place: Option<Arc<JournalPlace>>) -> Feed {
        Feed { events, inner: Mutex::new(Inner { encoder, filler, number: 0 }), place }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("no thread panics while it holds a feed")
    }

    /// The place in a journal, for inputs that have one.
    pub fn place(&self) -> Option<&Arc<JournalPlace>> {
        self.place.as_ref()
    }

    /// Takes a message, through the parsers of its connection when it has some.
    pub fn message(&self, chain: &mut Option<Chain>, message: Message<'_>) -> Result<(), Closed> {
        let now = jiff::Timestamp::now().as_millisecond() * 1_000_000;
        let mut record = Record::line(message.text, 0, 0, now, message.is_cut);
        if self.events.encoding != UTF_8 {
            let (text, _) = self.events.encoding.decode_without_bom_handling(message.text);
            record.message = text.into_owned().into_bytes();
        }
        record.members = message.members;
        self.record(chain, record)
    }

    /// Takes a record.
    pub fn record(&self, chain: &mut Option<Chain>, record: Record) -> Result<(), Closed> {
        let records = match chain {
            Some(chain) => chain.push(record),
            None => vec![record],
        };
        self.records(chain.as_ref(), records)
    }

    /// Gives what waits in the parsers when it has waited long enough, or `now`.
    pub fn flush(&self, chain: &mut Option<Chain>, now: bool) -> Result<(), Closed> {
        let Some(parsers) = chain else { return Ok(()) };
        if !now && parsers.wait(Instant::now()).is_none_or(|wait| !wait.is_zero()) {
            return Ok(());
        }
        let records = parsers.flush();
        self.records(chain.as_ref(), records)
    }

    fn records(&self, chain: Option<&Chain>, records: Vec<Record>) -> Result<(), Closed> {
        let mut inner = self.lock();
        for mut record in records {
            count(&metrics::MESSAGES_READ, 1);
            if record.is_cut {
                count(&metrics::MESSAGES_TRUNCATED, 1);
            }
            if record.is_dropped || !self.events.wants(&record.message) {
                continue;
            }
            let Inner { encoder, filler, number } = &mut *inner;
            if let Some((id, start)) = self.place.as_ref().and_then(|place| place.id_of(record.start)) {
                encoder.set_id(id);
                record.start = start;
            } else {
                record.start = *number;
                *number += 1;
            }
            let before = filler.body().len();
            match encoder.record(filler.body(), record) {
                Encoded::Written => filler.event_ends(),
                Encoded::Dropped => filler.body().truncate(before),
            }
            if inner.filler.is_full() {
                self.seal(&mut inner, chain)?;
            }
        }
        Ok(())
    }

    /// Hands the batch over when it has waited long enough, or `now`. `chain` has what of a journal is
    /// not delivered with it.
    pub fn pass_on(&self, chain: Option<&Chain>, now: bool) -> Result<(), Closed> {
        let mut inner = self.lock();
        let has_news = self.place.as_ref().is_some_and(|place| place.has_news());
        if now || inner.filler.due_in().map_or(has_news, |due| due.is_zero()) {
            self.seal(&mut inner, chain)?;
        }
        Ok(())
    }

    fn seal(&self, inner: &mut Inner, chain: Option<&Chain>) -> Result<(), Closed> {
        if let Some(place) = &self.place {
            place.begin(&mut inner.filler, chain.and_then(Chain::waiting_start), place);
        }
        inner.filler.seal()
    }
}
