//! Beginnings of short files, and which of them a file begins with: each of thousands of files is asked so at
//! every look, and can't be compared with all the others.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Included, Unbounded};

/// Beginnings, and what they are of.
#[derive(Default)]
pub(super) struct Beginnings<'a> {
    of: BTreeMap<&'a [u8], BTreeSet<u64>>,
}

impl<'a> Beginnings<'a> {
    /// Adds one.
    pub(super) fn add(&mut self, beginning: &'a [u8], of: u64) {
        self.of.entry(beginning).or_default().insert(of);
    }

    /// The length of the longest.
    pub(super) fn longest(&self) -> usize {
        self.of.keys().map(|beginning| beginning.len()).max().unwrap_or(0)
    }

    /// What those are of that `bytes` begin with, the longest first, the greatest first of the same one.
    pub(super) fn of_those_in<'b>(&'b self, bytes: &'b [u8]) -> impl Iterator<Item = u64> {
        let mut next = self.last_up_to(bytes, bytes.len());
        let longest_first = std::iter::from_fn(move || {
            let (beginning, of) = next.take()?;
            next = beginning.len().checked_sub(1).and_then(|shorter| self.last_up_to(bytes, shorter));
            Some(of)
        });
        longest_first.flat_map(|of| of.iter().rev().copied())
    }

    /// Whether one begins with `bytes`, or they with it.
    pub(super) fn has_like(&self, bytes: &[u8]) -> bool {
        let next = self.of.range::<[u8], _>((Included(bytes), Unbounded)).next();
        next.is_some_and(|(beginning, _)| beginning.starts_with(bytes)) || self.of_those_in(bytes).next().is_some()
    }

    /// The longest that `bytes` begin with, of those that have `length` bytes at most.
    fn last_up_to<'b>(&'b self, bytes: &'b [u8], mut length: usize) -> Option<(&'a [u8], &'b BTreeSet<u64>)> {
        loop {
            let (found, of) = self.of.range::<[u8], _>((Unbounded, Included(&bytes[..length]))).next_back()?;
            if bytes.starts_with(found) {
                return Some((found, of));
            }
            // What `bytes` begin with and is in order before this one has no more than both have in common.
            length = found.iter().zip(bytes).take_while(|(a, b)| a == b).count();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn those_that_bytes_begin_with_are_found(
            all in prop::collection::vec("[ab]{0,6}", 0..40),
            bytes in "[ab]{0,8}",
        ) {
            let mut beginnings = Beginnings::default();
            for (of, beginning) in all.iter().enumerate() {
                beginnings.add(beginning.as_bytes(), of as u64);
            }
            let mut fitting: Vec<(usize, u64)> =
                all.iter().zip(0..).filter(|(b, _)| bytes.starts_with(*b)).map(|(b, of)| (b.len(), of)).collect();
            fitting.sort_unstable_by(|a, b| b.cmp(a));
            let found: Vec<u64> = beginnings.of_those_in(bytes.as_bytes()).collect();
            prop_assert_eq!(found, fitting.into_iter().map(|(_, of)| of).collect::<Vec<_>>());
            let is_like = all.iter().any(|b| b.starts_with(&bytes) || bytes.starts_with(b));
            prop_assert_eq!(beginnings.has_like(bytes.as_bytes()), is_like);
        }
    }
}
