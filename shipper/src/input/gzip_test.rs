use super::*;
use crate::input::source::{Compression, Source};
use flate2::write::GzEncoder;
use std::io::Write;

fn gz(bytes: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::new(level));
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

/// All that comes, and how it ends.
fn all(source: &mut Source) -> (Vec<u8>, Result<Got, SourceError>) {
    let mut out = Vec::new();
    let mut buffer = vec![0; 10_000];
    loop {
        match source.read(&mut buffer) {
            Ok(Got::Bytes(n)) => out.extend(&buffer[..n]),
            other => return (out, other),
        }
    }
}

fn lines(count: u64) -> Vec<u8> {
    let mut text = Vec::new();
    for i in 0..count {
        writeln!(text, "{i} {:x}", i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).unwrap();
    }
    text
}

#[test]
fn members_follow_each_other_and_padding_is_left_alone() {
    let mut bytes = gz(b"one\n", 6);
    bytes.extend(gz(b"", 6));
    bytes.extend(gz(b"two\n", 1));
    bytes.extend([0; 700]);
    let mut source = Source::open(file(&bytes), Compression::Gzip, 0, None).unwrap();
    let (out, end) = all(&mut source);
    assert_eq!(out, b"one\ntwo\n");
    assert_eq!(end.unwrap(), Got::End);
}

#[test]
fn what_is_behind_the_last_member_and_is_none_is_told_of() {
    for (padding, garbage) in [(0, &b"added by hand\n"[..]), (700, b"x"), (0, b"\x1fx"), (9, b"\x1f\x8bx")] {
        let bytes = [gz(b"one\n", 6), gz(b"two\n", 6), vec![0; padding], garbage.to_vec()].concat();
        let mut source = Source::open(file(&bytes), Compression::Gzip, 0, None).unwrap();
        let (out, end) = all(&mut source);
        assert_eq!(out, b"one\ntwo\n");
        assert!(matches!(end, Err(SourceError::Damaged(_))), "{garbage:?}: {end:?}");
    }
}

#[test]
fn a_cut_file_gives_what_is_there_and_goes_on_when_it_grows() {
    let text = lines(5000);
    let bytes = gz(&text, 6);
    for cut in [0, 1, 5, 12, 1000, bytes.len() - 9, bytes.len() - 1] {
        let file = file(&bytes[..cut]);
        let mut writer = file.try_clone().unwrap();
        let mut source = Source::open(file, Compression::Gzip, 0, None).unwrap();
        let (mut out, end) = all(&mut source);
        assert_eq!(end.unwrap(), Got::NoMoreYet, "cut at {cut}");
        assert!(text.starts_with(&out));
        // Reader and writer share a position here, which is at the end.
        writer.write_all(&bytes[cut..]).unwrap();
        writer.seek(SeekFrom::Start(cut as u64)).unwrap();
        let (rest, end) = all(&mut source);
        out.extend(rest);
        assert_eq!(out, text, "cut at {cut}");
        assert_eq!(end.unwrap(), Got::End);
    }
}

#[test]
fn any_point_leads_to_the_same_bytes() {
    let text = lines(1_800_000);
    let mut bytes = gz(&text, 6);
    bytes.extend(gz(b"the end\n", 6));
    let archive = file(&bytes);
    let mut source = Source::open(archive.try_clone().unwrap(), Compression::Gzip, 0, None).unwrap();
    let (out, _) = all(&mut source);
    assert_eq!(out.len(), text.len() + 8);
    let points = source.take_points();
    assert!(points.len() >= 2, "{} points of {} bytes", points.len(), text.len());
    for point in points {
        let from = point.output_offset() + 1234;
        let mut resumed = Source::open(archive.try_clone().unwrap(), Compression::Gzip, from, Some(point)).unwrap();
        let (rest, end) = all(&mut resumed);
        assert!(rest == out[usize::try_from(from).unwrap()..]);
        assert_eq!(end.unwrap(), Got::End, "checksums hold over the point");
    }
}

#[test]
fn a_point_of_another_file_is_not_used() {
    let text = lines(900_000);
    let archive = file(&gz(&text, 6));
    let mut source = Source::open(archive, Compression::Gzip, 0, None).unwrap();
    let _ = all(&mut source);
    let point = source.take_points().pop().unwrap();
    let again = file(&gz(&text, 4));
    let from = point.output_offset();
    let (rest, _) = all(&mut Source::open(again, Compression::Gzip, from, Some(point)).unwrap());
    assert!(rest == text[usize::try_from(from).unwrap()..]);
}

#[test]
fn a_flipped_bit_never_gives_another_text_as_whole() {
    let text = lines(300);
    let sound = gz(&text, 6);
    for at in 10..sound.len() {
        let mut damaged = sound.clone();
        damaged[at] ^= 4;
        let mut source = Source::open(file(&damaged), Compression::Gzip, 0, None).unwrap();
        let (out, end) = all(&mut source);
        // Bits that fill the last byte of a deflate stream mean nothing.
        assert!(!matches!(end, Ok(Got::End)) || out == text, "byte {at}");
    }
}

