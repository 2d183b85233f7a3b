//! Frames of a segment: one batch each, `header (24) | ends of events (4 each) | their bytes`, little
//! endian.
//!
//! A header has a checksum of its own, which where it stands is part of. So a damaged payload is
//! stepped over with the number of its events known, and behind a damaged header the next sound one is
//! found; nothing that events say looks like one.

use super::Place;
use crate::output::batch::Batch;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Bytes before a payload.
pub(super) const HEADER_BYTES: u64 = 24;

/// Events have action lines.
pub(super) const HAS_ACTIONS: u32 = 1;

/// Action lines have ids that the shipper made.
pub(super) const HAS_IDS: u32 = 2;

const MAGIC: [u8; 4] = *b"HfQ1";

/// What the search for the next sound header reads at once.
const SEARCH_BYTES: u64 = 64 << 10;

/// What is before a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    payload: u32,
    pub(super) events: u32,
    pub(super) flags: u32,
    checksum: u32,
}

/// What is at a place of a segment.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A header, whose payload is there as far as its length goes.
    Frame(Header),
    /// No header until there.
    Damaged {
        /// Where the next sound header is, or the end.
        to: u64,
    },
    /// Nothing more.
    End,
}

impl Header {
    fn to_bytes(self, at: Place) -> [u8; 24] {
        let mut out = [0; 24];
        out[..4].copy_from_slice(&MAGIC);
        for (word, to) in [self.payload, self.events, self.flags, self.checksum].iter().zip(out[4..].as_chunks_mut().0)
        {
            *to = word.to_le_bytes();
        }
        let own = own_checksum(&out[..20], at);
        out[20..].copy_from_slice(&own.to_le_bytes());
        out
    }

    fn from_bytes(bytes: &[u8; 24], at: Place) -> Option<Header> {
        let word = |n: usize| u32::from_le_bytes(bytes.as_chunks().0[n]);
        let is_sound = bytes.starts_with(&MAGIC) && word(5) == own_checksum(&bytes[..20], at);
        is_sound.then(|| Header { payload: word(1), events: word(2), flags: word(3), checksum: word(4) })
    }

    /// Bytes of the whole frame.
    pub(super) fn bytes(self) -> u64 {
        HEADER_BYTES + u64::from(self.payload)
    }
}

fn own_checksum(bytes: &[u8], at: Place) -> u32 {
    let checksum = crc32c::crc32c_append(crc32c::crc32c(bytes), &at.segment.to_le_bytes());
    crc32c::crc32c_append(checksum, &at.offset.to_le_bytes())
}

/// Bytes of the frame of a batch.
pub(super) fn bytes(batch: &Batch) -> u64 {
    HEADER_BYTES + 4 * batch.ends.len() as u64 + batch.body.len() as u64
}

/// Writes a batch; as long as [`bytes`] says.
pub(super) fn write(file: &File, at: Place, batch: &Batch, flags: u32) -> io::Result<()> {
    let ends: Vec<u8> = batch.ends.iter().flat_map(|end| end.to_le_bytes()).collect();
    let checksum = crc32c::crc32c_append(crc32c::crc32c(&ends), &batch.body);
    let payload = u32::try_from(ends.len() + batch.body.len()).expect("a batch is far below 4 GiB");
    let events = u32::try_from(batch.ends.len()).expect("a batch has fewer events than bytes");
    let mut head = Header { payload, events, flags, checksum }.to_bytes(at).to_vec();
    head.extend(ends);
    file.write_all_at(&head, at.offset)?;
    file.write_all_at(&batch.body, at.offset + head.len() as u64)
}

/// What is at a place, when the segment has `end` bytes.
pub(super) fn look(file: &File, at: Place, end: u64) -> io::Result<Step> {
    if at.offset >= end {
        return Ok(Step::End);
    }
    if let Some(header) = header(file, at, end)? {
        let is_whole = at.offset + header.bytes() <= end;
        return Ok(if is_whole { Step::Frame(header) } else { Step::Damaged { to: end } });
    }
    let mut from = at.offset + 1;
    let mut chunk = Vec::new();
    while from + HEADER_BYTES <= end {
        chunk.resize(usize::try_from(SEARCH_BYTES.min(end - from)).expect("a chunk is small"), 0);
        file.read_exact_at(&mut chunk, from)?;
        for found in memchr::memmem::find_iter(&chunk, &MAGIC) {
            let to = from + found as u64;
            if header(file, Place { offset: to, ..at }, end)?.is_some() {
                return Ok(Step::Damaged { to });
            }
        }
        // The last bytes may begin what the next chunk ends.
        from += (chunk.len() - (MAGIC.len() - 1)) as u64;
    }
    Ok(Step::Damaged { to: end })
}

fn header(file: &File, at: Place, end: u64) -> io::Result<Option<Header>> {
    if at.offset + HEADER_BYTES > end {
        return Ok(None);
    }
    let mut bytes = [0; 24];
    file.read_exact_at(&mut bytes, at.offset)?;
    Ok(Header::from_bytes(&bytes, at))
}

/// Reads the payload of a header into a batch; whether it is as it was written.
pub(super) fn read(file: &File, at: Place, header: Header, batch: &mut Batch) -> io::Result<bool> {
    let ends_bytes = 4 * header.events as usize;
    let Some(body_bytes) = (header.payload as usize).checked_sub(ends_bytes) else { return Ok(false) };
    let mut ends = vec![0; ends_bytes];
    file.read_exact_at(&mut ends, at.offset + HEADER_BYTES)?;
    batch.body.resize(body_bytes, 0);
    file.read_exact_at(&mut batch.body, at.offset + HEADER_BYTES + ends_bytes as u64)?;
    batch.ends = ends.as_chunks().0.iter().map(|end| u32::from_le_bytes(*end)).collect();
    let is_sound = crc32c::crc32c_append(crc32c::crc32c(&ends), &batch.body) == header.checksum;
    Ok(is_sound && batch.ends.is_sorted() && batch.ends.last().map_or(0, |end| *end as usize) == body_bytes)
}
