//! `timestamp`: the time of an event is read from a field of it, by layouts of Go.

use super::{Document, Fate, Processor};
use crate::config::section::Section;
use crate::event::{get, remove, set, show_time};
use serde_json::Value;

struct Timestamp {
    field: String,
    target: String,
    layouts: Vec<String>,
    ignores_missing: bool,
    ignores_failure: bool,
}

pub(super) fn timestamp(s: &Section) -> Result<Box<dyn Processor>, String> {
    let field = s.text("field")?.ok_or_else(|| format!("[{}] is missing", s.path("field")))?;
    let mut layouts = Vec::new();
    for layout in s.some_texts("layouts")? {
        layouts.extend(strptime(&layout).map_err(|why| format!("[{}] {why}", s.path("layouts")))?);
    }
    let zone = s.text("timezone")?.unwrap_or_else(|| "UTC".into());
    if zone != "UTC" {
        return Err(format!("[{}] must be UTC, or be in the layouts", s.path("timezone")));
    }
    let timestamp = Timestamp {
        layouts,
        field,
        target: s.text("target_field")?.unwrap_or_else(|| "@timestamp".into()),
        ignores_missing: s.flag("ignore_missing", false)?,
        ignores_failure: s.flag("ignore_failure", false)?,
    };
    for test in s.texts("test")? {
        if timestamp.parsed(&test).is_none() {
            return Err(format!("[{}] does not match any layout: [{test}]", s.path("test")));
        }
    }
    Ok(Box::new(timestamp))
}

/// A layout of Go as `strptime` has it. `Z07:00` stands for a `Z` too, which is a layout of its own here.
fn strptime(layout: &str) -> Result<Vec<String>, String> {
    const LETTERS: &[(&str, &str)] = &[
        ("2006", "%Y"),
        ("January", "%B"),
        ("Jan", "%b"),
        ("Monday", "%A"),
        ("Mon", "%a"),
        ("Z07:00", "%:z"),
        ("-07:00", "%:z"),
        ("Z0700", "%z"),
        ("-0700", "%z"),
        ("Z07", "%:::z"),
        ("-07", "%:::z"),
        ("002", "%j"),
        ("01", "%m"),
        ("02", "%d"),
        ("_2", "%e"),
        ("15", "%H"),
        ("03", "%I"),
        ("04", "%M"),
        ("05", "%S%.f"), // a text may have a fraction behind them
        ("06", "%y"),
        ("PM", "%p"),
        ("pm", "%p"),
        ("1", "%m"),
        ("2", "%d"),
        ("3", "%I"),
        ("4", "%M"),
        ("5", "%S%.f"),
    ];
    if matches!(layout, "UNIX" | "UNIX_MS") {
        return Ok(vec![layout.to_owned()]);
    }
    if layout.contains("MST") {
        return Err(format!("has MST in [{layout}]: names of zones are not read, only offsets such as -0700"));
    }
    let mut all = vec![String::new()];
    let mut rest = layout;
    while let Some(letter) = rest.chars().next() {
        let fraction = fraction(rest);
        let (length, code) = match LETTERS.iter().find(|(go, _)| rest.starts_with(go)) {
            _ if fraction > 0 => (fraction, if letter == '.' { "%.f" } else { ",%f" }),
            Some((go, code)) => (go.len(), *code),
            None => (letter.len_utf8(), if letter == '%' { "%%" } else { &rest[..letter.len_utf8()] }),
        };
        let is_offset = letter == 'Z' && code.ends_with('z') && all.len() == 1;
        let with_letter = is_offset.then(|| format!("{}Z", all[0]));
        for one in &mut all {
            one.push_str(code);
        }
        all.extend(with_letter);
        rest = &rest[length..];
    }
    Ok(all)
}

/// Bytes of a layout of a fraction of seconds: a point or a comma with zeros, or with nines.
fn fraction(layout: &str) -> usize {
    let digits = layout.strip_prefix(['.', ',']).unwrap_or_default();
    let Some(first @ ('0' | '9')) = digits.chars().next() else { return 0 };
    let after = digits.trim_start_matches(first);
    if after.starts_with(|c: char| c.is_ascii_digit()) { 0 } else { layout.len() - after.len() }
}