#[test]
fn headers_with_everything_are_read() {
    let plain = gz(b"x\n", 6);
    let mut bytes = vec![0x1f, 0x8b, 8, FLAG_CRC | FLAG_EXTRA | FLAG_NAME | FLAG_COMMENT, 0, 0, 0, 0, 0, 3];
    bytes.extend([3, 0, 1, 2, 3]);
    bytes.extend(b"name\0comment\0");
    bytes.extend([9, 9]);
    bytes.extend(&plain[10..]);
    let (out, end) = all(&mut Source::open(file(&bytes), Compression::Gzip, 0, None).unwrap());
    assert_eq!(out, b"x\n");
    assert_eq!(end.unwrap(), Got::End);
}

#[test]
fn headers_with_long_names_are_read_and_longer_ones_are_refused() {
    let plain = gz(b"x\n", 6);
    for (name, comment, is_read) in [(250_000, 10, true), (10, 250_000, true), (1, 1, true), (300_000, 1, false)] {
        for has_checksum in [0, FLAG_CRC] {
            let mut bytes = vec![0x1f, 0x8b, 8, has_checksum | FLAG_NAME | FLAG_COMMENT, 0, 0, 0, 0, 0, 3];
            bytes.extend(vec![b'n'; name]);
            bytes.push(0);
            bytes.extend(vec![b'c'; comment]);
            bytes.push(0);
            bytes.extend(vec![9; usize::from(has_checksum)]);
            bytes.extend(&plain[10..]);
            let (out, end) = all(&mut Source::open(file(&bytes), Compression::Gzip, 0, None).unwrap());
            assert_eq!((out.as_slice(), end.is_ok()), (if is_read { &b"x\n"[..] } else { b"" }, is_read));
        }
    }
}

#[test]
fn what_is_before_damage_is_given_to_the_last_byte() {
    let text = lines(50_000);
    let sound = gz(&text, 6);
    for at in (20..sound.len()).step_by(sound.len() / 40) {
        let mut before = Source::open(file(&sound[..at]), Compression::Gzip, 0, None).unwrap();
        let (before, _) = all(&mut before);
        let mut damaged = sound.clone();
        damaged[at..].iter_mut().for_each(|byte| *byte ^= 0xa5);

        let mut source = Source::open(file(&damaged), Compression::Gzip, 0, None).unwrap();
        let (out, _) = all(&mut source);

        assert!(text.starts_with(&before));
        assert!(out.starts_with(&before), "damaged at {at}: {} of {} bytes came", out.len(), before.len());
    }
}

#[test]
fn an_archive_that_is_shorter_than_what_was_read_may_still_grow() {
    let text = lines(5000);
    let sound = gz(&text, 6);
    let half = file(&sound[..sound.len() / 2]);
    let mut writer = half.try_clone().unwrap();
    let offset = text.len() as u64 - 10;
    let opened = Source::open(half.try_clone().unwrap(), Compression::Gzip, offset, None);
    assert!(matches!(opened, Err(SourceError::NotYet)), "it is no damage that what was read is not there yet");
    writer.seek(SeekFrom::End(0)).unwrap();
    writer.write_all(&sound[sound.len() / 2..]).unwrap();
    let mut source = Source::open(half, Compression::Gzip, offset, None).unwrap();
    assert_eq!(all(&mut source).0, text[text.len() - 10..]);
}

#[test]
fn a_cut_file_gives_all_that_was_decoded_however_small_the_buffer_is() {
    let text = [lines(10), vec![b'x'; 5000]].concat();
    let sound = gz(&text, 6);
    for cut in 20..sound.len() - 8 {
        let read = |size: usize| {
            let mut source = Source::open(file(&sound[..cut]), Compression::Gzip, 0, None).unwrap();
            let (mut out, mut buffer) = (Vec::<u8>::new(), vec![0; size]);
            while let Got::Bytes(n) = source.read(&mut buffer).unwrap() {
                out.extend(&buffer[..n]);
            }
            out
        };
        assert_eq!(read(7), read(100_000), "cut at {cut}");
    }
}

/// Decompressors are used again: whatever the last reader left in one, the next begins anew.
#[test]
fn a_reader_that_was_left_in_the_middle_leaves_nothing_to_the_next() {
    let text = lines(20_000);
    let sound = gz(&text, 6);
    let mut damaged = sound.clone();
    damaged[sound.len() / 2..].iter_mut().for_each(|byte| *byte ^= 0xa5);
    for left in [&sound[..], &sound[..sound.len() / 3], &sound[..4], &damaged[..]] {
        for reads in [1, 1000] {
            let mut source = Source::open(file(left), Compression::Gzip, 0, None).unwrap();
            let mut buffer = vec![0; 3000];
            for _ in 0..reads {
                if !matches!(source.read(&mut buffer), Ok(Got::Bytes(_))) {
                    break;
                }
            }
            drop(source);
            let (out, end) = all(&mut Source::open(file(&sound), Compression::Gzip, 0, None).unwrap());
            assert!(out == text, "{} of {} bytes", out.len(), text.len());
            assert_eq!(end.unwrap(), Got::End);
        }
    }
}
