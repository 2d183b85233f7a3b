//! `syslog`: RFC 3164 and RFC 5424 lines. What is neither stays as it is.

use super::Parser;
use crate::config::section::{Section, Warnings};
use crate::event::{Record, parse_time};
use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};
use regex::bytes::Regex;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// What is read.
#[derive(Clone)]
pub struct Settings {
    format: &'static str,
    adds_error: bool,
    /// Of times that name none.
    zone: TimeZone,
}

impl Settings {
    /// Reads the parser's section.
    pub fn read(s: Section, warnings: &mut Warnings) -> Result<Settings, String> {
        let name = s.text("timezone")?.unwrap_or_else(|| "Local".into());
        let zone = zone(&name).ok_or_else(|| {
            format!("[{}] must be Local, a name such as Europe/Berlin, or +01:00, it is [{name}]", s.path("timezone"))
        })?;
        let settings = Settings {
            zone,
            format: s.choice("format", "auto", &["auto", "rfc3164", "rfc5424"])?,
            adds_error: s.flag("add_error_key", true)?,
        };
        s.no_effect("log_errors", "a line that is no syslog message is marked, not logged", warnings);
        s.finish()?;
        Ok(settings)
    }
}

static RFC_3164: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:<(\d{1,3})>)?([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\S+) (\S+) ([^\s:\[]+)(?:\[(\d+)\])?: ?((?s).*)$")
        .expect("a constant")
});

static RFC_5424: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"^<(\d{1,3})>(\d) (\S+) (\S+) (\S+) (\S+) (\S+) (-|(?:\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\])+) ?((?s).*)$"#,
    )
    .expect("a constant")
});

const SEVERITIES: [&str; 8] =
    ["Emergency", "Alert", "Critical", "Error", "Warning", "Notice", "Informational", "Debug"];

/// Reads lines of syslog.
pub struct Syslog {
    settings: Settings,
}

impl Syslog {
    /// A parser.
    pub fn new(settings: Settings) -> Syslog {
        Syslog { settings }
    }
}

impl Parser for Syslog {
    fn push(&mut self, mut record: Record, out: &mut Vec<Record>) {
        let is_read = match self.settings.format {
            "rfc3164" => rfc_3164(&mut record, &self.settings.zone),
            "rfc5424" => rfc_5424(&mut record),
            _ => rfc_5424(&mut record).or_else(|| rfc_3164(&mut record, &self.settings.zone)),
        };
        if is_read.is_none() && self.settings.adds_error {
            record.members.insert("error".into(), json!({"message": "the line is no syslog message"}));
        }
        out.push(record);
    }
}

fn zone(name: &str) -> Option<TimeZone> {
    if name == "Local" {
        return Some(TimeZone::system());
    }
    if name.starts_with(['+', '-']) {
        let began: jiff::Timestamp = format!("1970-01-02T00:00:00{name}").parse().ok()?;
        let east = 86_400 - began.as_second();
        return Some(TimeZone::fixed(Offset::from_seconds(i32::try_from(east).ok()?).ok()?));
    }
    TimeZone::get(name).ok()
}

fn text(bytes: &[u8]) -> Option<Value> {
    (bytes != b"-").then(|| String::from_utf8_lossy(bytes).into_owned().into())
}

fn priority(record: &mut Record, digits: &[u8]) -> Option<()> {
    let priority: u64 = std::str::from_utf8(digits).ok()?.parse().ok().filter(|p| *p <= 191)?;
    let severity = SEVERITIES[usize::try_from(priority % 8).ok()?];
    record.members.insert(
        "syslog".into(),
        json!({"priority": priority, "facility": priority / 8, "severity": priority % 8, "severity_label": severity}),
    );
    Some(())
}

fn rfc_3164(record: &mut Record, zone: &TimeZone) -> Option<()> {
    let line = record.message.clone();
    let parts = RFC_3164.captures(&line)?;
    if let Some(digits) = parts.get(1) {
        priority(record, digits.as_bytes())?;
    }
    if let Some(nanos) = time_3164(std::str::from_utf8(&parts[2]).ok()?, zone) {
        record.timestamp_nanos = nanos;
    }
    record.members.insert("host".into(), json!({"name": text(&parts[3])}));
    let pid: Option<u64> = parts.get(5).and_then(|p| std::str::from_utf8(p.as_bytes()).ok()?.parse().ok());
    record.members.insert("process".into(), json!({"name": text(&parts[4]), "pid": pid}));
    record.message = parts[6].to_vec();
    Some(())
}

/// A time without a year is of this one, or of the last when that were in the future.
fn time_3164(time: &str, zone: &TimeZone) -> Option<i64> {
    if let Some(nanos) = parse_time(time) {
        return Some(nanos);
    }
    let now = jiff::Timestamp::now().to_zoned(zone.clone());
    let of_year = |year: i16| -> Option<jiff::Timestamp> {
        let time = DateTime::strptime("%Y %b %e %H:%M:%S", format!("{year} {time}")).ok()?;
        Some(time.to_zoned(now.time_zone().clone()).ok()?.timestamp())
    };
    let this = of_year(now.year())?;
    let day = jiff::Span::new().hours(24);
    let found = if this > now.timestamp().checked_add(day).ok()? { of_year(now.year() - 1)? } else { this };
    i64::try_from(found.as_nanosecond()).ok()
}

fn rfc_5424(record: &mut Record) -> Option<()> {
    let line = record.message.clone();
    let parts = RFC_5424.captures(&line)?;
    let nanos = std::str::from_utf8(&parts[3]).ok().and_then(parse_time);
    priority(record, &parts[1])?;
    record.timestamp_nanos = nanos.unwrap_or(record.timestamp_nanos);
    record.members.insert("host".into(), json!({"name": text(&parts[4])}));
    record.members.insert("process".into(), json!({"name": text(&parts[5]), "entity_id": text(&parts[6])}));
    record.members.insert("event".into(), json!({"code": text(&parts[7])}));
    if let Some(data) = text(&parts[8]) {
        record.members.insert("syslog_structured_data".into(), data);
    }
    record.message = parts[9].to_vec();
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_without_a_zone_are_of_the_one_that_is_set() {
        let of = |name: &str| time_3164("Jan  2 03:04:05", &zone(name).unwrap()).unwrap();
        let hour = 3_600_000_000_000;
        assert_eq!(of("UTC") - of("+01:00"), hour);
        assert_eq!(of("-02:30") - of("UTC"), hour * 5 / 2);
        assert!(zone("Local").is_some());
        assert!(zone("Nowhere/Nothing").is_none());
    }
}
