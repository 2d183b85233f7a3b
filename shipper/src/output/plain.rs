//! Writes documents as lines: to standard output, or to a file that is rotated.

use super::batch::Batch;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;

/// Where lines go.
pub enum Lines {
    /// Standard output.
    Console,
    /// A file, synced before anything counts as delivered.
    File(Rotated),
}

/// A file that becomes `.1` when it is large enough, `.1` becomes `.2`, and so on.
pub struct Rotated {
    path: PathBuf,
    bytes_max: u64,
    files_max: u64,
    file: Option<(File, u64)>,
}

impl Rotated {
    /// Opened at the first line.
    pub fn new(path: PathBuf, bytes_max: u64, files_max: u64) -> Rotated {
        Rotated { path, bytes_max, files_max, file: None }
    }

    fn name(&self, number: u64) -> PathBuf {
        if number == 0 {
            return self.path.clone();
        }
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{number}"));
        name.into()
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.file.as_ref().is_some_and(|(_, length)| *length >= self.bytes_max) {
            self.file = None;
            for number in (0..self.files_max - 1).rev() {
                let from = self.name(number);
                if from.exists() {
                    std::fs::rename(from, self.name(number + 1))?;
                }
            }
        }
        if self.file.is_none() {
            if let Some(folder) = self.path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let file = OpenOptions::new().append(true).create(true).open(&self.path)?;
            let length = file.metadata()?.len();
            self.file = Some((file, length));
        }
        let (file, length) = self.file.as_mut().expect("it was opened");
        if let Err(e) = file.write_all(bytes).and_then(|()| file.sync_data()) {
            // A part may be there; it goes, so that the next try writes each line once.
            file.set_len(*length)?;
            return Err(e);
        }
        *length += bytes.len() as u64;
        Ok(())
    }
}

impl Lines {
    /// Writes a batch.
    pub fn write(&mut self, batch: &Batch) -> io::Result<()> {
        match self {
            Lines::Console => {
                let mut out = io::stdout().lock();
                out.write_all(&batch.body)?;
                out.flush()
            }
            Lines::File(file) => file.write(&batch.body),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_rotated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let mut lines = Lines::File(Rotated::new(path.clone(), 5, 3));
        for line in ["one\n", "two\n", "three\n", "four\n", "five\n", "six\n", "seven\n"] {
            let mut batch = Batch::default();
            batch.body = line.into();
            lines.write(&batch).unwrap();
        }
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(read("out"), "six\nseven\n");
        assert_eq!(read("out.1"), "five\n");
        assert_eq!(read("out.2"), "four\n");
        assert!(!folder.path().join("out.3").exists());
    }
}
