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
    let text = "abcd\nabcde\nabc\r\nabcd\r\nabc\rd\nabcde\r\n";
    for cut in 0..=text.len() {
        let found = all(&mut Lines::new(UTF_8, 4, 0), &[&text.as_bytes()[..cut], &text.as_bytes()[cut..]]);
        assert_eq!(
            found,
            [
                ("abcd".into(), 0, 5, false),
                ("abcd".into(), 5, 11, true),
                ("abc".into(), 11, 16, false),
                ("abcd".into(), 16, 22, false),
                ("abc".into(), 22, 28, true),
                ("abcd".into(), 28, 35, true)
            ],
            "cut at {cut}"
        );
    }
    for encoding in [UTF_16LE, UTF_16BE] {
        let bytes: Vec<u8> = "ab\r\nabc\r\n"
            .encode_utf16()
            .flat_map(|u| if encoding == UTF_16LE { u.to_le_bytes() } else { u.to_be_bytes() })
            .collect();
        for cut in 0..=bytes.len() {
            let found = all(&mut Lines::new(encoding, 4, 0), &[&bytes[..cut], &bytes[cut..]]);
            assert_eq!(found, [("ab".into(), 0, 8, false), ("ab".into(), 8, 18, true)], "cut at {cut}");
        }
    }
    let found = all(&mut Lines::new(UTF_8, 4, 0), &[b"abcde"]);
    assert_eq!(found, [("abcd".into(), 0, 5, true)], "no more comes");
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
    assert_eq!(all(&mut lines, &[b"b\n\0", b"\0c\n", b"\0"]), [("b".into(), 2, 4, false), ("c".into(), 6, 8, false)]);
    assert_eq!(lines.line_start(), 9, "no more comes");
    lines.push(b"d\0\0", |_| {});
    assert_eq!((lines.line_start(), lines.room_start()), (9, Some(10)), "the end of a line may be there yet");
}

#[test]
fn zeros_with_something_behind_them_are_found_before_they_are_passed_over() {
    let zeros = [0; 20];
    let text = [b"a\nb", &zeros[..], b"c\0d\n", &zeros, b"e"].concat();
    let gaps = |lines: &Lines, bytes: &[u8]| [0, 4, 28, 30].map(|from| lines.gap(bytes, from));
    let lines = Lines::new(UTF_8, 100, 0);
    let (first, second) = (Some((3, 23)), Some((27, 47)));
    assert_eq!(gaps(&lines, &text), [first, second, None, None]);
    assert_eq!(gaps(&lines, &text[..47]), [first, None, None, None], "nothing is behind the second yet");
    assert_eq!(lines.gap(&text[..10], 0), None);
    for cut in 0..=text.len() {
        let mut lines = Lines::new(UTF_8, 100, 0);
        lines.push(&text[..cut], |_| {});
        let expected = if cut <= 23 { first } else { second.filter(|_| cut <= 47) };
        assert_eq!(lines.gap(&text[cut..], 0), expected, "cut at {cut}");
    }
    assert_eq!(lines.gap(&[b"a", &zeros[..15], b"b"].concat(), 0), None);
    assert_eq!(Lines::new(UTF_16LE, 100, 0).gap(&text, 0), None);
}

#[test]
fn leading_zeros_are_counted() {
    let mut bytes = [0; 200];
    assert_eq!(leading_zeros(&bytes), 200);
    for at in (0..200).rev() {
        bytes[at] = 1;
        assert_eq!(leading_zeros(&bytes), at);
        assert_eq!(leading_zeros(&bytes[..at]), at);
    }
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
fn zeros_behind_a_line_that_is_too_long_may_become_its_end_and_more_lines() {
    let mut lines = Lines::new(UTF_8, 4, 0);
    let none = |line: Line<'_>| panic!("{line:?}");
    lines.push(b"a\n", |_| {});
    for piece in [&b"too long\0\0"[..], &[0; 20]] {
        lines.push(piece, none);
        assert_eq!((lines.line_start(), lines.room_start(), lines.carried()), (2, Some(10), 0));
    }
    lines.rewind();
    assert_eq!((lines.offset(), lines.room_start()), (10, None), "what is passed over is not read again");
    lines.push(b" yet\0", none);
    assert_eq!(lines.room_start(), Some(14));
    lines.rewind();
    assert_eq!(all(&mut lines, &[b"\nb\n\0\0"]), [("too ".into(), 2, 15, true), ("b".into(), 15, 17, false)]);
    let bytes = b"too long\0\0yet\nb\n";
    for cut in 0..=bytes.len() {
        let found = all(&mut Lines::new(UTF_8, 4, 0), &[&bytes[..cut], &bytes[cut..]]);
        assert_eq!(found, [("too ".into(), 0, 14, true), ("b".into(), 14, 16, false)], "cut at {cut}");
    }
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
