//! A queue on disk that was used before and is not any more: events that are left in it would wait
//! there for ever, so the shipper does not start without it.

use crate::config::Settings;
use crate::disk::is_all_acked;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// In the data folder: where the queue on disk is.
const NOTE: &str = "diskqueue.path";

/// Refuses to start when another queue has something.
pub(super) fn check(settings: &Settings) -> Result<(), String> {
    let path = settings.data.join(NOTE);
    let before = match std::fs::read_to_string(&path) {
        Ok(text) => PathBuf::from(text),
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(format!("[{}]: {e}", path.display())),
    };
    let is_same = settings.queue.disk.as_ref().is_some_and(|disk| full(&disk.folder) == before);
    if is_same || !before.exists() || is_all_acked(&before)? {
        return Ok(());
    }
    Err(format!(
        "the queue on disk in [{}] still has events, and [queue.disk.path] does not name it any more: start with it until \
         it is empty, or delete that folder, which loses them",
        before.display()
    ))
}

/// Notes where the queue is.
pub(super) fn note(data: &Path, folder: &Path) -> Result<(), String> {
    let path = data.join(NOTE);
    let fresh = path.with_extension("new");
    let folder = full(folder).to_string_lossy().into_owned();
    if std::fs::read_to_string(&path).is_ok_and(|noted| noted == folder) {
        return Ok(()); // nothing to write where there may be no room
    }
    std::fs::write(&fresh, folder)
        .and_then(|()| std::fs::rename(&fresh, &path))
        .map_err(|e| format!("[{}]: {e}", path.display()))
}

fn full(folder: &Path) -> PathBuf {
    std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_needs_no_room_again() {
        let data = tempfile::tempdir().unwrap();
        note(data.path(), Path::new("/queue")).unwrap();
        std::fs::create_dir(data.path().join("diskqueue.new")).unwrap(); // as if the disk were full
        assert_eq!(note(data.path(), Path::new("/queue")), Ok(()));
        assert!(note(data.path(), Path::new("/another")).is_err());
    }
}
