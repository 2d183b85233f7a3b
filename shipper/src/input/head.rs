//! The first bytes of a file, decompressed: what it is recognised by.

use super::settings::{Compressed, IdentifiedBy};
use super::source::{Compression, Got, Source, SourceError};
use crate::registry::Identity;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// What the beginning of a file tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// How it is compressed.
    pub compression: Compression,
    /// Which file it is; `None` while it is too short to tell.
    pub identity: Option<Identity>,
}

/// Looks at a file.
pub fn look(file: &File, inode: (u64, u64), compressed: Compressed, by: IdentifiedBy) -> Result<Head, SourceError> {
    let mut magic = [0u8; 4];
    let read = read_at_most(file, &mut magic, 0)?;
    let compression = match compressed {
        Compressed::Always(compression) => compression,
        Compressed::Detected => Compression::of(&magic[..read]),
    };
    let identity = match by {
        IdentifiedBy::Inode => Some(Identity::Inode(inode.0, inode.1)),
        IdentifiedBy::Fingerprint { offset, length, is_growing } => {
            let (bytes, may_grow) = first_bytes(file, compression, offset, length)?;
            if bytes.len() as u64 == length {
                Some(Identity::Fingerprint(Sha256::digest(&bytes).into()))
            } else if bytes.is_empty() || !is_growing || (may_grow && compression != Compression::None) {
                None // an archive that is being written has its identity when it is whole
            } else {
                Some(Identity::Growing(bytes))
            }
        }
    };
    Ok(Head { compression, identity })
}

/// Decompressed bytes from `offset` on, `length` at most, and whether more may come.
fn first_bytes(
    file: &File,
    compression: Compression,
    offset: u64,
    length: u64,
) -> Result<(Vec<u8>, bool), SourceError> {
    let mut bytes = vec![0u8; usize::try_from(length).expect("at most 10 MiB")];
    if compression == Compression::None {
        let read = read_at_most(file, &mut bytes, offset)?;
        bytes.truncate(read);
        return Ok((bytes, true));
    }
    let mut source = match Source::open(file.try_clone()?, compression, offset, None) {
        Ok(source) => source,
        Err(SourceError::Damaged(_)) => return Ok((Vec::new(), true)), // shorter than `offset`
        Err(e) => return Err(e),
    };
    let mut filled = 0;
    let mut may_grow = false;
    while filled < bytes.len() {
        match source.read(&mut bytes[filled..]) {
            Ok(Got::Bytes(n)) => filled += n,
            Ok(Got::NoMoreYet) => {
                may_grow = true;
                break;
            }
            // What is damaged behind its first bytes is read as far as it goes.
            Ok(Got::End) | Err(SourceError::Damaged(_)) => break,
            Err(e) => return Err(e),
        }
    }
    bytes.truncate(filled);
    Ok((bytes, may_grow))
}

/// Reads until the buffer is full or the file ends.
pub fn read_at_most(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read_at(&mut buffer[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(filled)
}

/// Whether a plain file that is open is still the one that was recognised: a copy that was truncated
/// and written anew has other first bytes.
pub fn is_still(file: &File, identity: &Identity, by: IdentifiedBy) -> io::Result<bool> {
    match (identity, by) {
        (Identity::Growing(prefix), _) => {
            let mut bytes = vec![0u8; prefix.len()];
            let read = read_at_most(file, &mut bytes, 0)?;
            Ok(&bytes[..read] == prefix.as_slice())
        }
        (Identity::Fingerprint(sha), IdentifiedBy::Fingerprint { offset, length, .. }) => {
            let mut bytes = vec![0u8; usize::try_from(length).expect("at most 10 MiB")];
            let read = read_at_most(file, &mut bytes, offset)?;
            Ok(Sha256::digest(&bytes[..read]).as_slice() == sha)
        }
        _ => Ok(true),
    }
}
