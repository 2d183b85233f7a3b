//! Sends batches to `_bulk`. A batch is done when each of its events is there, was there before, or
//! is refused for good; everything else is tried again for as long as the shipper runs.

use super::agent::{agents, location, retry_after};
use super::backoff::Backoff;
use super::batch::Batch;
use super::bulk::{Answer, Outcome, answer};
use super::compressor::Compressor;
use super::hosts::Hosts;
use super::letters;
use super::settings::{Body, ElasticsearchSettings};
pub use super::shared::Shared;
use super::shared::Zstd;
use super::template::Template;
use super::url::{bulk_path, encoded};
use crate::metrics::{self, count};
use crate::stop::Stop;
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use ureq::Agent;

/// Answers with an item for each event may be long; none is longer than this.
const ANSWER_BYTES_MAX: u64 = 64 << 20;

/// So much of an answer is shown to people.
const SHOWN_BYTES_MAX: u64 = 2 << 10;

/// So much of an event is in a dead letter when the whole is too much.
const LETTER_BYTES_MAX: usize = 32 << 10;

/// One thread's connection to all hosts.
pub struct Sender {
    settings: Arc<ElasticsearchSettings>,
    /// One a host.
    agents: Vec<Agent>,
    hosts: Arc<Hosts>,
    backoff: Backoff,
    /// A server has asked not to be asked again before.
    asked: Duration,
    /// The last request failed for its host alone, and there are others.
    goes_elsewhere: bool,
    /// The last answer was too long to be read.
    is_answer_long: bool,
    compressor: Compressor,
    /// The query string and path behind a host.
    path: String,
    /// Whether the template was set up, by whichever sender came first.
    is_set_up: Arc<Mutex<bool>>,
    zstd: Arc<Zstd>,
    has_taken: Arc<AtomicBool>,
}

/// The shipper was told to stop before the batch was done.
#[derive(Debug, PartialEq, Eq)]
pub struct Unfinished;

impl Sender {
    /// A sender; `shared` is what senders of one output have in common.
    pub fn new(settings: Arc<ElasticsearchSettings>, shared: &Shared) -> Result<Sender, String> {
        let agents = agents(&settings)?;
        let backoff = Backoff::new(settings.backoff.0, settings.backoff.1);
        let path = bulk_path(&settings);
        let (hosts, is_set_up) = (Arc::clone(&shared.hosts), Arc::clone(&shared.is_set_up));
        let (zstd, has_taken) = (Arc::clone(&shared.zstd), Arc::clone(&shared.has_taken));
        let (compressor, asked) = (Compressor::new(settings.compression_level), Duration::ZERO);
        let (goes_elsewhere, is_answer_long) = (false, false);
        Ok(Sender {
            settings,
            agents,
            hosts,
            backoff,
            asked,
            goes_elsewhere,
            is_answer_long,
            compressor,
            path,
            is_set_up,
            zstd,
            has_taken,
        })
    }

    /// Sends until everything is done.
    pub fn deliver(&mut self, batch: &Batch, stop: &Stop) -> Result<(), Unfinished> {
        self.set_up(stop)?;
        let mut groups: Vec<Vec<usize>> = vec![(0..batch.ends.len()).collect()];
        while let Some(events) = groups.pop() {
            let has_taken = self.has_taken.load(Relaxed);
            match self.try_once(batch, &events) {
                Answer::AllDelivered => self.acked(events.len()),
                Answer::Each(outcomes) => {
                    let again = self.each(batch, &events, outcomes, stop)?;
                    if !again.is_empty() {
                        groups.push(again);
                        self.pause(stop)?;
                    }
                }
                Answer::TooLarge(why) | Answer::Split(why) if events.len() > 1 => {
                    metrics::debug("a request is split", &[("reason", &why)]);
                    let (first, second) = events.split_at(events.len() / 2);
                    groups.push(second.to_vec());
                    groups.push(first.to_vec());
                }
                Answer::TooLarge(why) => self.refused(batch.event(events[0]), &why, stop)?,
                Answer::Split(why) if has_taken => self.refused(batch.event(events[0]), &why, stop)?,
                // Perhaps it is a setting, or what is on the way, for which all is refused. The others first.
                Answer::Split(why) => {
                    let others = groups.drain(..).rev().flatten();
                    let all = others.chain(events).collect();
                    groups.push(all);
                    self.not_taken(&why, stop)?;
                }
                Answer::Retry(why) => {
                    groups.push(events);
                    self.not_taken(&why, stop)?;
                }
            }
        }
        Ok(())
    }

