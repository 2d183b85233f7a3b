//! `include_message`: of the messages that the parsers before it made, those that match a pattern.

use super::Parser;
use crate::config::section::Section;
use crate::event::Record;
use crate::metrics::{self, count};
use regex::bytes::Regex;

/// What is wanted.
#[derive(Clone)]
pub struct Settings {
    patterns: Vec<Regex>,
}

impl Settings {
    /// Reads the parser's section.
    pub fn read(s: Section) -> Result<Settings, String> {
        let patterns = s.patterns("patterns")?;
        if patterns.is_empty() {
            return Err(s.missing("patterns"));
        }
        s.finish()?;
        Ok(Settings { patterns })
    }
}

/// Drops messages that match no pattern.
pub struct IncludeMessage {
    settings: Settings,
}

impl IncludeMessage {
    /// A parser.
    pub fn new(settings: Settings) -> IncludeMessage {
        IncludeMessage { settings }
    }
}

impl Parser for IncludeMessage {
    fn push(&mut self, mut record: Record, out: &mut Vec<Record>) {
        if !self.settings.patterns.iter().any(|pattern| pattern.is_match(&record.message)) {
            record.is_dropped = true;
            count(&metrics::EVENTS_FILTERED, 1);
        }
        out.push(record);
    }
}
