//! `multiline`: lines that belong together, by a pattern, by their number, or while a pattern holds.

use super::Parser;
use crate::config::section::{Section, Warnings};
use crate::event::Record;
use regex::bytes::Regex;
use std::time::{Duration, Instant};

/// How lines are joined.
#[derive(Clone)]
pub struct Settings {
    join: Join,
    lines_max: usize,
    bytes_max: usize,
    timeout: Duration,
    skips_newline: bool,
}

#[derive(Clone)]
enum Join {
    /// A line that matches belongs to the one before, or to the one after.
    Pattern {
        pattern: Regex,
        negate: bool,
        is_after: bool,
        flush: Option<Regex>,
    },
    Count(usize),
    WhilePattern {
        pattern: Regex,
        negate: bool,
    },
}

impl Settings {
    /// Reads the parser's section.
    pub fn read(s: Section, warnings: &mut Warnings) -> Result<Settings, String> {
        let pattern = || -> Result<Regex, String> { s.pattern("pattern")?.ok_or_else(|| s.missing("pattern")) };
        let negate = s.flag("negate", false)?;
        let is_after = s.choice("match", "after", &["after", "before", "previous", "next"])?;
        let flush = s.pattern("flush_pattern")?;
        let count = s.number("count_lines", 0, 0, 1 << 20)?;
        let kind = s.choice("type", "pattern", &["pattern", "count", "while_pattern"])?;
        if kind == "count" {
            for name in ["pattern", "negate", "match", "flush_pattern"] {
                s.ignore(name, "lines are counted");
            }
        } else {
            s.ignore("count_lines", "lines are not counted, [type] is not [count]");
        }
        let join = match kind {
            "count" if count == 0 => return Err(format!("[{}] is missing", s.path("count_lines"))),
            "count" => Join::Count(usize::try_from(count).expect("small")),
            "while_pattern" => Join::WhilePattern { pattern: pattern()?, negate },
            _ => {
                Join::Pattern { pattern: pattern()?, negate, is_after: matches!(is_after, "after" | "previous"), flush }
            }
        };
        warnings.extend(s.ignored());
        let settings = Settings {
            join,
            lines_max: usize::try_from(s.number("max_lines", 500, 1, 1 << 20)?).expect("small"),
            bytes_max: 10 << 20,
            timeout: s.duration("timeout", Duration::from_secs(5))?,
            skips_newline: s.flag("skip_newline", false)?,
        };
        s.finish()?;
        Ok(settings)
    }
}

/// Lines of one file that wait to be joined.
pub struct Multiline {
    settings: Settings,
    waiting: Option<Record>,
    lines: usize,
    since: Option<Instant>,
    /// The line before says that the next belongs to it.
    expects_next: bool,
}

impl Multiline {
    /// Nothing waits.
    pub fn new(settings: Settings) -> Multiline {
        Multiline { settings, waiting: None, lines: 0, since: None, expects_next: false }
    }

    fn join(&mut self, next: Record) {
        let Some(waiting) = &mut self.waiting else {
            self.waiting = Some(next);
            self.lines = 1;
            self.since = Some(Instant::now());
            return;
        };
        // Lines beyond the limits are dropped, but count as delivered with the rest.
        let fits = waiting.message.len() + next.message.len() < self.settings.bytes_max;
        if self.lines < self.settings.lines_max && fits {
            if !self.settings.skips_newline {
                waiting.message.push(b'\n');
            }
            waiting.message.extend_from_slice(&next.message);
        } else {
            waiting.is_cut = true;
        }
        waiting.end = next.end;
        self.lines += 1;
    }

    fn give(&mut self, out: &mut Vec<Record>) {
        if let Some(mut whole) = self.waiting.take() {
            if self.lines > 1 {
                whole.add_flag("multiline");
            }
            out.push(whole);
        }
        self.lines = 0;
        self.since = None;
        self.expects_next = false;
    }
}

impl Parser for Multiline {
    fn push(&mut self, record: Record, out: &mut Vec<Record>) {
        match self.settings.join.clone() {
            Join::Count(count) => {
                self.join(record);
                if self.lines >= count {
                    self.give(out);
                }
            }
            Join::WhilePattern { pattern, negate } => {
                if pattern.is_match(&record.message) == negate {
                    self.give(out);
                    out.push(record);
                } else {
                    self.join(record);
                }
            }
            Join::Pattern { pattern, negate, is_after, flush } => {
                let matches = pattern.is_match(&record.message) != negate;
                let belongs_to_last = if is_after { matches } else { self.expects_next };
                let is_last = flush.is_some_and(|f| f.is_match(&record.message));
                if !belongs_to_last {
                    self.give(out);
                }
                self.join(record);
                self.expects_next = !is_after && matches;
                if is_last {
                    self.give(out);
                }
            }
        }
    }

    fn flush(&mut self, out: &mut Vec<Record>) {
        self.give(out);
    }

    fn waiting_start(&self) -> Option<u64> {
        self.waiting.as_ref().map(|record| record.start)
    }

    fn due(&self) -> Option<Instant> {
        self.since.map(|since| since + self.settings.timeout)
    }
}
