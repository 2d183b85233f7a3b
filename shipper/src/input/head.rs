//! The first bytes of a file, decompressed: what it is recognised by.

use super::lines::leading_zeros;
use super::settings::{Compressed, IdentifiedBy};
use super::source::{Compression, Got, Source, SourceError};
use crate::registry::Identity;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};

/// What the beginning of a file tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// How it is compressed.
    pub compression: Compression,
    /// Which file it is; `None` while it is too short to tell.
    pub identity: Option<Identity>,
    /// It is an archive that breaks off so early: more of it may come.
    pub is_unfinished: bool,
}

impl Head {
    /// Whether two names that lead to one inode are links to one file, which may have grown in between.
    /// There are file systems, of FUSE, that give several files the same number.
    pub fn is_of_same(&self, other: &Head) -> bool {
        match (&self.identity, &other.identity) {
            (Some(Identity::Growing(a)), Some(Identity::Growing(b))) => a.starts_with(b) || b.starts_with(a),
            (Some(Identity::Fingerprint(a)), Some(Identity::Fingerprint(b))) => a == b,
            _ => true,
        }
    }
}

/// Looks at a file.
pub fn look(file: &File, inode: (u64, u64), compressed: Compressed, by: IdentifiedBy) -> Result<Head, SourceError> {
    let mut magic = [0u8; 4];
    let read = read_at_most(file, &mut magic, 0)?;
    let compression = match compressed {
        Compressed::Always(compression) => compression,
        Compressed::Detected => Compression::of(&magic[..read]),
    };
    let is_open = compressed == Compressed::Detected && Compression::may_change(&magic[..read]);
    let mut is_unfinished = false;
    let identity = match by {
        // Who began to read an archive as a plain file would send what it is compressed to.
        _ if is_open => None,
        IdentifiedBy::Inode => Some(Identity::Inode(inode.0, inode.1)),
        IdentifiedBy::Fingerprint { offset, length, is_growing } => {
            let (bytes, may_grow) = first_bytes(file, compression, offset, length)?;
            is_unfinished = may_grow && compression != Compression::None;
            let text = without_room(&bytes);
            // Nobody fills the room in an archive.
            let is_full = text.len() == bytes.len() || compression != Compression::None && !is_growing;
            if bytes.len() as u64 == length && text.is_empty() {
                // The hole that a truncation leaves before a writer that does not append: many files have it, and
                // their archives.
                Some(Identity::Inode(inode.0, inode.1))
            } else if bytes.len() as u64 == length && is_full {
                Some(Identity::Fingerprint(Sha256::digest(&bytes).into()))
            } else if text.is_empty() || !is_growing || is_unfinished {
                None // an archive that is being written has its identity when it is whole
            } else {
                Some(Identity::Growing(text.to_vec()))
            }
        }
    };
    Ok(Head { compression, identity, is_unfinished })
}

