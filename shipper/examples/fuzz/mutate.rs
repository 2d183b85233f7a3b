//! Damage, of the kinds that disks, networks and people do.

use super::rng::Rng;

fn at(rng: &mut Rng, length: usize) -> usize {
    usize::try_from(rng.below(length as u64 + 1)).expect("an index")
}

/// A place and a length within some bytes, most often a short one.
fn range(rng: &mut Rng, length: usize) -> std::ops::Range<usize> {
    let start = at(rng, length);
    let most = if rng.one_in(4) { length } else { 8 };
    start..(start + at(rng, most)).min(length)
}

/// Changes some bytes one to four times.
pub fn mutate(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..rng.within(1, 4) {
        let range = range(rng, out.len());
        match rng.below(9) {
            0 | 1 if !out.is_empty() => {
                let at = at(rng, out.len() - 1);
                out[at] ^= 1 << rng.below(8);
            }
            2 => out[range].iter_mut().for_each(|byte| *byte = rng.next().to_le_bytes()[0]),
            3 => out.truncate(range.start),
            4 => drop(out.drain(range)),
            5 => {
                let copy = out[range.clone()].to_vec();
                out.splice(range.start..range.start, copy);
            }
            6 => {
                let noise: Vec<u8> = (0..rng.below(40)).map(|_| rng.next().to_le_bytes()[0]).collect();
                out.splice(range.start..range.start, noise);
            }
            7 => out[range].fill(if rng.one_in(2) { 0 } else { 0xff }),
            _ => out.extend_from_slice(&bytes[bytes.len() - bytes.len().min(20)..]),
        }
    }
    out
}
