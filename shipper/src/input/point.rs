//! A place inside an archive from which reading can begin: in a gzip file between two deflate blocks, with
//! the 32 KiB before it, in a zstd file between two frames, without. Without one, a restart in a large archive would read all that it has read
//! before; zlib's own example `zran` shows the method.

use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"HFPOINT1";

/// The compressed bytes before the place that must be the same when it is used.
const GUARD_BYTES: usize = 4096;

/// What tells that a file is the one that a point was made of: CRC-32C of the bytes before it.
pub(super) fn guard(file: &File, before: u64) -> io::Result<u32> {
    let length = usize::try_from(before).unwrap_or(usize::MAX).min(GUARD_BYTES);
    let mut bytes = vec![0u8; length];
    file.read_exact_at(&mut bytes, before - length as u64)?;
    Ok(crc32c::crc32c(&bytes))
}

/// A place between two blocks of a member, or between two frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Where the next block begins in the file: the byte after the last one consumed.
    pub input_offset: u64,
    /// So many bits of the byte before belong to the next block.
    pub bits: u8,
    /// Decompressed bytes of the whole file before this place.
    pub output_offset: u64,
    /// Decompressed bytes of this member before it, modulo 2³².
    pub member_bytes: u32,
    /// Their CRC-32.
    pub member_crc: u32,
    /// CRC-32C of the compressed bytes before it, [`GUARD_BYTES`] at most.
    pub guard: u32,
    /// The output that the next block may look back to; frames don't.
    pub window: Vec<u8>,
}

impl Point {
    /// Decompressed bytes before this place.
    pub fn output_offset(&self) -> u64 {
        self.output_offset
    }

    fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut out = MAGIC.to_vec();
        out.extend(self.input_offset.to_le_bytes());
        out.extend(self.output_offset.to_le_bytes());
        out.extend(self.member_bytes.to_le_bytes());
        out.extend(self.member_crc.to_le_bytes());
        out.extend(self.guard.to_le_bytes());
        out.push(self.bits);
        ZlibEncoder::new(&self.window[..], Compression::fast()).read_to_end(&mut out)?;
        out.extend(crc32c::crc32c(&out).to_le_bytes());
        Ok(out)
    }

    fn from_bytes(bytes: &[u8]) -> Option<Point> {
        let (body, checksum) = bytes.split_last_chunk::<4>()?;
        if crc32c::crc32c(body) != u32::from_le_bytes(*checksum) || !body.starts_with(MAGIC) {
            return None;
        }
        let word = |at: usize| body.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes);
        let long = |at: usize| body.get(at..at + 8)?.try_into().ok().map(u64::from_le_bytes);
        let mut window = Vec::new();
        ZlibDecoder::new(body.get(37..)?).take(super::inflate::WINDOW_BYTES as u64).read_to_end(&mut window).ok()?;
        Some(Point {
            input_offset: long(8)?,
            output_offset: long(16)?,
            member_bytes: word(24)?,
            member_crc: word(28)?,
            guard: word(32)?,
            bits: *body.get(36)?,
            window,
        })
    }
}

/// The newest point of each file, in a folder of their own. They are only ever a short cut: one that
/// is missing or damaged costs time.
pub struct Points {
    folder: PathBuf,
}

impl Points {
    /// Makes the folder.
    pub fn open(folder: PathBuf) -> io::Result<Points> {
        fs::create_dir_all(&folder)?;
        Ok(Points { folder })
    }

    fn path(&self, key: &str) -> PathBuf {
        use sha2::{Digest, Sha256};
        let name = Sha256::digest(key.as_bytes());
        self.folder.join(name.iter().take(16).fold(String::new(), |s, b| format!("{s}{b:02x}")))
    }

    /// Replaces the point of a file.
    pub fn keep(&self, key: &str, point: &Point) -> io::Result<()> {
        let path = self.path(key);
        let fresh = path.with_extension("new");
        fs::write(&fresh, point.to_bytes()?)?;
        fs::rename(fresh, path)
    }

    /// The point of a file, when there is a sound one.
    pub fn find(&self, key: &str) -> Option<Point> {
        Point::from_bytes(&fs::read(self.path(key)).ok()?)
    }

    /// Forgets a file.
    pub fn forget(&self, key: &str) {
        let _ = fs::remove_file(self.path(key));
    }

    /// Forgets files that are none of these, and what a crash left half written.
    pub fn keep_only(&self, keys: impl Iterator<Item = String>) {
        let there: Vec<PathBuf> =
            fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        if there.is_empty() {
            return;
        }
        let kept: BTreeSet<PathBuf> = keys.map(|key| self.path(&key)).collect();
        for path in there.iter().filter(|path| !kept.contains(*path)) {
            let _ = fs::remove_file(path);
        }
    }

    /// Where they are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point() -> Point {
        Point {
            input_offset: 5_000_000_000,
            bits: 3,
            output_offset: 45_000_000_000,
            member_bytes: 7,
            member_crc: 0xdead_beef,
            guard: 9,
            window: b"before ".repeat(4000),
        }
    }

    #[test]
    fn comes_back_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let points = Points::open(folder.path().join("points")).unwrap();
        points.keep("a", &point()).unwrap();
        assert_eq!(points.find("a"), Some(point()));
        assert_eq!(points.find("b"), None);
        points.forget("a");
        assert_eq!(points.find("a"), None);
    }

    #[test]
    fn points_of_files_that_nobody_knows_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let points = Points::open(folder.path().join("points")).unwrap();
        points.keep("a", &point()).unwrap();
        points.keep("b", &point()).unwrap();
        fs::write(points.folder().join("half.new"), "x").unwrap();
        points.keep_only(["b", "c"].map(str::to_owned).into_iter());
        assert_eq!((points.find("a"), points.find("b")), (None, Some(point())));
        assert_eq!(fs::read_dir(points.folder()).unwrap().count(), 1);
    }

    #[test]
    fn any_flipped_byte_is_noticed() {
        let sound = point().to_bytes().unwrap();
        for at in 0..sound.len() {
            let mut damaged = sound.clone();
            damaged[at] ^= 0x10;
            assert_eq!(Point::from_bytes(&damaged), None, "byte {at}");
        }
    }
}
