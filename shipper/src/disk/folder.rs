//! What a queue's folder has when the shipper starts: segments that were acknowledged are deleted, the
//! torn end of the newest is cut off, the rest is counted.

use super::frame::{self, HAS_ACTIONS, Step};
use super::position::{self, Position};
use super::{Place, tell_of};
use crate::metrics;
use crate::output::batch::Batch;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// What was found.
pub(super) struct Found {
    pub(super) lock: File,
    pub(super) position: Position,
    pub(super) acked: Place,
    /// Bytes by number.
    pub(super) segments: BTreeMap<u64, u64>,
    /// What the next segment is numbered.
    pub(super) first_new: u64,
    /// Events that are not acknowledged.
    pub(super) events: u64,
}

/// Where a segment is.
pub(super) fn path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:016x}.segment"))
}

/// Opens a folder.
pub(super) fn open(folder: &Path, has_actions: bool) -> Result<Found, String> {
    let say = |e: io::Error| format!("[queue.disk.path]: {}: {e}", folder.display());
    std::fs::create_dir_all(folder).map_err(say)?;
    let lock = OpenOptions::new().create(true).append(true).open(folder.join("lock")).map_err(say)?;
    lock.try_lock().map_err(|e| match e {
        TryLockError::WouldBlock => {
            format!("[queue.disk.path]: another shipper uses the queue in [{}]", folder.display())
        }
        TryLockError::Error(e) => format!("[queue.disk.path]: [{}] can't be locked: {e}", folder.display()),
    })?;
    let mut numbers = numbers(folder)?;
    let (position, at) = Position::open(&folder.join("position")).map_err(say)?;
    let mut acked = at.unwrap_or_else(|()| {
        metrics::error(
            "the position of the queue on disk is damaged: all that is in it is sent, some of it again",
            &[("path", &folder.join("position").display().to_string())],
        );
        Place::default()
    });
    numbers.retain(|number| *number >= acked.segment || !is_deleted(folder, *number));
    let newest = numbers.last().copied();
    let mut found = BTreeMap::new();
    let mut events = 0;
    for number in numbers {
        let path = path(folder, number);
        let say = |e: io::Error| format!("[queue.disk.path]: {}: {e}", path.display());
        let survey = survey(&path, number, acked, newest == Some(number), has_actions).map_err(say)??;
        if survey.bytes == 0 {
            std::fs::remove_file(&path).map_err(say)?;
        } else {
            events += survey.events;
            found.insert(number, survey.bytes);
        }
    }
    tell_of_gaps(folder, acked, &found);
    if acked.offset > 0 && !found.contains_key(&acked.segment) {
        acked = Place { segment: acked.segment + 1, offset: 0 };
    }
    let first_new = newest.map_or(0, |newest| newest + 1).max(acked.segment);
    Ok(Found { lock, position, acked, segments: found, first_new, events })
}

fn numbers(folder: &Path) -> Result<Vec<u64>, String> {
    let say = |e: io::Error| format!("[queue.disk.path]: {}: {e}", folder.display());
    let mut numbers = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(say)? {
        let path = entry.map_err(say)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let number = name.strip_suffix(".segment").and_then(|digits| u64::from_str_radix(digits, 16).ok());
        match number {
            Some(number) => numbers.push(number),
            None if path.is_dir() || name == "lock" || name == "position" => {}
            None => {
                return Err(format!(
                    "[queue.disk.path]: [{}] is no part of a queue of this version: give the queue a folder of its own, \
                     or let the version that wrote it empty it",
                    path.display()
                ));
            }
        }
    }
    numbers.sort_unstable();
    Ok(numbers)
}

fn is_deleted(folder: &Path, number: u64) -> bool {
    let path = path(folder, number);
    std::fs::remove_file(&path)
        .inspect_err(|e| tell_of("a segment of the queue on disk can't be deleted, trying again", &path, e))
        .is_ok()
}

/// Whether a folder has no segment of which something is not acknowledged.
pub(super) fn is_all_acked(folder: &Path) -> Result<bool, String> {
    let acked = position::of(&folder.join("position")).unwrap_or_default();
    let mut is_acked = true;
    for number in numbers(folder)? {
        let bytes = std::fs::metadata(path(folder, number)).map_or(0, |metadata| metadata.len());
        is_acked &= number < acked.segment || bytes <= if number == acked.segment { acked.offset } else { 0 };
    }
    Ok(is_acked)
}

struct Survey {
    bytes: u64,
    events: u64,
}

/// Goes from header to header. Of the newest segment payloads are looked at too, because its end may
/// be torn.
fn survey(
    path: &Path,
    segment: u64,
    acked: Place,
    is_newest: bool,
    has_actions: bool,
) -> io::Result<Result<Survey, String>> {
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    let end = file.metadata()?.len();
    let (mut at, mut sound) = (Place { segment, offset: 0 }, 0);
    let (mut events, mut scratch) = (0, Batch::default());
    loop {
        at.offset = match frame::look(&file, at, end)? {
            Step::End => break,
            Step::Damaged { to } => to,
            Step::Frame(header) => {
                if at >= acked && (header.flags & HAS_ACTIONS != 0) != has_actions {
                    return Ok(Err(other_output(path, has_actions)));
                }
                let to = at.offset + header.bytes();
                if !is_newest || frame::read(&file, at, header, &mut scratch)? {
                    sound = to;
                }
                events += if at >= acked { u64::from(header.events) } else { 0 };
                to
            }
        };
    }
    if is_newest && sound < end {
        metrics::warning(
            "the end of the queue on disk is torn and cut off: what was there was not confirmed to its inputs, unless the \
             disk has lost what it had synced",
            &[
                ("path", &path.display().to_string()),
                ("offset", &sound.to_string()),
                ("bytes", &(end - sound).to_string()),
            ],
        );
        metrics::count(&metrics::QUEUE_TORN_BYTES, end - sound);
        file.set_len(sound)?;
        file.sync_all()?;
        return Ok(Ok(Survey { bytes: sound, events }));
    }
    Ok(Ok(Survey { bytes: end, events }))
}

fn other_output(path: &Path, has_actions: bool) -> String {
    let (was, is) =
        if has_actions { ("file or console", "elasticsearch") } else { ("elasticsearch", "file or console") };
    format!(
        "[queue.disk]: {} has events that were queued for output.{was}, which output.{is} can't send: start with that \
         output until the queue is empty, or delete the file, which loses them",
        path.display()
    )
}

fn tell_of_gaps(folder: &Path, acked: Place, found: &BTreeMap<u64, u64>) {
    let mut next = acked.segment;
    for number in found.range(acked.segment..).map(|(number, _)| *number) {
        if number > next {
            metrics::error(
                "segments of the queue on disk are missing: what was in them is lost",
                &[
                    ("path", &folder.display().to_string()),
                    ("first", &format!("{next:016x}")),
                    ("segments", &(number - next).to_string()),
                ],
            );
            metrics::count(&metrics::QUEUE_DAMAGED, number - next);
        }
        next = number + 1;
    }
}
