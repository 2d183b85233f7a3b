//! `container`: the log files of Docker (JSON lines) and of CRI (`time stream F|P text`).

use super::Parser;
use crate::config::section::Section;
use crate::event::{Record, parse_time};
use serde_json::Value;

/// Partial lines of one message together are no longer.
const MESSAGE_BYTES_MAX: usize = 10 << 20;

/// What is read.
#[derive(Clone)]
pub struct Settings {
    stream: &'static str,
    format: &'static str,
}

impl Settings {
    /// Reads the parser's section.
    pub fn read(s: Section) -> Result<Settings, String> {
        let settings = Settings {
            stream: s.choice("stream", "all", &["all", "stdout", "stderr"])?,
            format: s.choice("format", "auto", &["auto", "docker", "cri"])?,
        };
        s.finish()?;
        Ok(settings)
    }
}

/// A container has two streams.
const STREAMS_MAX: usize = 2;

/// Reads lines of containers. The runtimes cut long lines; their parts are put together, although those
/// of the other stream may lie between them.
pub struct Container {
    settings: Settings,
    /// One a stream.
    partial: Vec<Record>,
    /// Where the first part began since none waited: who read on behind it would not find all parts.
    since: Option<u64>,
}

struct Parsed {
    message: Vec<u8>,
    stream: String,
    time: Option<i64>,
    is_partial: bool,
}

impl Container {
    /// A parser.
    pub fn new(settings: Settings) -> Container {
        Container { settings, partial: Vec::new(), since: None }
    }

    fn parse(&self, line: &[u8]) -> Option<Parsed> {
        match self.settings.format {
            "docker" => docker(line),
            "cri" => cri(line),
            _ if line.starts_with(b"{") => docker(line),
            _ => cri(line),
        }
    }
}

fn docker(line: &[u8]) -> Option<Parsed> {
    let json: Value = serde_json::from_slice(line).ok()?;
    let log = json.get("log")?.as_str()?;
    Some(Parsed {
        message: log.trim_end_matches(['\n', '\r']).as_bytes().to_vec(),
        stream: json.get("stream").and_then(Value::as_str).unwrap_or_default().to_owned(),
        time: json.get("time").and_then(Value::as_str).and_then(parse_time),
        is_partial: !log.ends_with('\n'),
    })
}

fn cri(line: &[u8]) -> Option<Parsed> {
    let mut parts = line.splitn(4, |b| *b == b' ');
    let time = parse_time(std::str::from_utf8(parts.next()?).ok()?)?;
    let stream = std::str::from_utf8(parts.next()?).ok().filter(|s| matches!(*s, "stdout" | "stderr"))?;
    let tags = parts.next()?;
    let message = parts.next().unwrap_or_default().to_vec();
    Some(Parsed {
        message,
        stream: stream.to_owned(),
        time: Some(time),
        is_partial: tags.split(|b| *b == b':').any(|tag| tag == b"P"),
    })
}

impl Parser for Container {
    fn push(&mut self, mut record: Record, out: &mut Vec<Record>) {
        let Some(parsed) = self.parse(&record.message) else {
            // What is no container's line is told as it is: a line is never lost.
            self.flush(out);
            out.push(record);
            return;
        };
        if self.settings.stream != "all" && parsed.stream != self.settings.stream {
            record.is_dropped = true;
            out.push(record);
            return;
        }
        record.message = parsed.message;
        record.timestamp_nanos = parsed.time.unwrap_or(record.timestamp_nanos);
        record.members.insert("stream".into(), parsed.stream.into());
        let is_same = |before: &Record| before.members.get("stream") == record.members.get("stream");
        if let Some(at) = self.partial.iter().position(is_same) {
            let mut before = self.partial.remove(at);
            if before.message.len() + record.message.len() <= MESSAGE_BYTES_MAX {
                before.message.extend_from_slice(&record.message);
            } else {
                before.is_cut = true;
            }
            before.end = record.end;
            record = before;
        }
        if parsed.is_partial {
            if self.partial.len() == STREAMS_MAX {
                self.flush(out);
            }
            self.since.get_or_insert(record.start);
            self.partial.push(record);
        } else {
            if self.partial.is_empty() {
                self.since = None;
            }
            out.push(record);
        }
    }

    fn waiting_start(&self) -> Option<u64> {
        self.since
    }

    fn flush(&mut self, out: &mut Vec<Record>) {
        self.since = None;
        out.append(&mut self.partial);
    }
}
