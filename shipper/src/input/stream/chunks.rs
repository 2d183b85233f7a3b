//! Bytes of something whose read can't be broken off, from a thread that is left behind when nobody
//! listens any more.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, sync_channel};

/// What one read asks for.
const CHUNK_BYTES: usize = 64 << 10;

/// So many chunks wait at most: who reads waits for who takes.
const CHUNKS_WAITING_MAX: usize = 2;

/// The bytes of a reader, as they come; the last is empty, or an error.
pub fn chunks(mut reader: impl Read + Send + 'static) -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (give, take) = sync_channel(CHUNKS_WAITING_MAX);
    std::thread::Builder::new().name("chunks".into()).spawn(move || {
        loop {
            let mut chunk = vec![0; CHUNK_BYTES];
            let read = match reader.read(&mut chunk) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => Err(e),
                Ok(n) => {
                    chunk.truncate(n);
                    Ok(chunk)
                }
            };
            let is_last = read.as_ref().map_or(true, Vec::is_empty);
            if give.send(read).is_err() || is_last {
                return;
            }
        }
    })?;
    Ok(take)
}
