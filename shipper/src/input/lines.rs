//! Cuts decompressed bytes into lines, and says of each where it lies.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// How lines end in an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Byte,
    Little,
    Big,
}

/// Finds lines in what is read piece by piece.
pub struct Lines {
    encoding: &'static Encoding,
    unit: Unit,
    line_bytes_max: usize,
    /// The beginning of a line whose end has not come.
    carry: Vec<u8>,
    /// The rest of a line that is too long is passed over.
    is_skipping: bool,
    /// The last byte of the line that has begun, kept or not.
    last: u8,
    /// Of the next byte that comes.
    offset: u64,
    /// Of the line that has begun, or of the zeros before it.
    line_start: u64,
    /// Zeros behind the last line, or behind the beginning of the next, of which nobody knows yet what is
    /// behind them.
    zeros: u64,
}

/// One line, without its end.
#[derive(Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its bytes as UTF-8.
    pub text: Cow<'a, [u8]>,
    /// Decompressed offset of its first byte.
    pub start: u64,
    /// Decompressed offset behind its end.
    pub end: u64,
    /// Its rest was dropped.
    pub is_cut: bool,
}

impl Lines {
    /// Lines from an offset on, which is the beginning of one.
    pub fn new(encoding: &'static Encoding, line_bytes_max: usize, offset: u64) -> Lines {
        let unit = match encoding {
            e if e == UTF_16LE => Unit::Little,
            e if e == UTF_16BE => Unit::Big,
            _ => Unit::Byte,
        };
        let carry = Vec::new();
        let (is_skipping, last, zeros) = (false, 0, 0);
        Lines { encoding, unit, line_bytes_max, carry, is_skipping, last, offset, line_start: offset, zeros }
    }

    /// Gives every line that ends within `bytes`.
    pub fn push(&mut self, bytes: &[u8], mut take: impl FnMut(Line<'_>)) {
        let base = self.offset;
        let mut at = self.hole(bytes, 0);
        while let Some(end) = self.line_end(bytes, at) {
            let end_offset = base + end as u64;
            let piece = &bytes[at..end];
            if self.carry.is_empty() && piece.len() <= self.line_bytes_max {
                take(self.line(piece, self.line_start, end_offset, false));
            } else {
                self.append(piece);
                // What ends a line does not count.
                let is_cut = end_offset - self.line_start > self.line_bytes_max as u64 + self.end_bytes();
                let whole = std::mem::take(&mut self.carry);
                take(self.line(&whole, self.line_start, end_offset, is_cut));
            }
            self.is_skipping = false;
            self.line_start = end_offset;
            at = self.hole(bytes, end);
        }
        let rest = &bytes[at..];
        let text = if self.unit == Unit::Byte { without_zeros(rest) } else { rest };
        self.append(text);
        if !self.is_skipping {
            self.zeros += (rest.len() - text.len()) as u64;
        }
        self.offset = base + bytes.len() as u64;
    }

    /// Passes over zeros before a line; where it begins. A file that is truncated under a writer that does
    /// not append has gigabytes of them, which would count as a part of the line behind. Before the end of a
    /// file they may be room that its writer fills: then there is no line behind them, or the rest of one.
    fn hole(&mut self, bytes: &[u8], from: usize) -> usize {
        if self.is_skipping || self.unit != Unit::Byte || from == bytes.len() {
            return from;
        }
        let zeros = bytes[from..].iter().take_while(|b| **b == 0).count();
        self.zeros += zeros as u64;
        if from + zeros < bytes.len() {
            let before = std::mem::take(&mut self.zeros);
            if self.carry.is_empty() {
                self.line_start += before;
            } else {
                self.append_zeros(before);
            }
        }
        from + zeros
    }

    /// The line that has begun, when no more will come.
    pub fn finish(&mut self, take: impl FnOnce(Line<'_>)) {
        let zeros = std::mem::take(&mut self.zeros);
        if self.carry.is_empty() && !self.is_skipping {
            self.line_start += zeros;
        }
        if self.offset > self.line_start {
            let rest = std::mem::take(&mut self.carry);
            let is_cut = std::mem::take(&mut self.is_skipping);
            take(self.line(&rest, self.line_start, self.offset, is_cut));
            self.line_start = self.offset;
        }
    }

    /// Where zeros begin that nothing is behind: after the last line, or after the beginning of another.
    pub fn room_start(&self) -> Option<u64> {
        (self.zeros > 0).then(|| self.offset - self.zeros)
    }

    /// Decompressed offset of such zeros, or of the next byte that comes.
    pub fn read_to(&self) -> u64 {
        self.room_start().unwrap_or(self.offset)
    }

    /// Decompressed offset of the line that has begun, or of zeros behind the last.
    pub fn line_start(&self) -> u64 {
        self.line_start
    }

    /// Bytes of the line that has begun that are in memory and can be let go.
    pub fn carried(&self) -> usize {
        if self.is_skipping { 0 } else { self.carry.len() }
    }

    /// Lets go of them: what comes next is the beginning of that line again.
    pub fn rewind(&mut self) {
        self.carry = Vec::new();
        self.zeros = 0;
        self.offset = self.line_start;
    }

    /// Decompressed offset of the next byte that comes.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Of a newline.
    fn end_bytes(&self) -> u64 {
        if self.unit == Unit::Byte { 1 } else { 2 }
    }

    /// Keeps what fits of the line that has begun.
    fn append(&mut self, piece: &[u8]) {
        let room = self.line_bytes_max.saturating_sub(self.carry.len());
        self.carry.extend_from_slice(&piece[..piece.len().min(room)]);
        self.is_skipping |= piece.len() > room;
        self.last = piece.last().copied().unwrap_or(self.last);
    }

    /// As [`Lines::append`], of zeros that turned out to be a part of the line.
    fn append_zeros(&mut self, zeros: u64) {
        let room = self.line_bytes_max.saturating_sub(self.carry.len());
        let kept = usize::try_from(zeros).unwrap_or(usize::MAX).min(room);
        self.carry.resize(self.carry.len() + kept, 0);
        self.is_skipping |= zeros > room as u64;
    }

    /// Where a line ends that begins, or goes on, at `from`: behind its newline.
    fn line_end(&self, bytes: &[u8], from: usize) -> Option<usize> {
        match self.unit {
            Unit::Byte => memchr::memchr(b'\n', &bytes[from..]).map(|n| from + n + 1),
            Unit::Little | Unit::Big => {
                // Units begin at even distances from the line's beginning, which may be carried.
                let is_odd = (self.offset + from as u64 - self.line_start) % 2 == 1;
                let newline: [u8; 2] = if self.unit == Unit::Little { [b'\n', 0] } else { [0, b'\n'] };
                if is_odd && from < bytes.len() && [self.last, bytes[from]] == newline {
                    return Some(from + 1);
                }
                let mut at = from + usize::from(is_odd);
                while at + 1 < bytes.len() {
                    if bytes[at..at + 2] == newline {
                        return Some(at + 2);
                    }
                    at += 2;
                }
                None
            }
        }
    }

    fn line<'a>(&self, raw: &'a [u8], start: u64, end: u64, is_cut: bool) -> Line<'a> {
        Line { text: self.text(raw, start == 0), start, end, is_cut }
    }

