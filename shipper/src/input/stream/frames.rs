//! Cuts what comes over a connection into messages: at a delimiter, or by the count of octets before
//! each (RFC 6587).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// How messages end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Framing {
    /// At these bytes.
    Delimiter(Vec<u8>),
    /// After as many octets as a message says, or at a newline when it says none.
    Rfc6587,
}

/// A count has no more digits; what begins with more is text.
const COUNT_DIGITS_MAX: usize = 10;

/// A buffer that a long message left larger than this is given back.
const CARRY_KEPT_BYTES: usize = 64 << 10;

/// What all connections of an input may hold of messages that have not ended.
pub struct Room {
    used: AtomicUsize,
    bytes_max: usize,
}

impl Room {
    /// For so many bytes.
    pub fn new(bytes_max: usize) -> Room {
        Room { used: AtomicUsize::new(0), bytes_max }
    }

    fn take(&self, wanted: usize) -> usize {
        let before = self.used.fetch_add(wanted, Relaxed);
        let granted = wanted.min(self.bytes_max.saturating_sub(before));
        self.used.fetch_sub(wanted - granted, Relaxed);
        granted
    }

    fn give(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Relaxed);
    }
}

enum At {
    /// Between messages, or in digits that may be a count.
    Start,
    /// In a message that ends at a delimiter.
    Text,
    /// In a message of which so many octets are to come.
    Counted(u64),
}

/// Messages of one connection.
pub struct Frames {
    framing: Framing,
    message_bytes_max: usize,
    room: Arc<Room>,
    at: At,
    carry: Vec<u8>,
    /// The last bytes, as many as a delimiter has, of a message whose rest is dropped.
    tail: Vec<u8>,
    is_cut: bool,
}

impl Frames {
    /// Of a connection that has just begun.
    pub fn new(framing: Framing, message_bytes_max: usize, room: Arc<Room>) -> Frames {
        Frames { framing, message_bytes_max, room, at: At::Start, carry: Vec::new(), tail: Vec::new(), is_cut: false }
    }

    /// Gives every message that ends within `bytes`, and whether some of it was dropped.
    pub fn push(&mut self, mut bytes: &[u8], take: &mut dyn FnMut(&[u8], bool)) {
        while let Some(first) = bytes.first().copied() {
            match self.at {
                At::Start => bytes = self.start(bytes, first),
                At::Text => bytes = self.text(bytes, take),
                At::Counted(left) => {
                    let here = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                    self.keep(&bytes[..here]);
                    bytes = &bytes[here..];
                    let left = left - here as u64;
                    self.at = At::Counted(left);
                    if left == 0 {
                        self.ends(0, take);
                    }
                }
            }
        }
    }

    /// No more comes: gives the message that has begun. One that lacks octets that it has counted is
    /// told as cut.
    pub fn finish(&mut self, take: &mut dyn FnMut(&[u8], bool)) {
        self.is_cut |= matches!(self.at, At::Counted(_));
        self.ends(0, take);
    }

    fn start<'a>(&mut self, bytes: &'a [u8], first: u8) -> &'a [u8] {
        if self.framing != Framing::Rfc6587 {
            self.at = At::Text;
            return bytes;
        }
        if self.carry.is_empty() && matches!(first, b'\n' | b'\r' | 0) {
            return &bytes[1..]; // some put an end behind what they have counted
        }
        if first.is_ascii_digit() && self.carry.len() < COUNT_DIGITS_MAX && !(self.carry.is_empty() && first == b'0') {
            self.keep(&bytes[..1]);
            return &bytes[1..];
        }
        let count = std::str::from_utf8(&self.carry).ok().and_then(|digits| digits.parse().ok());
        match count {
            Some(count) if first == b' ' => {
                self.room.give(self.carry.len());
                self.carry.clear();
                self.at = At::Counted(count);
                &bytes[1..]
            }
            _ => {
                self.at = At::Text;
                bytes
            }
        }
    }

    /// Takes what belongs to a message that ends at a delimiter; what is behind it.
    fn text<'a>(&mut self, bytes: &'a [u8], take: &mut dyn FnMut(&[u8], bool)) -> &'a [u8] {
        let delimiter = match &self.framing {
            Framing::Delimiter(delimiter) => delimiter.clone(),
            Framing::Rfc6587 => vec![b'\n'],
        };
        let last = *delimiter.last().expect("a delimiter has a byte");
        let Some(found) = memchr::memchr(last, bytes) else {
            self.keep(bytes);
            return &[];
        };
        let (here, rest) = bytes.split_at(found + 1);
        self.keep(here);
        let so_far = if self.is_cut { &self.tail } else { &self.carry };
        if so_far.ends_with(&delimiter) {
            let end = if self.is_cut { 0 } else { delimiter.len() };
            self.ends(end, take);
        }
        rest
    }

    fn keep(&mut self, bytes: &[u8]) {
        let delimiter = match &self.framing {
            Framing::Delimiter(delimiter) => delimiter.len(),
            Framing::Rfc6587 => 1,
        };
        if self.is_cut {
            self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(delimiter)..]);
        } else {
            // The delimiter does not count.
            let wanted = bytes.len().min((self.message_bytes_max + delimiter).saturating_sub(self.carry.len()));
            let granted = self.room.take(wanted);
            self.carry.extend_from_slice(&bytes[..granted]);
            if granted == bytes.len() {
                return;
            }
            self.is_cut = true;
            self.tail = self.carry[self.carry.len().saturating_sub(delimiter)..].to_vec();
            self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(delimiter).max(granted)..]);
        }
        let unneeded = self.tail.len().saturating_sub(delimiter);
        self.tail.drain(..unneeded);
    }

    /// The message that has begun is whole but for `end` bytes of delimiter.
    fn ends(&mut self, end: usize, take: &mut dyn FnMut(&[u8], bool)) {
        let length = (self.carry.len() - end).min(self.message_bytes_max);
        let is_cut = self.is_cut || length < self.carry.len() - end;
        let mut message = &self.carry[..length];
        if !is_cut && !matches!(self.at, At::Counted(_)) {
            message = message.strip_suffix(b"\r").unwrap_or(message);
        }
        if !message.is_empty() {
            take(message, is_cut);
        }
        self.room.give(self.carry.len());
        self.carry.clear();
        self.carry.shrink_to(CARRY_KEPT_BYTES);
        self.tail.clear();
        self.is_cut = false;
        self.at = At::Start;
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        self.room.give(self.carry.len());
    }
}

#[cfg(test)]
#[path = "frames_test.rs"]
mod tests;
