//! Counters, by Filebeat's names where it has them, and the log: JSON lines on standard error.

use std::io::Write;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// One figure.
pub struct Counter {
    name: &'static str,
    help: &'static str,
    value: AtomicU64,
}

macro_rules! counters {
    ($($id:ident $name:literal $help:literal;)*) => {
        $(#[doc = $help] pub static $id: Counter = Counter { name: $name, help: $help, value: AtomicU64::new(0) };)*
        static ALL: &[&Counter] = &[$(&$id),*];
    };
}

counters! {
    FILES_OPENED "files_opened_total" "Files opened, plain or compressed.";
    FILES_CLOSED "files_closed_total" "Files closed.";
    FILES_ACTIVE "files_active" "Files that are open now.";
    GZIP_FILES_OPENED "gzip_files_opened_total" "Compressed files opened.";
    GZIP_FILES_CLOSED "gzip_files_closed_total" "Compressed files closed.";
    GZIP_ERRORS "gzip_processing_errors_total" "Compressed files that are damaged.";
    BYTES_READ "bytes_processed_total" "Decompressed bytes read.";
    GZIP_BYTES_READ "gzip_bytes_processed_total" "Of those, bytes of compressed files.";
    MESSAGES_READ "messages_read_total" "Lines or joined lines read.";
    GZIP_MESSAGES_READ "gzip_messages_read_total" "Of those, of compressed files.";
    MESSAGES_TRUNCATED "messages_truncated_total" "Messages that were too long and are cut.";
    CONNECTIONS_ACTIVE "connections_active" "TCP connections that are open now.";
    CONNECTIONS_REFUSED "connections_refused_total" "TCP connections that were closed because too many are open.";
    JOURNAL_ERRORS "journal_errors_total" "Entries of a journal that could not be read.";
    UDP_DROPPED "udp_dropped_total" "Datagrams that the kernel dropped because they were not read in time.";
    EVENTS_FILTERED "events_filtered_total" "Events that a rule drops.";
    EVENTS_NOWHERE "events_without_index_total" "Events that lack a field of their index's name, and are dropped.";
    EVENTS_SENT "output_events_total" "Events in requests that were answered.";
    EVENTS_ACKED "output_events_acked_total" "Events that the output has.";
    EVENTS_DUPLICATE "output_events_duplicates_total" "Events that the output had already.";
    EVENTS_RETRIED "output_events_retried_total" "Events that are sent again.";
    EVENTS_DEAD "output_events_dead_letter_total" "Events that the output refuses for good.";
    EVENTS_DROPPED "output_events_dropped_total" "Of those, events that no dead letters have: they are in the log.";
    REQUESTS "output_requests_total" "Requests to the output.";
    REQUEST_FAILURES "output_request_failures_total" "Requests without an answer, or refused as a whole, and sent again.";
    OUTPUT_BYTES "output_write_bytes_total" "Bytes of request bodies, compressed as sent.";
    QUEUE_BYTES "queue_filled_bytes" "Bytes of the queue on disk.";
    QUEUE_BYTES_MAX "queue_max_bytes" "Bytes that the queue on disk may have; 0 without one.";
    QUEUE_EVENTS "queue_filled_events" "Events in the queue on disk that the output has not acknowledged.";
    QUEUE_SEGMENTS "queue_segments" "Files of the queue on disk.";
    QUEUE_WRITE_FAILURES "queue_write_failures_total" "Writes to the queue on disk that failed and are tried again.";
    QUEUE_DAMAGED "queue_damaged_parts_total" "Parts of the queue on disk that are damaged or missing, and skipped.";
    QUEUE_EVENTS_LOST "queue_lost_events_total" "Events in damaged parts, as far as their number is known.";
    QUEUE_TORN_BYTES "queue_torn_bytes_total" "Bytes cut off the end of the queue on disk that a crash has torn.";
    PROCESSOR_FAILURES "processor_failures_total" "Events that a processor failed on.";
}

/// Adds.
pub fn count(counter: &Counter, by: u64) {
    counter.value.fetch_add(by, Relaxed);
}

/// Subtracts, for figures of what is now.
pub fn uncount(counter: &Counter, by: u64) {
    counter.value.fetch_sub(by, Relaxed);
}

/// Sets a figure of what is now.
pub fn set(counter: &Counter, to: u64) {
    counter.value.store(to, Relaxed);
}

/// The figure.
pub fn value(counter: &Counter) -> u64 {
    counter.value.load(Relaxed)
}

/// Every figure in Prometheus' text format.
pub fn prometheus() -> String {
    let mut out = String::new();
    for counter in ALL {
        let kind = if counter.name.ends_with("_total") { "counter" } else { "gauge" };
        let name = format!("holdfast_shipper_{}", counter.name);
        out.push_str(&format!(
            "# HELP {name} {}\n# TYPE {name} {kind}\n{name} {}\n",
            counter.help,
            counter.value.load(Relaxed)
        ));
    }
    out
}

/// How much a line of the log matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Of use to who looks for a fault.
    Debug,
    /// Something happened.
    Info,
    /// Something is not as it should be and goes on.
    Warning,
    /// Something is lost or stopped.
    Error,
    /// Nothing is logged.
    Off,
}

static LEVEL: AtomicU8 = AtomicU8::new(Level::Info as u8);

/// Nothing below is logged from now on.
pub fn set_level(level: Level) {
    LEVEL.store(level as u8, Relaxed);
}

/// Logs something.
pub fn log(level: Level, message: &str, values: &[(&str, &str)]) {
    if (level as u8) < LEVEL.load(Relaxed) {
        return;
    }
    let mut line = serde_json::Map::new();
    let name = match level {
        Level::Debug => "debug",
        Level::Info => "info",
        Level::Warning => "warning",
        Level::Error | Level::Off => "error",
    };
    line.insert("@timestamp".into(), jiff::Timestamp::now().to_string().into());
    line.insert("log.level".into(), name.into());
    line.insert("message".into(), message.into());
    for (key, value) in values {
        line.insert((*key).into(), (*value).into());
    }
    let text = serde_json::Value::Object(line).to_string();
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Logs at [`Level::Debug`].
pub fn debug(message: &str, values: &[(&str, &str)]) {
    log(Level::Debug, message, values);
}

/// Logs at [`Level::Info`].
pub fn info(message: &str, values: &[(&str, &str)]) {
    log(Level::Info, message, values);
}

/// Logs at [`Level::Warning`].
pub fn warning(message: &str, values: &[(&str, &str)]) {
    log(Level::Warning, message, values);
}

/// Logs at [`Level::Error`].
pub fn error(message: &str, values: &[(&str, &str)]) {
    log(Level::Error, message, values);
}
