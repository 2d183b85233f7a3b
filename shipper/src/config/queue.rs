//! `queue`: what waits between inputs and output, in memory and on disk.

use super::section::{Section, Warnings};
use crate::disk::DiskSettings;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// As Filebeat's: a smaller queue on disk is a mistake of units.
const DISK_BYTES_MIN: u64 = 10_000_000;

/// As Filebeat's.
const SEGMENT_BYTES_MIN: u64 = 1_000_000;

/// What is acknowledged of a segment takes room until all of it is.
const SEGMENT_BYTES_DEFAULT_MAX: u64 = 64 << 20;

/// Less would not hold two batches.
const MEMORY_BYTES_MIN: u64 = 64 << 10;

/// The folder of a queue on disk, in the data folder, when nothing else is set.
pub const DISK_FOLDER: &str = "diskqueue";

/// What waits.
pub struct QueueSettings {
    /// What may wait in memory, being sent included.
    pub memory_bytes: usize,
    /// A batch that is not full goes on after so long.
    pub flush_after: Duration,
    /// What may wait on disk.
    pub disk: Option<DiskSettings>,
}

/// Reads the section.
pub(super) fn read(queue: Section, data: &Path, warnings: &mut Warnings) -> Result<QueueSettings, String> {
    let memory = queue.section("mem")?;
    let bytes = memory.bytes("bytes", 4 << 20)?;
    memory.no_effect("events", "the queue is bounded in bytes (queue.mem.bytes)", warnings);
    let flush = memory.section("flush")?;
    let flush_after = flush.duration("timeout", Duration::from_secs(1))?;
    flush.no_effect("min_events", "a batch is sent when it is full or queue.mem.flush.timeout old", warnings);
    flush.finish()?;
    let memory_bytes = usize::try_from(bytes).map_err(|_| format!("[{}] is too large", memory.path("bytes")))?;
    if bytes < MEMORY_BYTES_MIN {
        return Err(format!("[{}] must be at least 64KiB, it is [{bytes}]", memory.path("bytes")));
    }
    memory.finish()?;
    let disk = if queue.is_named("disk") { disk(queue.section("disk")?, data, warnings)? } else { None };
    queue.finish()?;
    Ok(QueueSettings { memory_bytes, flush_after, disk })
}

fn disk(s: Section, data: &Path, warnings: &mut Warnings) -> Result<Option<DiskSettings>, String> {
    let is_enabled = s.flag("enabled", true)?;
    let bytes_max = s.bytes("max_size", 0)?;
    if !s.has("max_size") && is_enabled {
        return Err(format!(
            "[{}] is missing: how many bytes the queue may have on disk, such as 10GB",
            s.path("max_size")
        ));
    }
    if bytes_max < DISK_BYTES_MIN && is_enabled {
        let of_zero = if bytes_max == 0 { ": a queue without a limit would fill the disk" } else { "" };
        return Err(format!("[{}] must be at least 10MB, it is [{bytes_max}]{of_zero}", s.path("max_size")));
    }
    let segment_bytes =
        s.bytes("segment_size", (bytes_max / 10).clamp(SEGMENT_BYTES_MIN, SEGMENT_BYTES_DEFAULT_MAX))?;
    if !(SEGMENT_BYTES_MIN..=(bytes_max / 2).max(SEGMENT_BYTES_MIN)).contains(&segment_bytes) {
        return Err(format!(
            "[{}] must be from 1MB to half of [max_size], it is [{segment_bytes}]",
            s.path("segment_size")
        ));
    }
    let folder = s.text("path")?.map_or_else(|| data.join(DISK_FOLDER), PathBuf::from);
    let init = s.pause("retry_interval", Duration::from_secs(1))?;
    let retry = (init, s.pause("max_retry_interval", init.max(Duration::from_secs(30)))?);
    if retry.1 < retry.0 {
        return Err(format!(
            "[{}] must not be shorter than [{}]",
            s.path("max_retry_interval"),
            s.path("retry_interval")
        ));
    }
    for name in ["read_ahead", "write_ahead"] {
        s.no_effect(name, "what is in memory is bounded in bytes (queue.mem.bytes)", warnings);
    }
    s.finish()?;
    Ok(is_enabled.then_some(DiskSettings { folder, bytes_max, segment_bytes, retry }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tree::parse;

    fn read_text(text: &str) -> Result<QueueSettings, String> {
        let tree = parse(text, &|_| None).unwrap();
        read(Section::new("queue", tree).unwrap(), Path::new("/data"), &mut Warnings::new())
    }

    #[test]
    fn a_queue_on_disk_has_limits() {
        let disk = read_text("disk: {max_size: 10GB}").unwrap().disk.unwrap();
        assert_eq!((disk.bytes_max, disk.segment_bytes), (10_000_000_000, 64 << 20));
        assert_eq!(disk.folder, Path::new("/data/diskqueue"));
        assert_eq!(read_text("disk: {max_size: 20MB, path: /x}").unwrap().disk.unwrap().segment_bytes, 2_000_000);
        assert!(read_text("disk: {enabled: false}").unwrap().disk.is_none());
        assert!(read_text("mem: {bytes: 1MiB}").unwrap().disk.is_none());
        assert!(read_text("mem: {bytes: 0}").err().unwrap().contains("[queue.mem.bytes] must be at least 64KiB"));
        for (wrong, words) in [
            ("disk:", "[queue.disk.max_size] is missing"),
            ("disk: {}", "[queue.disk.max_size] is missing"),
            ("disk: 10GB", "[queue.disk] must be a section"),
            ("disk: {max_size: 0}", "a queue without a limit would fill the disk"),
            ("disk: {max_size: 10}", "[queue.disk.max_size] must be at least 10MB, it is [10]"),
            ("disk: {max_size: [1]}", "[queue.disk.max_size] must be a size, such as 10MiB, it is [a list]"),
            ("disk: {max_size: 10MB, segment_size: 6MB}", "[queue.disk.segment_size] must be from 1MB to half"),
            ("disk: {max_size: 10MB, segment_size: 1}", "[queue.disk.segment_size] must be from 1MB to half"),
            (
                "disk: {max_size: 10MB, retry_interval: 0}",
                "[queue.disk.retry_interval] must be a duration of at least 1ms",
            ),
            (
                "disk: {max_size: 10MB, retry_interval: 1m, max_retry_interval: 1s}",
                "[queue.disk.max_retry_interval] must not be shorter",
            ),
            ("disk: {max_size: 10MB, max_sise: 1}", "unknown setting [queue.disk.max_sise], did you mean [max_size]?"),
        ] {
            let error = read_text(wrong).err().unwrap_or_default();
            assert!(error.contains(words), "{wrong}: {error}");
        }
    }
}
