//! Parsers: how lines of a file become messages, each behind the one before. One file a parser.

mod container;
mod include_message;
mod multiline;
mod ndjson;
mod syslog;

use crate::config::section::{Section, Warnings};
use crate::config::tree::Tree;
use crate::event::Record;
use std::time::{Duration, Instant};

/// Makes records of records. It may keep some until it knows that they are whole.
pub trait Parser: Send {
    /// Takes the next record and gives those that are whole.
    fn push(&mut self, record: Record, out: &mut Vec<Record>);

    /// Gives what waits, because no more comes or it has waited long enough.
    fn flush(&mut self, _out: &mut Vec<Record>) {}

    /// Where what waits begins in the file.
    fn waiting_start(&self) -> Option<u64> {
        None
    }

    /// When what waits should be given, however little it is.
    fn due(&self) -> Option<Instant> {
        None
    }
}

/// How an input's parsers are made anew for each file.
#[derive(Clone)]
pub struct Parsers {
    kinds: Vec<Kind>,
}

#[derive(Clone)]
enum Kind {
    Multiline(multiline::Settings),
    Ndjson(ndjson::Settings),
    Container(container::Settings),
    Syslog(syslog::Settings),
    IncludeMessage(include_message::Settings),
}

/// Reads `parsers`.
pub fn read(list: &[Tree], path: &str, warnings: &mut Warnings) -> Result<Parsers, String> {
    let mut kinds = Vec::new();
    for (at, tree) in list.iter().enumerate() {
        let path = format!("{path}.{at}");
        let item = Section::new(&path, tree.clone())?;
        let names = item.names();
        let [name] = names.as_slice() else {
            return Err(format!("[{path}] must name one parser"));
        };
        let section = item.section(name)?;
        kinds.push(match name.as_str() {
            "multiline" => Kind::Multiline(multiline::Settings::read(section, warnings)?),
            "ndjson" => Kind::Ndjson(ndjson::Settings::read(section)?),
            "container" => Kind::Container(container::Settings::read(section)?),
            "syslog" => Kind::Syslog(syslog::Settings::read(section, warnings)?),
            "include_message" => Kind::IncludeMessage(include_message::Settings::read(section)?),
            other => {
                return Err(format!(
                    "[{path}] names an unknown parser [{other}]: multiline, ndjson, container, syslog, include_message"
                ));
            }
        });
    }
    Ok(Parsers { kinds })
}

impl Parsers {
    /// Puts the parser of syslog messages before the others, with the settings of an input of such.
    pub fn syslog_first(&mut self, section: Section, warnings: &mut Warnings) -> Result<(), String> {
        self.kinds.insert(0, Kind::Syslog(syslog::Settings::read(section, warnings)?));
        Ok(())
    }

    /// Parsers of one file or connection; `None` when lines are messages as they are.
    pub fn begin(&self) -> Option<Chain> {
        if self.kinds.is_empty() {
            return None;
        }
        let parsers = self
            .kinds
            .iter()
            .map(|kind| -> Box<dyn Parser> {
                match kind {
                    Kind::Multiline(s) => Box::new(multiline::Multiline::new(s.clone())),
                    Kind::Ndjson(s) => Box::new(ndjson::Ndjson::new(s.clone())),
                    Kind::Container(s) => Box::new(container::Container::new(s.clone())),
                    Kind::Syslog(s) => Box::new(syslog::Syslog::new(s.clone())),
                    Kind::IncludeMessage(s) => Box::new(include_message::IncludeMessage::new(s.clone())),
                }
            })
            .collect();
        Some(Chain { parsers })
    }
}

/// The parsers of a file, one behind the other.
pub struct Chain {
    parsers: Vec<Box<dyn Parser>>,
}

impl Chain {
    /// Takes a line, gives what is whole behind the last parser.
    pub fn push(&mut self, record: Record) -> Vec<Record> {
        let mut records = vec![record];
        for parser in &mut self.parsers {
            let mut out = Vec::new();
            pass(parser.as_mut(), records, &mut out);
            records = out;
        }
        records
    }

    /// Gives all that waits.
    pub fn flush(&mut self) -> Vec<Record> {
        let mut records = Vec::new();
        for parser in &mut self.parsers {
            let mut out = Vec::new();
            pass(parser.as_mut(), records, &mut out);
            parser.flush(&mut out);
            records = out;
        }
        records
    }

    /// Where what waits in them begins in the file.
    pub fn waiting_start(&self) -> Option<u64> {
        self.parsers.iter().filter_map(|parser| parser.waiting_start()).min()
    }

    /// How long what waits may still wait; `None` when nothing does.
    pub fn wait(&self, now: Instant) -> Option<Duration> {
        let due = self.parsers.iter().filter_map(|parser| parser.due()).min()?;
        Some(due.saturating_duration_since(now))
    }
}

/// Hands records to a parser. What one before has dropped is no part of any message.
fn pass(parser: &mut dyn Parser, records: Vec<Record>, out: &mut Vec<Record>) {
    for record in records {
        if record.is_dropped {
            out.push(record);
        } else {
            parser.push(record, out);
        }
    }
}

#[cfg(test)]
#[path = "parse_test.rs"]
mod tests;
