//! How far a queue on disk was acknowledged: two slots that are written in turns, so that a torn write
//! leaves the one before.

use super::Place;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

const SLOT_BYTES: usize = 28;

/// Slots are in different sectors.
const SLOT_DISTANCE: u64 = 4096;

/// The file.
pub(super) struct Position {
    file: File,
    sequence: u64,
}

impl Position {
    /// Opens, or makes, the file; what it says. Damage of both slots is an error of its own kind.
    pub(super) fn open(path: &Path) -> io::Result<(Position, Result<Place, ()>)> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
        let is_new = file.metadata()?.len() == 0;
        let newest = newest(&file);
        let mut position = Position { file, sequence: newest.map_or(0, |(sequence, _)| sequence) };
        if is_new {
            // Both slots have their room on the disk from now on.
            position.write(Place::default())?;
            position.write(Place::default())?;
        }
        let place = if is_new { Ok(Place::default()) } else { newest.map(|(_, place)| place).ok_or(()) };
        Ok((position, place))
    }

    /// Notes a place, which a crash of the process leaves there.
    pub(super) fn write(&mut self, place: Place) -> io::Result<()> {
        let sequence = self.sequence + 1;
        let mut bytes = [0; SLOT_BYTES];
        for (word, to) in [sequence, place.segment, place.offset].iter().zip(bytes.as_chunks_mut().0) {
            *to = word.to_le_bytes();
        }
        let checksum = crc32c::crc32c(&bytes[..24]);
        bytes[24..].copy_from_slice(&checksum.to_le_bytes());
        self.file.write_all_at(&bytes, sequence % 2 * SLOT_DISTANCE)?;
        self.sequence = sequence;
        Ok(())
    }

    /// The file, to sync it while others go on.
    pub(super) fn file(&self) -> io::Result<File> {
        self.file.try_clone()
    }
}

/// What a position's file says, for who changes nothing in it.
pub(super) fn of(path: &Path) -> Option<Place> {
    newest(&File::open(path).ok()?).map(|(_, place)| place)
}

fn newest(file: &File) -> Option<(u64, Place)> {
    let mut newest = None;
    for slot in 0..2 {
        let mut bytes = [0; SLOT_BYTES];
        if file.read_exact_at(&mut bytes, slot * SLOT_DISTANCE).is_ok() {
            newest = newest.max(read(&bytes));
        }
    }
    newest
}

fn read(bytes: &[u8; SLOT_BYTES]) -> Option<(u64, Place)> {
    let word = |n: usize| u64::from_le_bytes(bytes.as_chunks().0[n]);
    let checksum = u32::from_le_bytes(*bytes[24..].first_chunk()?);
    (crc32c::crc32c(&bytes[..24]) == checksum).then(|| (word(0), Place { segment: word(1), offset: word(2) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_slot_leaves_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("position");
        let (mut position, place) = Position::open(&path).unwrap();
        assert_eq!(place, Ok(Place::default()));
        let places: Vec<Place> = (1..4).map(|n| Place { segment: n, offset: 10 * n }).collect();
        for place in &places {
            position.write(*place).unwrap();
        }
        assert_eq!(Position::open(&path).unwrap().1, Ok(places[2]));
        // The newest is the fifth, in the second slot.
        position.file.write_all_at(&[7], SLOT_DISTANCE + 9).unwrap();
        assert_eq!(Position::open(&path).unwrap().1, Ok(places[1]));
        position.file.write_all_at(&[7], 9).unwrap();
        assert_eq!(Position::open(&path).unwrap().1, Err(()), "damage is no beginning");
    }
}
