//! Compresses bodies of requests, one after the other with the same memory.

use super::settings::Body;
use flate2::{Compress, FlushCompress, Status};

/// Room for what is compressed grows so far at once.
const MORE_BYTES: usize = 64 << 10;

/// What a body leaves for the next; one that was much larger than others lets go.
const KEPT_BYTES_MAX: usize = 4 << 20;

/// Base 2 logarithm of deflate's window.
const WINDOW_BITS: u8 = 15;

/// Of one sender.
pub(super) struct Compressor {
    level: u32,
    gzip: Option<Compress>,
    out: Vec<u8>,
}

impl Compressor {
    /// At a level from 1 to 9.
    pub(super) fn new(level: u32) -> Compressor {
        Compressor { level, gzip: None, out: Vec::new() }
    }

    /// A body compressed, until the next one is.
    pub(super) fn compress(&mut self, to: Body, body: &[u8]) -> Result<&[u8], String> {
        self.out.clear();
        self.out.shrink_to(KEPT_BYTES_MAX);
        match to {
            Body::Gzip => self.gzip(body)?,
            Body::Zstd => {
                let level = i32::try_from(self.level).expect("a digit");
                zstd::stream::copy_encode(body, &mut self.out, level).map_err(|e| e.to_string())?;
            }
        }
        Ok(&self.out)
    }

    fn gzip(&mut self, body: &[u8]) -> Result<(), String> {
        let level = flate2::Compression::new(self.level);
        let gzip = self.gzip.get_or_insert_with(|| Compress::new_gzip(level, WINDOW_BITS));
        gzip.reset();
        loop {
            self.out.reserve(MORE_BYTES);
            let taken = usize::try_from(gzip.total_in()).expect("a body is in memory");
            match gzip.compress_vec(&body[taken..], &mut self.out, FlushCompress::Finish) {
                Ok(Status::StreamEnd) => return Ok(()),
                Ok(Status::Ok | Status::BufError) => {}
                Err(e) => return Err(e.to_string()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    /// Bytes of which nothing can be left out.
    fn noise(length: usize) -> Vec<u8> {
        let mut state = 1u64;
        let next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state.to_be_bytes()[0]
        };
        std::iter::repeat_with(next).take(length).collect()
    }

    #[test]
    fn each_body_is_whole_whatever_came_before() {
        let mut compressor = Compressor::new(1);
        for body in [b"a line\n".repeat(1000), Vec::new(), noise(300_000), b"x".to_vec(), vec![b'x'; 1 << 20]] {
            let mut plain = Vec::new();
            let gzip = compressor.compress(Body::Gzip, &body).unwrap();
            flate2::read::GzDecoder::new(gzip).read_to_end(&mut plain).unwrap();
            assert!(plain == body, "{} of {} bytes", plain.len(), body.len());
            assert!(zstd::decode_all(compressor.compress(Body::Zstd, &body).unwrap()).unwrap() == body);
        }
    }

    #[test]
    fn one_large_body_does_not_keep_its_memory() {
        let mut compressor = Compressor::new(1);
        assert!(compressor.compress(Body::Gzip, &noise(6 << 20)).unwrap().len() > KEPT_BYTES_MAX);
        compressor.compress(Body::Gzip, b"x").unwrap();
        assert!(compressor.out.capacity() <= KEPT_BYTES_MAX + MORE_BYTES, "{}", compressor.out.capacity());
    }
}
