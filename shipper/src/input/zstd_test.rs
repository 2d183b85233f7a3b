use super::*;
use crate::input::source::{Compression, Source};
use std::io::Write;
use std::os::unix::fs::FileExt;

fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

/// All that comes, how it ends, and the points on the way.
fn rest(source: &mut Source) -> (Vec<u8>, Result<Got, SourceError>, Vec<Point>) {
    let (mut out, mut points, mut buffer) = (Vec::new(), Vec::new(), vec![0; 256 << 10]);
    loop {
        match source.read(&mut buffer) {
            Ok(Got::Bytes(n)) => out.extend(&buffer[..n]),
            end => return (out, end, points),
        }
        points.extend(source.take_points());
    }
}

fn open(file: &File, offset: u64, point: Option<Point>) -> Result<Source, SourceError> {
    Source::open(file.try_clone().unwrap(), Compression::Zstd, offset, point)
}

fn all(bytes: &[u8]) -> (Vec<u8>, Result<Got, SourceError>) {
    let (out, end, _) = rest(&mut open(&file(bytes), 0, None).unwrap());
    (out, end)
}

fn lines(from: u64, count: u64) -> Vec<u8> {
    let mut text = Vec::new();
    for i in from..from + count {
        writeln!(text, "{i} {:x}", i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).unwrap();
    }
    text
}

/// A frame that decoders step over.
fn skippable(bytes: &[u8]) -> Vec<u8> {
    let mut frame = 0x184d_2a53_u32.to_le_bytes().to_vec();
    frame.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
    frame.extend(bytes);
    frame
}

#[test]
fn what_is_before_damage_is_given_to_the_last_byte() {
    // Text that compresses well, and noise that is stored as it is; in one frame, and behind another.
    let mut noise = 7u64;
    let mut text = b"a line of a log\n".repeat(5000);
    text.extend((0..300_000).map(|_| {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        noise.to_le_bytes()[7]
    }));
    for first in [Vec::new(), lines(0, 100)] {
        let mut sound = if first.is_empty() { Vec::new() } else { zstd::encode_all(&first[..], 1).unwrap() };
        sound.extend(zstd::encode_all(&text[..], 1).unwrap());
        let text = [&first[..], &text].concat();
        assert_eq!(all(&sound).0, text);
        for at in (10..sound.len()).step_by(sound.len() / 30) {
            let (before, _) = all(&sound[..at]);
            let mut damaged = sound.clone();
            damaged[at..].fill(0xff);
            let (out, _) = all(&damaged);
            assert!(text.starts_with(&before));
            assert!(out.starts_with(&before), "damaged at {at}: {} of {} bytes came", out.len(), before.len());
        }
    }
}

#[test]
fn frames_follow_each_other_and_some_have_nothing() {
    let mut bytes = zstd::encode_all(&b"one\n"[..], 3).unwrap();
    bytes.extend(skippable(b"a table of places"));
    bytes.extend(zstd::encode_all(&b""[..], 3).unwrap());
    bytes.extend(zstd::encode_all(&b"two\n"[..], 19).unwrap());
    bytes.extend(skippable(b""));
    let (out, end) = all(&bytes);
    assert_eq!((&out[..], end.unwrap()), (&b"one\ntwo\n"[..], Got::End));
    bytes.extend(b"no frame");
    let (out, end) = all(&bytes);
    assert_eq!(&out[..], b"one\ntwo\n");
    assert!(matches!(end, Err(SourceError::Damaged(_))), "{end:?}");
}

#[test]
fn a_cut_file_gives_what_is_there_and_goes_on_when_it_grows() {
    let (first, second) = (lines(0, 3000), lines(3000, 3000));
    let one = zstd::encode_all(&first[..], 3).unwrap();
    let bytes = [&one[..], &zstd::encode_all(&second[..], 3).unwrap()].concat();
    let text = [first, second].concat();
    for cut in [4, 5, 12, 1000, one.len() - 1, one.len(), one.len() + 2, bytes.len() - 9, bytes.len() - 1] {
        let file = file(&bytes[..cut]);
        let mut source = open(&file, 0, None).unwrap();
        let (mut out, end, _) = rest(&mut source);
        let is_whole = cut == one.len();
        assert_eq!(end.unwrap(), if is_whole { Got::End } else { Got::NoMoreYet }, "cut at {cut}");
        for _ in 0..40 {
            let (more, end, _) = rest(&mut source);
            assert!(more.is_empty() && end.is_ok(), "asked again and again: {end:?}");
        }
        file.write_all_at(&bytes[cut..], cut as u64).unwrap();
        let (more, end, _) = rest(&mut source);
        out.extend(more);
        assert!(out == text, "cut at {cut}");
        assert_eq!(end.unwrap(), Got::End);
    }
}

#[test]
fn any_point_leads_to_the_same_bytes_without_what_is_before() {
    let mut bytes = Vec::new();
    let mut text = Vec::new();
    for n in 0..5 {
        let part = lines(n * 400_000, 400_000);
        bytes.extend(zstd::encode_all(&part[..], 1).unwrap());
        bytes.extend(skippable(b"between"));
        text.extend(part);
    }
    let archive = file(&bytes);
    let (out, end, points) = rest(&mut open(&archive, 0, None).unwrap());
    assert!(out == text && end.is_ok());
    assert!(points.len() >= 2, "{} points in {} bytes", points.len(), text.len());
    // What is before a point, and before its guard, is not read.
    archive.write_all_at(&[0xff; 1000], 0).unwrap();
    for point in &points {
        let from = usize::try_from(point.output_offset()).unwrap();
        for offset in [from, from + 1, text.len().min(from + 3_000_000)] {
            let mut source = open(&archive, offset as u64, Some(point.clone())).unwrap();
            let (out, end, _) = rest(&mut source);
            assert!(out == text[offset..], "from {offset}");
            assert_eq!(end.unwrap(), Got::End);
        }
    }
    // A point of another file, or behind the offset, is not used.
    let other = file(&zstd::encode_all(&text[..], 1).unwrap());
    let (out, ..) = rest(&mut open(&other, 7, Some(points[0].clone())).unwrap());
    assert!(out == text[7..]);
    let gzip = Point { window: vec![1], ..points[0].clone() };
    assert!(ZstdReader::resumed(file(&bytes), &gzip).is_none());
}
