//! Lines of standard input. They can't be read again: what was not delivered when the shipper ends is
//! lost.

use super::Tools;
use super::chunks::chunks;
use crate::event::Record;
use crate::input::lines::{Line, Lines};
use crate::input::parse::Chain;
use crate::metrics::{self, count};
use crate::output::batch::Closed;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// How often what waits is looked at.
const TICK: Duration = Duration::from_millis(50);

pub(super) fn run(tools: &Tools) {
    if read(tools).is_err() {
        return; // the output takes nothing any more
    }
    let _ = tools.feed.pass_on(None, true);
}

fn read(tools: &Tools) -> Result<(), Closed> {
    let feed = &tools.feed;
    let mut chain = feed.events.parsers.begin();
    let mut lines = Lines::new(feed.events.encoding, feed.events.message_bytes_max, 0);
    let input = match chunks(std::io::stdin()) {
        Ok(input) => input,
        Err(e) => {
            metrics::error("standard input can't be read", &[("reason", &e.to_string())]);
            return Ok(());
        }
    };
    let mut result = Ok(());
    while !tools.stop.is_set() && result.is_ok() {
        match input.recv_timeout(TICK) {
            Ok(Ok(chunk)) if !chunk.is_empty() => {
                count(&metrics::BYTES_READ, chunk.len() as u64);
                lines.push(&chunk, |line| {
                    if result.is_ok() {
                        result = take(tools, &mut chain, &line);
                    }
                });
            }
            Ok(Ok(_)) | Err(RecvTimeoutError::Disconnected) => break,
            Ok(Err(e)) => {
                metrics::error("standard input can't be read any more", &[("reason", &e.to_string())]);
                break;
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        feed.flush(&mut chain, false)?;
        feed.pass_on(chain.as_ref(), false)?;
    }
    result?;
    let mut last = Ok(());
    lines.finish(|line| last = take(tools, &mut chain, &line));
    last?;
    feed.flush(&mut chain, true)
}

fn take(tools: &Tools, chain: &mut Option<Chain>, line: &Line<'_>) -> Result<(), Closed> {
    let now = jiff::Timestamp::now().as_millisecond() * 1_000_000;
    tools.feed.record(chain, Record::line(&line.text, line.start, line.end, now, line.is_cut))
}
