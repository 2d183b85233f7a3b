//! Raw inflate that can stop at the ends of blocks and begin there again. That is what zlib's own
//! interface offers and the safe crates do not, so this is the one place that calls it directly.

#![allow(unsafe_code)]

use crate::kept::Kept;
use libz_rs_sys as z;
use std::ffi::c_int;
use std::mem::{MaybeUninit, size_of};

/// Inflate looks back so far.
pub const WINDOW_BYTES: usize = 32 * 1024;

/// A stream that is no deflate.
#[derive(Debug, PartialEq, Eq)]
pub struct Damaged;

/// What one step did.
#[derive(Debug, PartialEq, Eq)]
pub struct Step {
    /// Input bytes that are used up.
    pub consumed: usize,
    /// Output bytes that are new.
    pub produced: usize,
    /// The stream ended: what follows is no deflate.
    pub is_end: bool,
    /// The step stopped between two blocks; so many bits of the last byte consumed belong to the
    /// next block.
    pub boundary_bits: Option<u8>,
}

/// What zlib keeps of a stream, 40 KiB with its window. Its allocator aligns it, and the C library
/// finds no room for that in the hole that the last one left: so it is used again.
struct Stream(Box<z::z_stream>);

// The stream is owned, and nothing of it is tied to the thread that made it.
unsafe impl Send for Stream {}

/// Streams of readers that are gone, as they were left.
static KEPT: Kept<Stream> = Kept::new();

impl Stream {
    fn new() -> Stream {
        // A z_stream of zeros asks for zlib's own allocator; the box keeps its address, which the
        // state inside points back to.
        let mut stream: Box<z::z_stream> = Box::new(unsafe { MaybeUninit::zeroed().assume_init() });
        let size = c_int::try_from(size_of::<z::z_stream>()).expect("a z_stream is small");
        let code = unsafe { z::inflateInit2_(&raw mut *stream, -15, z::zlibVersion(), size) };
        assert_eq!(code, z::Z_OK, "zlib has memory for a window");
        Stream(stream)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // It was initialised in `new`.
        unsafe { z::inflateEnd(&raw mut *self.0) };
    }
}

/// A raw inflate stream (RFC 1951).
pub struct Inflater {
    /// There until it is dropped.
    stream: Option<Stream>,
}

impl Default for Inflater {
    fn default() -> Self {
        Self::new()
    }
}

impl Inflater {
    /// A stream that begins with a block.
    pub fn new() -> Inflater {
        let mut inflater = Inflater { stream: Some(KEPT.take().unwrap_or_else(Stream::new)) };
        inflater.reset();
        inflater
    }

    /// Begins with a block again, whatever came before.
    pub fn reset(&mut self) {
        let code = unsafe { z::inflateReset(&raw mut *self.stream()) };
        assert_eq!(code, z::Z_OK, "the stream was initialised");
    }

    fn stream(&mut self) -> &mut z::z_stream {
        &mut self.stream.as_mut().expect("it is not dropped").0
    }

    /// A stream that goes on between two blocks.
    ///
    /// `bits` of `byte`, its upper ones, belong to the next block; `window` is the output before it.
    pub fn resumed(bits: u8, byte: u8, window: &[u8]) -> Result<Inflater, Damaged> {
        let mut inflater = Inflater::new();
        let stream = &raw mut *inflater.stream();
        if bits > 7 || window.len() > WINDOW_BYTES {
            return Err(Damaged);
        }
        if bits > 0 {
            let value = c_int::from(byte >> (8 - bits));
            if unsafe { z::inflatePrime(stream, c_int::from(bits), value) } != z::Z_OK {
                return Err(Damaged);
            }
        }
        let length = u32::try_from(window.len()).expect("a window is small");
        // The window outlives the call, which copies it.
        if unsafe { z::inflateSetDictionary(stream, window.as_ptr(), length) } != z::Z_OK {
            return Err(Damaged);
        }
        Ok(inflater)
    }

    /// Decompresses until the input is used up, the output is full, the stream ends or, when
    /// `stops_between_blocks`, a block does.
    pub fn step(&mut self, input: &[u8], output: &mut [u8], stops_between_blocks: bool) -> Result<Step, Damaged> {
        let length = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let stream = self.stream();
        stream.next_in = input.as_ptr().cast_mut();
        stream.avail_in = length(input.len());
        stream.next_out = output.as_mut_ptr();
        stream.avail_out = length(output.len());
        let flush = if stops_between_blocks { z::Z_BLOCK } else { z::Z_NO_FLUSH };
        // Both slices outlive the call, and nobody reads the pointers after it.
        let code = unsafe { z::inflate(&raw mut *stream, flush) };
        let step = Step {
            consumed: input.len() - stream.avail_in as usize,
            produced: output.len() - stream.avail_out as usize,
            is_end: code == z::Z_STREAM_END,
            boundary_bits: boundary_bits(stream),
        };
        match code {
            z::Z_OK | z::Z_STREAM_END | z::Z_BUF_ERROR => Ok(step),
            // What came before the damage is sound; the next step finds the damage again.
            _ if step.produced > 0 => Ok(step),
            _ => Err(Damaged),
        }
    }

    /// The output that the next block may look back to.
    pub fn window(&self) -> Vec<u8> {
        let mut window = vec![0u8; WINDOW_BYTES];
        let mut length: u32 = 0;
        let stream = (&raw const *self.stream.as_ref().expect("it is not dropped").0).cast_mut();
        // zlib writes at most a window's bytes and the length.
        let code = unsafe { z::inflateGetDictionary(stream, window.as_mut_ptr(), &raw mut length) };
        assert_eq!(code, z::Z_OK, "the stream is sound");
        window.truncate(length as usize);
        window
    }
}

impl Drop for Inflater {
    fn drop(&mut self) {
        if let Some(stream) = self.stream.take() {
            KEPT.give(stream);
        }
    }
}

fn boundary_bits(stream: &z::z_stream) -> Option<u8> {
    let kind = stream.data_type;
    (kind & 128 != 0 && kind & 64 == 0).then_some(u8::try_from(kind & 7).unwrap_or(0))
}