    /// Nothing of a request was taken: it is sent again after a pause.
    fn not_taken(&mut self, why: &str, stop: &Stop) -> Result<(), Unfinished> {
        count(&metrics::REQUEST_FAILURES, 1);
        metrics::warning("the output does not take events, trying again", &[("reason", why)]);
        self.pause(stop)
    }

    /// Puts the template before the first request, because what it is for is made by that request.
    /// One that is refused is told of, and events are sent all the same.
    fn set_up(&mut self, stop: &Stop) -> Result<(), Unfinished> {
        let (settings, is_set_up) = (Arc::clone(&self.settings), Arc::clone(&self.is_set_up));
        let Some(template) = &settings.template else { return Ok(()) };
        let mut is_done = is_set_up.lock().expect("a flag can't be broken");
        while !*is_done {
            match self.put(template) {
                Ok((200..=299, _)) => {
                    metrics::info("the index template is there", &[("name", &template.name)]);
                    *is_done = true;
                }
                // `create` of a template that is there is a bad request.
                Ok((400, text)) if !template.overwrites && text.contains("already exists") => *is_done = true,
                Ok((status @ (400 | 403 | 405 | 409), text)) => {
                    let (name, status) = (template.name.as_str(), status.to_string());
                    metrics::error(
                        "the index template is refused, events are sent without it",
                        &[("name", name), ("status", &status), ("answer", &text)],
                    );
                    *is_done = true;
                }
                other => {
                    metrics::warning(
                        "the index template can't be put, trying again",
                        &[("reason", &format!("{other:?}"))],
                    );
                    self.pause(stop)?;
                }
            }
        }
        self.backoff.reset();
        Ok(())
    }

    /// The status, and the beginning of the answer.
    fn put(&mut self, template: &Template) -> Result<(u16, String), String> {
        let at = self.hosts.next(Instant::now());
        let came = self.put_to(at, template);
        self.note(at, !matches!(came, Err(_) | Ok((502..=504, _))), Duration::ZERO);
        came
    }

    fn put_to(&self, at: usize, template: &Template) -> Result<(u16, String), String> {
        let (agent, host) = (&self.agents[at], &self.settings.hosts[at]);
        let create = if template.overwrites { "" } else { "?create=true" };
        let url = format!("{host}/_index_template/{}{create}", encoded(&template.name));
        let mut request = agent.put(url).header("content-type", "application/json");
        for (name, value) in &self.settings.headers {
            request = request.header(name, value);
        }
        let mut response = request.send(template.body.to_string()).map_err(|e| format!("{host}: {e}"))?;
        let mut text = Vec::new();
        let mut body = response.body_mut().as_reader().take(SHOWN_BYTES_MAX);
        body.read_to_end(&mut text).map_err(|e| format!("{host}: the answer breaks off: {e}"))?;
        Ok((response.status().as_u16(), String::from_utf8_lossy(&text).into_owned()))
    }

    fn pause(&mut self, stop: &Stop) -> Result<(), Unfinished> {
        if std::mem::take(&mut self.goes_elsewhere) {
            self.asked = Duration::ZERO; // not by the others
            return if stop.is_set() { Err(Unfinished) } else { Ok(()) };
        }
        let pause = self.backoff.pause().max(std::mem::take(&mut self.asked));
        if stop.sleep(pause) { Err(Unfinished) } else { Ok(()) }
    }

    fn acked(&mut self, events: usize) {
        self.backoff.reset();
        count(&metrics::EVENTS_ACKED, events as u64);
    }

