//! Reads zstd files: frames one after the other, while they are still being written too.

use super::source::{Got, SourceError, retried};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use zstd::stream::read::Decoder;

/// A frame may ask for a window of so many bits: 32 MiB. A frame that asks for more is refused,
/// because the file, not its reader, would decide how much memory is used.
const WINDOW_LOG_MAX: u32 = 25;

/// A reader of a zstd file.
///
/// The decoder gives nothing of a step in which it finds damage, although what is before the damage
/// is sound. So a damaged file is read once more, a byte at a step, from where the steps were whole.
pub struct ZstdReader {
    decoder: Decoder<'static, BufReader<File>>,
    file: File,
    given: u64,
    is_careful: bool,
}

impl ZstdReader {
    /// From the first byte.
    pub fn new(file: File) -> io::Result<ZstdReader> {
        let decoder = decoder(&file, zstd::stream::read::Decoder::<BufReader<File>>::recommended_output_size())?;
        Ok(ZstdReader { decoder, file, given: 0, is_careful: false })
    }

    /// Decompresses into a part of the buffer.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<Got, SourceError> {
        match self.step(buffer) {
            Err(SourceError::Damaged(_)) if !self.is_careful => {
                self.is_careful = true;
                self.decoder = decoder(&self.file, 1)?;
                let mut again = std::mem::take(&mut self.given);
                let mut scratch = vec![0u8; 64 * 1024];
                while again > 0 {
                    let most = scratch.len().min(usize::try_from(again).unwrap_or(usize::MAX));
                    match self.step(&mut scratch[..most])? {
                        Got::Bytes(n) => again -= n as u64,
                        _ => return Err(SourceError::NotYet), // it was cut in this moment
                    }
                }
                self.step(buffer)
            }
            other => other,
        }
    }

    fn step(&mut self, buffer: &mut [u8]) -> Result<Got, SourceError> {
        match retried(|| self.decoder.read(buffer)) {
            Ok(0) => Ok(Got::End),
            Ok(n) => {
                self.given += n as u64;
                Ok(Got::Bytes(n))
            }
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => Ok(Got::NoMoreYet),
            Err(e) if e.raw_os_error().is_some() => Err(e.into()),
            Err(e) => Err(SourceError::Damaged(e.to_string())),
        }
    }
}

fn decoder(file: &File, input_bytes: usize) -> io::Result<Decoder<'static, BufReader<File>>> {
    let mut file = file.try_clone()?;
    file.seek(SeekFrom::Start(0))?;
    let mut decoder = Decoder::with_buffer(BufReader::with_capacity(input_bytes, file))?;
    decoder.window_log_max(WINDOW_LOG_MAX)?;
    Ok(decoder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn all(bytes: &[u8]) -> (Vec<u8>, Result<Got, SourceError>) {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        let mut reader = ZstdReader::new(file).unwrap();
        let (mut out, mut buffer) = (Vec::new(), vec![0; 256 << 10]);
        loop {
            match reader.read(&mut buffer) {
                Ok(Got::Bytes(n)) => out.extend(&buffer[..n]),
                end => return (out, end),
            }
        }
    }

    #[test]
    fn what_is_before_damage_is_given_to_the_last_byte() {
        // Text that compresses well, and noise that is stored as it is.
        let mut noise = 7u64;
        let mut text = b"a line of a log\n".repeat(5000);
        text.extend((0..300_000).map(|_| {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            noise.to_le_bytes()[7]
        }));
        let sound = zstd::encode_all(&text[..], 1).unwrap();
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