    /// Its text. Only a file's first line may begin with a mark of UTF-8, those of UTF-16 are in no text.
    fn text<'a>(&self, raw: &'a [u8], is_first: bool) -> Cow<'a, [u8]> {
        if self.encoding == UTF_8 {
            let raw = raw.strip_prefix(b"\xef\xbb\xbf").filter(|_| is_first).unwrap_or(raw);
            let raw = raw.strip_suffix(b"\n").unwrap_or(raw);
            return Cow::Borrowed(raw.strip_suffix(b"\r").unwrap_or(raw));
        }
        let (text, _) = self.encoding.decode_without_bom_handling(raw);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let text = text.strip_suffix('\n').unwrap_or(text);
        Cow::Owned(text.strip_suffix('\r').unwrap_or(text).as_bytes().to_vec())
    }
}

fn without_zeros(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(lines: &mut Lines, pieces: &[&[u8]]) -> Vec<(String, u64, u64, bool)> {
        let mut out = Vec::new();
        let mut take = |l: Line<'_>| {
            out.push((String::from_utf8_lossy(&l.text).into_owned(), l.start, l.end, l.is_cut));
        };
        for piece in pieces {
            lines.push(piece, &mut take);
        }
        lines.finish(take);
        out
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_and_the_next_is_whole() {
        let mut lines = Lines::new(UTF_8, 4, 10);
        let found = all(&mut lines, &[b"abcd", b"efgh", b"ij\nk\n"]);
        assert_eq!(found, [("abcd".into(), 10, 21, true), ("k".into(), 21, 23, false)]);
    }

    #[test]
    fn a_line_that_is_as_long_as_it_may_be_is_whole() {
        let text = "abcd\nabcde\nabc\r\n";
        for cut in 0..=text.len() {
            let found = all(&mut Lines::new(UTF_8, 4, 0), &[&text.as_bytes()[..cut], &text.as_bytes()[cut..]]);
            assert_eq!(
                found,
                [("abcd".into(), 0, 5, false), ("abcd".into(), 5, 11, true), ("abc".into(), 11, 16, false)],
                "cut at {cut}"
            );
        }
        let found = all(&mut Lines::new(UTF_16BE, 4, 0), &[b"\0a\0b\0\n\0c\0\n"]);
        assert_eq!(found, [("ab".into(), 0, 6, false), ("c".into(), 6, 10, false)]);
    }

    #[test]
    fn a_hole_is_no_part_of_the_line_behind_it() {
        let bytes = b"a\n\0\0\0\0\0\0b\n\0c\0d\n\0\0";
        for cut in 0..=bytes.len() {
            let found = all(&mut Lines::new(UTF_8, 4, 0), &[&bytes[..cut], &bytes[cut..]]);
            assert_eq!(
                found,
                [("a".into(), 0, 2, false), ("b".into(), 8, 10, false), ("c\0d".into(), 11, 15, false)],
                "cut at {cut}"
            );
        }
    }

    #[test]
    fn zeros_at_the_end_are_not_passed_over_before_something_is_behind_them() {
        let mut lines = Lines::new(UTF_8, 100, 0);
        lines.push(b"a\n\0\0", |_| {});
        assert_eq!((lines.line_start(), lines.room_start()), (2, Some(2)));
        lines.push(b"\0", |_| {});
        assert_eq!((lines.line_start(), lines.room_start()), (2, Some(2)));
        lines.rewind();
        assert_eq!((lines.offset(), lines.room_start()), (2, None));
        assert_eq!(
            all(&mut lines, &[b"b\n\0", b"\0c\n", b"\0"]),
            [("b".into(), 2, 4, false), ("c".into(), 6, 8, false)]
        );
        assert_eq!(lines.line_start(), 9, "no more comes");
        lines.push(b"d\0\0", |_| {});
        assert_eq!((lines.line_start(), lines.room_start()), (9, Some(10)), "the end of a line may be there yet");
    }

    #[test]
    fn zeros_behind_the_beginning_of_a_line_are_not_kept_and_may_become_its_end() {
        let mut lines = Lines::new(UTF_8, 4, 0);
        lines.push(b"a\ntw", |_| {});
        for _ in 0..10 {
            lines.push(&[0; 100], |_| {});
        }
        assert_eq!((lines.line_start(), lines.room_start(), lines.carried()), (2, Some(4), 2));
        lines.rewind();
        assert_eq!(all(&mut lines, &[b"two\n\0\0"]), [("two".into(), 2, 6, false)]);
        let found = all(&mut Lines::new(UTF_8, 4, 0), &[b"tw", &[0; 100], b"o\nb\n"]);
        assert_eq!(found, [("tw\0\0".into(), 0, 104, true), ("b".into(), 104, 106, false)]);
    }

    #[test]
    fn utf_16_is_cut_at_its_own_newlines() {
        let text = "aĊ\nb\r\nc"; // Ċ is U+010A: its low byte looks like a newline
        for encoding in [UTF_16LE, UTF_16BE] {
            let bytes: Vec<u8> = text
                .encode_utf16()
                .flat_map(|u| if encoding == UTF_16LE { u.to_le_bytes() } else { u.to_be_bytes() })
                .collect();
            for cut in 0..bytes.len() {
                let mut lines = Lines::new(encoding, 100, 0);
                let found = all(&mut lines, &[&bytes[..cut], &bytes[cut..]]);
                assert_eq!(
                    found,
                    [("aĊ".into(), 0, 6, false), ("b".into(), 6, 12, false), ("c".into(), 12, 14, false)],
                    "cut at {cut}"
                );
            }
        }
    }

    #[test]
    fn a_line_of_utf_16_that_is_too_long_ends_where_it_ends() {
        for encoding in [UTF_16LE, UTF_16BE] {
            let bytes: Vec<u8> = "abcdefghij\nk\n"
                .encode_utf16()
                .flat_map(|u| if encoding == UTF_16LE { u.to_le_bytes() } else { u.to_be_bytes() })
                .collect();
            for cut in 0..bytes.len() {
                let found = all(&mut Lines::new(encoding, 8, 0), &[&bytes[..cut], &bytes[cut..]]);
                assert_eq!(found, [("abcd".into(), 0, 22, true), ("k".into(), 22, 26, false)], "cut at {cut}");
            }
        }
    }

    #[test]
    fn the_mark_at_the_beginning_of_a_file_is_no_text() {
        let found = all(&mut Lines::new(UTF_8, 100, 0), &[b"\xef\xbb\xbf{}\n\xef\xbb\xbfb\n"]);
        assert_eq!(found, [("{}".into(), 0, 6, false), ("\u{feff}b".into(), 6, 11, false)]);
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(text in "[ab\n\r]{0,60}", cuts in proptest::collection::vec(0usize..60, 0..6)) {
            let bytes = text.as_bytes();
            let whole = all(&mut Lines::new(UTF_8, 1000, 0), &[bytes]);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c.min(bytes.len())).collect();
            cuts.sort_unstable();
            let mut pieces = Vec::new();
            let mut last = 0;
            for cut in cuts {
                pieces.push(&bytes[last..cut]);
                last = cut;
            }
            pieces.push(&bytes[last..]);
            prop_assert_eq!(&all(&mut Lines::new(UTF_8, 1000, 0), &pieces), &whole);
            let joined: u64 = whole.iter().map(|l| l.2 - l.1).sum();
            prop_assert_eq!(joined, bytes.len() as u64);
        }
    }
}