    /// Events to send again.
    fn each(
        &mut self,
        batch: &Batch,
        events: &[usize],
        outcomes: Vec<Outcome>,
        stop: &Stop,
    ) -> Result<Vec<usize>, Unfinished> {
        let mut again = Vec::new();
        let mut last = None;
        for (event, outcome) in events.iter().zip(outcomes) {
            match outcome {
                Outcome::Delivered => self.acked(1),
                Outcome::Duplicate => {
                    self.acked(1);
                    count(&metrics::EVENTS_DUPLICATE, 1);
                }
                Outcome::Retry(why) => {
                    again.push(*event);
                    last = Some(why);
                }
                // Rights come and go with people; who has dead letters waits for nobody.
                Outcome::Denied(why) if !self.has_letters() => {
                    again.push(*event);
                    last = Some(why);
                }
                Outcome::Denied(why) | Outcome::Refused(why) => self.refused(batch.event(*event), &why, stop)?,
            }
        }
        if let Some(why) = last {
            count(&metrics::EVENTS_RETRIED, again.len() as u64);
            metrics::warning("some events are sent again", &[("events", &again.len().to_string()), ("reason", &why)]);
        }
        Ok(again)
    }

    fn has_letters(&self) -> bool {
        self.settings.dead_letters.is_some() || self.settings.letter_file.is_some()
    }

    /// An event that never will be taken goes to the dead letters, or is told of and dropped.
    fn refused(&mut self, event: &[u8], why: &str, stop: &Stop) -> Result<(), Unfinished> {
        let document = event.split(|b| *b == b'\n').nth(1).unwrap_or_default();
        let mut left = None;
        if let Some(index) = self.settings.dead_letters.clone() {
            left = self.bury(&self.letter(&index, document, why), stop)?;
            if left.is_some() && document.len() > LETTER_BYTES_MAX {
                left = self.bury(&self.letter(&index, &document[..LETTER_BYTES_MAX], why), stop)?;
            }
            if let Some(answer) = &left {
                metrics::error("a dead letter was not taken", &[("answer", answer)]);
            }
        }
        let settings = Arc::clone(&self.settings);
        if let Some(file) = &settings.letter_file {
            while let Err(e) = file.write(&letters::line(event, why)) {
                metrics::error("a dead letter can't be written, trying again", &[("reason", &e.to_string())]);
                self.pause(stop)?;
            }
        }
        count(&metrics::EVENTS_DEAD, 1);
        if left.is_some() || !self.has_letters() {
            count(&metrics::EVENTS_DROPPED, 1);
            let shown = String::from_utf8_lossy(&document[..document.len().min(500)]);
            metrics::error("the output refuses an event for good", &[("reason", why), ("event", &shown)]);
        }
        Ok(())
    }

    fn letter(&self, index: &str, document: &[u8], why: &str) -> String {
        let letter = serde_json::json!({
            "@timestamp": jiff::Timestamp::now().to_string(),
            "message": String::from_utf8_lossy(document),
            "error": {"message": why},
        });
        let mut action = serde_json::json!({"create": {"_index": index}});
        if self.settings.pipeline.is_some() {
            action["create"]["pipeline"] = "_none".into(); // it may be what refuses
        }
        format!("{action}\n{letter}\n")
    }

    /// Sends a dead letter until it is taken, or refused for good: then the answer.
    fn bury(&mut self, letter: &str, stop: &Stop) -> Result<Option<String>, Unfinished> {
        loop {
            let came = match self.post(letter.as_bytes()) {
                Ok((status, text)) => answer(status, &text, 1, false),
                Err(e) => Answer::Retry(e),
            };
            let why = match came {
                Answer::AllDelivered => return Ok(None),
                Answer::TooLarge(why) | Answer::Split(why) => return Ok(Some(why)),
                Answer::Retry(why) => why,
                Answer::Each(outcomes) => match outcomes.into_iter().next() {
                    Some(Outcome::Retry(why) | Outcome::Denied(why)) => why,
                    Some(Outcome::Refused(why)) => return Ok(Some(why)),
                    Some(Outcome::Delivered | Outcome::Duplicate) | None => return Ok(None),
                },
            };
            metrics::warning("a dead letter is not taken, trying again", &[("reason", &why)]);
            self.pause(stop)?;
        }
    }

