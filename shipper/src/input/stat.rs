//! What tells that a file has not changed, and how far it was read when it was closed.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

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
    /// An archive, as it was before it was read.
    Archive(Stat),
}

impl Left {
    /// Whether nothing came since.
    pub fn is_like(&self, now: &Stat) -> bool {
        match self {
            Left::Plain { inode, read } => *inode == now.inode && *read == now.size,
            Left::Archive(before) => before == now,
        }
    }
}