/// Seconds with a fraction, exactly.
fn unix_nanos(text: &str) -> Option<i64> {
    let (secs, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits: String = fraction.chars().chain("000000000".chars()).take(9).collect();
    secs.parse::<i64>().ok()?.checked_mul(1_000_000_000)?.checked_add(digits.parse().ok()?)
}

impl Timestamp {
    fn parsed(&self, text: &str) -> Option<i64> {
        self.layouts.iter().find_map(|layout| match layout.as_str() {
            "UNIX" => unix_nanos(text),
            "UNIX_MS" => text.parse::<i64>().ok().and_then(|ms| ms.checked_mul(1_000_000)),
            layout => {
                let broken = jiff::fmt::strtime::parse(layout, text).ok()?;
                let time = match broken.to_timestamp() {
                    Ok(time) => time,
                    Err(_) => broken.to_datetime().ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp(),
                };
                i64::try_from(time.as_nanosecond()).ok()
            }
        })
    }
}

impl Processor for Timestamp {
    fn apply(&self, document: &mut Document) -> Result<Fate, String> {
        let text = match get(document, &self.field) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ if self.ignores_missing => return Ok(Fate::Kept),
            _ => return Err(format!("field [{}] is missing", self.field)),
        };
        match self.parsed(&text) {
            Some(nanos) => {
                remove(document, &self.target);
                set(document, &self.target, show_time(nanos).into());
                Ok(Fate::Kept)
            }
            None if self.ignores_failure => Ok(Fate::Kept),
            None => Err(format!("field [{}] matches no layout: [{text}]", self.field)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tree::parse;

    fn of(layout: &str) -> Result<Box<dyn Processor>, String> {
        let text = format!("field: t\nlayouts: ['{layout}']");
        timestamp(&Section::new("timestamp", parse(&text, &|_| None).unwrap()).unwrap())
    }

    #[test]
    fn layouts_mean_what_they_mean_in_go() {
        let time = "2026-01-02T03:04:05.000Z";
        for (layout, text) in [
            ("2006-01-02T15:04:05Z07:00", "2026-01-02T03:04:05Z"),
            ("2006-01-02T15:04:05Z07:00", "2026-01-02T04:04:05.000+01:00"),
            ("2006-01-02T15:04:05.000Z07:00", "2026-01-02T03:04:05.000Z"),
            ("2006-01-02T15:04:05.00Z0700", "2026-01-02T04:04:05.00+0100"),
            ("2006-01-02T15:04:05.999999999Z07", "2026-01-02T02:04:05.0-01"),
            ("2006-01-02 15:04:05,000", "2026-01-02 03:04:05,000"),
            ("1/2/2006 3:4:5 PM", "1/2/2026 3:4:5 AM"),
            ("2.1.06 15:04:05", "2.1.26 03:04:05"),
            ("2006 002 15:04:05", "2026 002 03:04:05"),
            ("02/Jan/2006:15:04:05 -0700", "02/Jan/2026:03:04:05 +0000"),
            ("Mon Jan _2 15:04:05 2006", "Fri Jan  2 03:04:05 2026"),
            ("% 2006-01-02 15:04:05", "% 2026-01-02 03:04:05"),
            ("UNIX_MS", "1767323045000"),
            ("UNIX", "1767323045"),
        ] {
            let mut document = Document::new();
            document.insert("t".into(), text.into());
            let result = of(layout).unwrap().apply(&mut document);
            let found = document.get("@timestamp").and_then(Value::as_str);
            assert_eq!((result, found), (Ok(Fate::Kept), Some(time)), "{layout}");
        }
        let error = of("Jan 2 15:04:05 MST 2006").err().unwrap();
        assert!(error.starts_with("[timestamp.layouts] has MST in"), "{error}");
    }
}