    fn try_once(&mut self, batch: &Batch, events: &[usize]) -> Answer {
        let subset: Vec<u8>;
        let body = if events.len() == batch.ends.len() && events.is_sorted() {
            &batch.body
        } else {
            subset = events.iter().flat_map(|at| batch.event(*at)).copied().collect();
            &subset
        };
        match self.post(body) {
            Ok((status, text)) => {
                count(&metrics::EVENTS_SENT, events.len() as u64);
                let came = answer(status, &text, events.len(), self.settings.has_ids || batch.has_ids);
                // A page of a proxy may have the status of a success, too.
                if matches!(came, Answer::AllDelivered | Answer::Each(_)) {
                    self.has_taken.store(true, Relaxed);
                    self.zstd.is_taken.store(true, Relaxed); // asked only where bodies are zstd
                }
                came
            }
            // The same answer would come again; one to fewer events is shorter.
            Err(e) if self.is_answer_long && events.len() > 1 => Answer::TooLarge(e),
            Err(e) => Answer::Retry(e),
        }
    }

    /// Posts a body; as gzip when it turns out that zstd is not taken.
    fn post(&mut self, body: &[u8]) -> Result<(u16, Vec<u8>), String> {
        let level = self.settings.compression_level;
        if level == 0 || self.settings.compression == Body::Gzip || self.zstd.is_refused.load(Relaxed) {
            return self.post_as(Body::Gzip, body);
        }
        let (status, text) = self.post_as(Body::Zstd, body)?;
        if matches!(status, 400 | 406 | 415) && !self.zstd.is_taken.load(Relaxed) {
            self.zstd.is_refused.store(true, Relaxed);
            metrics::warning("the output takes no zstd, bodies are gzip", &[("status", &status.to_string())]);
            return self.post_as(Body::Gzip, body);
        }
        Ok((status, text))
    }

    fn post_as(&mut self, compression: Body, body: &[u8]) -> Result<(u16, Vec<u8>), String> {
        let at = self.hosts.next(Instant::now());
        let came = self.post_to(at, compression, body);
        let is_answer = match &came {
            Ok((status, _)) => !matches!(status, 502..=504),
            Err(_) => self.is_answer_long,
        };
        self.note(at, is_answer, self.asked);
        came
    }

    /// Whether a host has answered for itself, or is to be left out for a while, `at_least` as long.
    fn note(&mut self, at: usize, is_answer: bool, at_least: Duration) {
        self.goes_elsewhere = !is_answer && self.hosts.failed(at, at_least, Instant::now());
        if is_answer {
            self.hosts.answered(at);
        }
    }

    fn post_to(&mut self, at: usize, compression: Body, body: &[u8]) -> Result<(u16, Vec<u8>), String> {
        let (agent, host) = (&self.agents[at], &self.settings.hosts[at]);
        let mut request = agent.post(format!("{host}{}", self.path)).header("content-type", "application/x-ndjson");
        for (name, value) in &self.settings.headers {
            request = request.header(name, value);
        }
        count(&metrics::REQUESTS, 1);
        self.is_answer_long = false;
        let response = if self.settings.compression_level > 0 {
            let name = if compression == Body::Gzip { "gzip" } else { "zstd" };
            let compressed = self.compressor.compress(compression, body)?;
            count(&metrics::OUTPUT_BYTES, compressed.len() as u64);
            request.header("content-encoding", name).send(compressed)
        } else {
            count(&metrics::OUTPUT_BYTES, body.len() as u64);
            request.send(body)
        };
        let mut response = response.map_err(|e| format!("{host}: {e}"))?;
        let status = response.status().as_u16();
        if (300..=399).contains(&status) {
            let to = location(response.headers());
            return Err(format!("{host}: status {status} points to [{to}]: [hosts] must name the server itself"));
        }
        if matches!(status, 429 | 503) {
            self.asked = retry_after(response.headers(), jiff::Timestamp::now());
        }
        let text = response.body_mut().with_config().limit(ANSWER_BYTES_MAX).read_to_vec();
        self.is_answer_long = (200..=299).contains(&status) && matches!(text, Err(ureq::Error::BodyExceedsLimit(_)));
        Ok((status, text.map_err(|e| format!("{host}: the answer can't be read: {e}"))?))
    }
}
