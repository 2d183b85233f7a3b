use super::*;
use proptest::prelude::*;

fn all(framing: Framing, bytes_max: usize, pieces: &[&[u8]]) -> Vec<(String, bool)> {
    let mut frames = Frames::new(framing, bytes_max, Arc::new(Room::new(1 << 20)));
    let mut out = Vec::new();
    let mut take = |message: &[u8], is_cut: bool| out.push((String::from_utf8_lossy(message).into_owned(), is_cut));
    for piece in pieces {
        frames.push(piece, &mut take);
    }
    frames.finish(&mut take);
    assert_eq!(frames.room.used.load(Relaxed), 0, "what ended holds nothing");
    out
}

fn whole(texts: &[&str]) -> Vec<(String, bool)> {
    texts.iter().map(|t| ((*t).to_owned(), false)).collect()
}

fn newline() -> Framing {
    Framing::Delimiter(b"\n".to_vec())
}

#[test]
fn messages_end_at_a_delimiter_of_any_length() {
    assert_eq!(all(newline(), 100, &[b"a\r\n\nb", b"c\nd"]), whole(&["a", "bc", "d"]));
    let two = Framing::Delimiter(b"||".to_vec());
    assert_eq!(all(two, 100, &[b"a|b|", b"|c||"]), whole(&["a|b", "c"]));
}

#[test]
fn a_message_that_is_too_long_is_cut_and_the_next_is_whole() {
    let cut = |text: &str| (text.to_owned(), true);
    assert_eq!(all(newline(), 3, &[b"abcdef", b"gh\nijk\nlmno\np"])[..2], [cut("abc"), ("ijk".into(), false)]);
    let two = Framing::Delimiter(b"||".to_vec());
    assert_eq!(all(two, 3, &[b"abcdef|", b"|x||"]), [cut("abc"), ("x".into(), false)]);
    assert_eq!(all(Framing::Rfc6587, 3, &[b"5 abcde2 xy"]), [cut("abc"), ("xy".into(), false)]);
}

#[test]
fn octets_are_counted_and_what_counts_none_ends_at_its_newline() {
    let mixed: &[&[u8]] = &[b"5 a\nbcd", b"3 x", b"yz\n<13>plain\n1", b"0 0123456789", b"2020 text?\n"];
    let found = all(Framing::Rfc6587, 100, mixed);
    assert_eq!(found[..4], whole(&["a\nbcd", "xyz", "<13>plain", "0123456789"]));
    // `2020 ` is a count: the connection ended before the message did.
    assert_eq!(found[4], ("text?\n".into(), true));
    assert_eq!(all(Framing::Rfc6587, 100, &[b"007 bond\n"]), whole(&["007 bond"]));
    assert_eq!(all(Framing::Rfc6587, 100, &[b"99999999999 x\n"]), whole(&["99999999999 x"]));
}

#[test]
fn connections_share_their_room() {
    let room = Arc::new(Room::new(10));
    let mut first = Frames::new(newline(), 100, Arc::clone(&room));
    let mut second = Frames::new(newline(), 100, Arc::clone(&room));
    let mut out = Vec::new();
    first.push(b"12345678", &mut |_, _| ());
    second.push(b"abcdef\nnext\n", &mut |m, is_cut| out.push((m.to_vec(), is_cut)));
    assert_eq!(out[0], (b"ab".to_vec(), true));
    drop(first);
    second.push(b"whole\n", &mut |m, is_cut| out.push((m.to_vec(), is_cut)));
    assert_eq!(out.last().unwrap(), &(b"whole".to_vec(), false));
}

proptest! {
    #[test]
    fn pieces_do_not_matter(
        bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'1'), Just(b' '), Just(b'|'), any::<u8>()], 0..80),
        cuts in proptest::collection::vec(0usize..80, 0..6),
        max in 1usize..20,
    ) {
        for framing in [newline(), Framing::Rfc6587, Framing::Delimiter(b"||".to_vec())] {
            let together = all(framing.clone(), max, &[&bytes]);
            let mut cuts: Vec<usize> = cuts.iter().map(|c| (*c).min(bytes.len())).collect();
            cuts.sort_unstable();
            let mut pieces = Vec::new();
            let mut last = 0;
            for cut in cuts {
                pieces.push(&bytes[last..cut]);
                last = cut;
            }
            pieces.push(&bytes[last..]);
            prop_assert_eq!(all(framing, max, &pieces), together);
        }
    }
}
