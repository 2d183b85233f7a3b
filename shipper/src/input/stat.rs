//! What tells that a file has not changed, and how far it was read when it was closed.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// Opens a file, and says what it is. What took its place and is none counts as gone: the end of a pipe
/// would be waited for, a folder read again and again.
///
/// # Errors
/// It is not there, or can't be opened now.
pub fn open(path: &Path) -> io::Result<(File, Metadata)> {
    let gone = || io::Error::new(ErrorKind::NotFound, "it is no file any more");
    let file = match OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path) {
        Err(e) if e.raw_os_error() == Some(libc::ENXIO) => return Err(gone()), // a socket
        other => other?,
    };
    let metadata = file.metadata()?;
    if metadata.is_file() { Ok((file, metadata)) } else { Err(gone()) }
}

/// What became of the name of a file that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// Nothing.
    Same,
    /// It is another file's, or nobody's.
    Renamed,
    /// It was the last one.
    Removed,
    /// The file is shorter than what was read of it.
    Truncated,
}

/// Looks at the name of a file of which so much was read.
pub fn named(file: &File, path: &Path, read: u64) -> Named {
    let Ok(open) = file.metadata() else { return Named::Same };
    if open.len() < read {
        return Named::Truncated;
    }
    if open.nlink() == 0 {
        return Named::Removed;
    }
    match std::fs::metadata(path) {
        Ok(named) if named.ino() == open.ino() && named.dev() == open.dev() => Named::Same,
        _ => Named::Renamed,
    }
}

/// A file as it was when it was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Device and inode.
    pub inode: (u64, u64),
    /// Bytes, compressed ones of an archive.
    pub size: u64,
    changed: (i64, i64, i64, i64),
}

impl Stat {
    /// Of a file.
    pub fn of(metadata: &Metadata) -> Stat {
        Stat {
            inode: (metadata.dev(), metadata.ino()),
            size: metadata.len(),
            changed: (metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

/// A file as its reader left it: it is opened again when it is not like that any more. This is what
/// was read, not what is there when somebody looks later, which may be more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// A plain file, of which so much was read.
    Plain {
        /// Device and inode.
        inode: (u64, u64),
        /// Bytes.
        read: u64,
    },
    /// An archive, or a file with room for more lines: as it was before it was read.
    Seen(Stat),
}

impl Left {
    /// Whether nothing came since.
    pub fn is_like(&self, now: &Stat) -> bool {
        match self {
            Left::Plain { inode, read } => *inode == now.inode && *read == now.size,
            Left::Seen(before) => before == now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_gone_and_nobody_waits_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("file"), "x").unwrap();
        assert_eq!(open(&path("file")).unwrap().1.len(), 1);
        assert!(std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        std::fs::create_dir(path("folder")).unwrap();
        for name in ["pipe", "socket", "folder", "nothing"] {
            assert_eq!(open(&path(name)).err().unwrap().kind(), ErrorKind::NotFound, "{name}");
        }
    }
}
