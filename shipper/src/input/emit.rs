//! Takes the lines of a file to the batch that is being filled.

use super::in_hand::InHand;
use super::lines::Line;
use super::parse::Chain;
use super::settings::InputSettings;
use crate::ack::Delivered;
use crate::event::Record;
use crate::event::body::{Encoded, Encoder};
use crate::metrics::{self, count};
use crate::output::batch::{Closed, Filler};
use std::sync::Arc;

/// Takes lines of a file to the batch.
pub(super) struct Emit<'a> {
    chain: &'a mut Option<Chain>,
    encoder: &'a mut Encoder,
    filler: &'a mut Filler,
    settings: &'a InputSettings,
    in_hand: &'a Arc<InHand>,
    marked: &'a mut u64,
    now_nanos: i64,
    is_plain: bool,
    /// Messages so far.
    pub(super) messages: u64,
    /// Whether the output still takes some.
    pub(super) result: Result<(), Closed>,
}

impl<'a> Emit<'a> {
    pub(super) fn new(
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

    pub(super) fn line(&mut self, line: &Line<'_>) {
        if self.result.is_err() {
            return;
        }
        if self.is_plain && !line.is_cut {
            self.messages += 1;
            if self.settings.events.wants(&line.text) {
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

    pub(super) fn flush(&mut self) {
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
            if !record.is_dropped && self.settings.events.wants(&record.message) {
                let before = self.filler.body().len();
                match self.encoder.record(self.filler.body(), record) {
                    Encoded::Written => self.filler.event_ends(),
                    Encoded::Dropped => self.filler.body().truncate(before),
                }
            }
            self.given(end);
        }
    }

    /// A full batch leaves before the next line comes. What waits in a parser is not delivered,
    /// even when what comes after it is.
    fn given(&mut self, end: u64) {
        if self.filler.is_full() && self.result.is_ok() {
            let waits = self.chain.as_ref().and_then(Chain::waiting_start).unwrap_or(u64::MAX);
            let to = end.min(waits);
            if to > *self.marked {
                *self.marked = to;
                self.in_hand.begin(self.filler, Delivered { offset: to, is_complete: false });
            }
            self.result = self.filler.seal();
        }
    }
}