/// Without the zeros at the end, in the place of which there may be lines soon. A single one may be half of a
/// character of UTF-16, when there is another zero before it.
fn without_room(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let text = &bytes[..end];
    if bytes.len() - end == 1 && text.contains(&0) { bytes } else { text }
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
        Err(SourceError::Damaged(_) | SourceError::NotYet) => return Ok((Vec::new(), true)), // shorter than `offset`
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
            Err(SourceError::Damaged(_)) if filled > 0 => break,
            Ok(Got::End) => break,
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

/// The identity of a plain file of which `read` bytes were read, when it is still the one that was
/// recognised: a copy that was truncated and written anew has other first bytes. What has grown is
/// known by more of them than before.
pub fn still(file: &File, identity: &Identity, by: IdentifiedBy, read: u64) -> io::Result<Option<Identity>> {
    match (identity, by) {
        (Identity::Growing(prefix), IdentifiedBy::Fingerprint { length, .. }) => {
            let known = usize::try_from(read.min(length)).expect("at most 10 MiB").max(prefix.len());
            let mut bytes = vec![0u8; known];
            let read = read_at_most(file, &mut bytes, 0)?;
            Ok((read == known && bytes.starts_with(prefix)).then(|| Identity::Growing(without_room(&bytes).to_vec())))
        }
        (Identity::Fingerprint(sha), IdentifiedBy::Fingerprint { offset, length, .. }) => {
            let mut bytes = vec![0u8; usize::try_from(length).expect("at most 10 MiB")];
            let read = read_at_most(file, &mut bytes, offset)?;
            Ok((Sha256::digest(&bytes[..read]).as_slice() == sha).then(|| identity.clone()))
        }
        // Its first bytes were a hole, or room. When they are any more, it is known by them.
        (Identity::Inode(..), IdentifiedBy::Fingerprint { offset, length, .. }) => {
            let mut bytes = vec![0u8; usize::try_from(length).expect("at most 10 MiB")];
            let read = read_at_most(file, &mut bytes, offset)?;
            let is_same = leading_zeros(&bytes) == bytes.len() && read == bytes.len();
            Ok(is_same.then(|| identity.clone()))
        }
        _ => Ok(Some(identity.clone())),
    }
}

/// Whether a file that was just opened is the one that was recognised: names move on while it waits for its
/// turn.
pub fn is_known_as(
    file: &File,
    compression: Compression,
    identity: &Identity,
    by: IdentifiedBy,
) -> Result<bool, SourceError> {
    match compression {
        Compression::None => Ok(still(file, identity, by, 0)?.is_some()),
        _ => is_archive_of(file, compression, identity, by),
    }
}

fn is_archive_of(
    file: &File,
    compression: Compression,
    identity: &Identity,
    by: IdentifiedBy,
) -> Result<bool, SourceError> {
    match (identity, by) {
        (Identity::Growing(prefix), _) => Ok(beginning(file, compression, prefix.len()) == *prefix),
        (Identity::Fingerprint(sha), IdentifiedBy::Fingerprint { offset, length, .. }) => {
            match first_bytes(file, compression, offset, length) {
                Ok((bytes, _)) => Ok(Sha256::digest(&bytes).as_slice() == sha),
                Err(SourceError::Damaged(_)) => Ok(false),
                Err(e) => Err(e),
            }
        }
        (Identity::Inode(device, inode), _) => {
            let metadata = file.metadata()?;
            Ok((metadata.dev(), metadata.ino()) == (*device, *inode))
        }
        (Identity::Fingerprint(_), IdentifiedBy::Inode) => Ok(true),
        (Identity::Journal, _) => Ok(false),
    }
}

/// A file's first decompressed bytes, `length` at most: as many as can be read.
pub fn beginning(file: &File, compression: Compression, length: usize) -> Vec<u8> {
    let mut bytes = vec![0u8; length];
    let mut filled = 0;
    let source = file.try_clone().map_err(SourceError::from).and_then(|f| Source::open(f, compression, 0, None));
    if let Ok(mut source) = source {
        while filled < length
            && let Ok(Got::Bytes(n)) = source.read(&mut bytes[filled..])
        {
            filled += n;
        }
    }
    bytes.truncate(filled);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const BY: IdentifiedBy = IdentifiedBy::Fingerprint { offset: 0, length: 1024, is_growing: true };

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    fn gz(bytes: &[u8]) -> File {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        file(&encoder.finish().unwrap())
    }

    #[test]
    fn what_a_file_is_known_by_grows_while_it_is_read() {
        let first = Identity::Growing(b"app".to_vec());
        let grown = still(&file(b"app line 1\n"), &first, BY, 11).unwrap().unwrap();
        assert_eq!(grown, Identity::Growing(b"app line 1\n".to_vec()));
        assert_eq!(still(&file(b"app line 2, after a truncation\n"), &grown, BY, 40).unwrap(), None);
        assert_eq!(still(&file(b"app"), &grown, BY, 11).unwrap(), None, "shorter than what was read");
        assert!(still(&file(b"app line 2, after a truncation\n"), &first, BY, 3).unwrap().is_some());
    }

    #[test]
    fn an_archive_under_a_name_that_moved_on_is_another_one() {
        for (own, other) in [(b"one\n".repeat(400), b"two\n".repeat(400)), (b"one\n".to_vec(), b"two\n".to_vec())] {
            let head = look(&gz(&own), (1, 1), Compressed::Detected, BY).unwrap();
            let identity = head.identity.unwrap();
            assert!(is_archive_of(&gz(&own), Compression::Gzip, &identity, BY).unwrap());
            assert!(!is_archive_of(&gz(&other), Compression::Gzip, &identity, BY).unwrap());
        }
    }

    #[test]
    fn what_pzstd_writes_is_zstd() {
        let text = b"one\n".repeat(400);
        let mut bytes = 0x184d_2a50_u32.to_le_bytes().to_vec();
        bytes.extend([4, 0, 0, 0, 9, 9, 9, 9]);
        bytes.extend(zstd::encode_all(&text[..], 1).unwrap());
        let head = look(&file(&bytes), (1, 1), Compressed::Detected, BY).unwrap();
        assert_eq!(head.compression, Compression::Zstd);
        assert_eq!(head.identity, look(&file(&text), (1, 2), Compressed::Detected, BY).unwrap().identity);
    }

    #[test]
    fn a_file_that_may_become_an_archive_is_nothing_yet() {
        let archive = zstd::encode_all(&b"one\n"[..], 1).unwrap();
        for by in [BY, IdentifiedBy::Inode] {
            let identity = |bytes: &[u8], as_is| look(&file(bytes), (1, 1), as_is, by).unwrap().identity.is_some();
            for length in 0..4 {
                assert!(!identity(&archive[..length], Compressed::Detected), "{length} bytes");
            }
            assert!(identity(b"(x", Compressed::Detected) && identity(&archive, Compressed::Detected));
            assert!(identity(b"(", Compressed::Always(Compression::None)));
        }
    }

    #[test]
    fn an_archive_of_which_nothing_is_sound_is_an_error_that_is_told() {
        let file = file(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff, 0xff, 0xff]);
        assert!(matches!(look(&file, (1, 1), Compressed::Detected, BY), Err(SourceError::Damaged(_))));
        let identity = Identity::Fingerprint([0; 32]);
        assert!(!is_archive_of(&file, Compression::Gzip, &identity, BY).unwrap(), "no reason to give another file up");
    }

    #[test]
    fn one_byte_of_room_is_room() {
        let identity = |bytes: &[u8]| look(&file(bytes), (1, 1), Compressed::Detected, BY).unwrap().identity;
        for length in [3, 1023] {
            let text = vec![b'a'; length];
            let room = [&text[..], b"\0"].concat();
            assert_eq!(identity(&room), Some(Identity::Growing(text.clone())));
            let known = Identity::Growing(text.clone());
            assert_eq!(still(&file(&room), &known, BY, length as u64 + 1).unwrap(), Some(known), "{length} bytes");
        }
        let utf_16 = b"a\0\n\0";
        assert_eq!(identity(utf_16), Some(Identity::Growing(utf_16.to_vec())));
        assert!(matches!(identity(&utf_16.repeat(256)), Some(Identity::Fingerprint(_))));
    }

    #[test]
    fn a_file_with_room_that_is_not_known_by_what_it_has_waits_until_the_room_is_filled() {
        let by = IdentifiedBy::Fingerprint { offset: 0, length: 1024, is_growing: false };
        let identity = |file: &File| look(file, (1, 1), Compressed::Detected, by).unwrap().identity;
        let with_room = |lines: usize| [b"line".repeat(lines), vec![0; 4096 - 4 * lines]].concat();
        for lines in [1, 2, 255] {
            assert_eq!(identity(&file(&with_room(lines))), None, "{lines} lines");
        }
        let full = identity(&file(&with_room(256)));
        assert!(matches!(full, Some(Identity::Fingerprint(_))));
        assert_eq!(identity(&file(&with_room(257))), full);
        assert!(identity(&gz(&with_room(2))).is_some(), "nobody fills it any more");
    }

    #[test]
    fn files_that_begin_with_a_hole_are_not_one() {
        let hole = [vec![0; 5000], b"one\n".to_vec()].concat();
        let identity = |inode| look(&file(&hole), (1, inode), Compressed::Detected, BY).unwrap().identity;
        assert_eq!(identity(7), Some(Identity::Inode(1, 7)));
        assert_eq!(identity(8), Some(Identity::Inode(1, 8)));
        let known = Identity::Inode(1, 8);
        assert_eq!(still(&file(&hole), &known, BY, 5004).unwrap(), Some(known.clone()));
        let filled = [b"zero\n".to_vec(), hole[5..].to_vec()].concat();
        for (other, by, is_same) in
            [(&filled[..], BY, false), (&hole[..1023], BY, false), (&filled[..], IdentifiedBy::Inode, true)]
        {
            assert_eq!(still(&file(other), &known, by, 0).unwrap().is_some(), is_same, "{} bytes", other.len());
        }
        let archive = look(&gz(&hole), (1, 9), Compressed::Detected, BY).unwrap();
        assert_eq!(archive.identity, Some(Identity::Inode(1, 9)), "the next archive would count as read");
    }
}
