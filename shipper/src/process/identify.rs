//! Processors that say who and how often: `add_host_metadata`, `fingerprint`, `rate_limit`.

use super::{Document, Fate, Processor};
use crate::config::section::Section;
use crate::event::{get, merge, set};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256, Sha512};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Instant;

struct AddHost {
    members: Map<String, Value>,
}

pub(super) fn add_host_metadata(s: &Section) -> Result<Box<dyn Processor>, String> {
    for name in ["netinfo", "cache", "geo", "replace_fields"] {
        s.ignore(name, "what is read of the host is read once, and is its name and its system");
    }
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let release = read("/etc/os-release");
    let of = |key: &str| -> Option<String> {
        release
            .lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix('=').map(|v| v.trim_matches('"').to_owned()))
    };
    let host = json!({
        "hostname": read("/proc/sys/kernel/hostname").trim(),
        "architecture": std::env::consts::ARCH,
        "id": read("/etc/machine-id").trim(),
        "os": {
            "type": std::env::consts::OS, "platform": of("ID"), "name": of("NAME"), "version": of("VERSION_ID"),
            "kernel": read("/proc/sys/kernel/osrelease").trim(),
        },
    });
    let mut members = Map::new();
    members.insert("host".into(), host);
    Ok(Box::new(AddHost { members }))
}

impl Processor for AddHost {
    fn apply(&self, document: &mut Document) -> Result<Fate, String> {
        merge(document, &self.members);
        Ok(Fate::Kept)
    }
}

struct Fingerprint {
    fields: Vec<String>,
    target: String,
    is_long: bool,
    ignores_missing: bool,
}

pub(super) fn fingerprint(s: &Section) -> Result<Box<dyn Processor>, String> {
    let method = s.choice("method", "sha256", &["sha256", "sha512"])?;
    s.choice("encoding", "hex", &["hex"])?;
    let mut fields = s.some_texts("fields")?;
    fields.sort();
    Ok(Box::new(Fingerprint {
        fields,
        target: s.text("target_field")?.unwrap_or_else(|| "fingerprint".into()),
        is_long: method == "sha512",
        ignores_missing: s.flag("ignore_missing", false)?,
    }))
}

impl Processor for Fingerprint {
    fn apply(&self, document: &mut Document) -> Result<Fate, String> {
        let mut text = String::new();
        for field in &self.fields {
            match get(document, field) {
                Some(Value::Object(_)) => return Err(format!("field [{field}] is an object")),
                Some(Value::String(value)) => text.push_str(&format!("|{field}|{value}")),
                Some(value) => text.push_str(&format!("|{field}|{value}")),
                None if self.ignores_missing => {}
                None => return Err(format!("field [{field}] is missing")),
            }
        }
        text.push('|');
        let hex = |bytes: &[u8]| bytes.iter().fold(String::new(), |s, b| format!("{s}{b:02x}"));
        let sum = if self.is_long { hex(&Sha512::digest(&text)) } else { hex(&Sha256::digest(&text)) };
        set(document, &self.target, sum.into());
        Ok(Fate::Kept)
    }
}

/// So many combinations of values are told apart; the fullest buckets are forgotten first.
const KEYS_MAX: usize = 10_000;

struct RateLimit {
    per_second: f64,
    burst: f64,
    fields: Vec<String>,
    buckets: Mutex<BTreeMap<String, (f64, Instant)>>,
}

pub(super) fn rate_limit(s: &Section) -> Result<Box<dyn Processor>, String> {
    let limit = s.text("limit")?.ok_or_else(|| format!("[{}] is missing", s.path("limit")))?;
    let wrong = || format!("[{}] must be like 100/s, 10/m or 1/h, it is [{limit}]", s.path("limit"));
    let (number, unit) = limit.split_once('/').ok_or_else(wrong)?;
    let number: f64 = number.trim().parse().map_err(|_| wrong())?;
    let per_second = number
        / match unit.trim() {
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return Err(wrong()),
        };
    let multiplier =
        match s.text("burst_multiplier")? {
            None => 1.0,
            Some(text) => text.parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 1.0).ok_or_else(|| {
                format!("[{}] must be a number from 1 on, it is [{text}]", s.path("burst_multiplier"))
            })?,
        };
    if !(per_second > 0.0 && per_second.is_finite()) {
        return Err(wrong());
    }
    Ok(Box::new(RateLimit {
        per_second,
        burst: (number * multiplier).max(1.0),
        fields: s.texts("fields")?,
        buckets: Mutex::default(),
    }))
}

impl Processor for RateLimit {
    fn apply(&self, document: &mut Document) -> Result<Fate, String> {
        let key: Vec<String> =
            self.fields.iter().map(|f| get(document, f).map(Value::to_string).unwrap_or_default()).collect();
        let key = key.join("\n");
        let now = Instant::now();
        let mut buckets = self.buckets.lock().expect("a bucket can't be broken");
        if buckets.len() >= KEYS_MAX && !buckets.contains_key(&key) {
            let filled =
                |b: &(f64, Instant)| b.0 + now.duration_since(b.1).as_secs_f64() * self.per_second >= self.burst;
            buckets.retain(|_, bucket| !filled(bucket));
            if buckets.len() >= KEYS_MAX {
                buckets.pop_first();
            }
        }
        let (tokens, since) = buckets.entry(key).or_insert((self.burst, now));
        *tokens = (*tokens + now.duration_since(*since).as_secs_f64() * self.per_second).min(self.burst);
        *since = now;
        if *tokens < 1.0 {
            crate::metrics::count(&crate::metrics::EVENTS_FILTERED, 1);
            return Ok(Fate::Dropped);
        }
        *tokens -= 1.0;
        Ok(Fate::Kept)
    }
}
