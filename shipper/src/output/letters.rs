//! Dead letters in a file: what the output refuses for good, a line each, for whoever mends it and sends it
//! again.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Mutex;

/// The file of an output, which all its senders have.
pub struct LetterFile {
    path: PathBuf,
    /// Held while a letter is written.
    turn: Mutex<()>,
}

impl LetterFile {
    /// At a path.
    pub fn new(path: PathBuf) -> LetterFile {
        LetterFile { path, turn: Mutex::new(()) }
    }

    /// Appends a line, which is on the disk when this returns. It is opened anew each time: somebody may have
    /// taken it away.
    pub fn write(&self, line: &str) -> io::Result<()> {
        let _turn = self.turn.lock().expect("nothing is broken by a write that fails");
        let mut file = self.open()?;
        let length = file.metadata()?.len();
        // The end of this process may have left a part of a letter.
        let mut end = *b"\n";
        if length > 0 {
            file.read_exact_at(&mut end, length - 1)?;
        }
        let between = if end == *b"\n" { "" } else { "\n" };
        let written = file.write_all(format!("{between}{line}").as_bytes()).and_then(|()| file.sync_data());
        if written.is_err() {
            file.set_len(length)?; // a part may be there
        }
        written
    }

    /// Whether letters can be written, which is asked before there is one, that would wait for ever. The file is
    /// made.
    ///
    /// # Errors
    /// Says why not.
    pub(super) fn check(&self) -> Result<(), String> {
        // A pipe is not opened: that would wait for a reader.
        let is_other = fs::metadata(&self.path).is_ok_and(|metadata| !metadata.is_file());
        let why = if is_other {
            "is no regular file".to_owned()
        } else {
            let Err(e) = self.open() else { return Ok(()) };
            format!("can't be opened to append to it and to read its end: {e}")
        };
        Err(format!("[output.elasticsearch.dead_letter_file] [{}] {why}", self.path.display()))
    }

    fn open(&self) -> io::Result<File> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        OpenOptions::new().read(true).append(true).create(true).open(&self.path)
    }
}

/// What a letter has: the lines of a request that it was, and why it is none.
pub(super) fn line(event: &[u8], why: &str) -> String {
    let mut lines = event.split(|byte| *byte == b'\n').map(String::from_utf8_lossy);
    let (action, document) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let time = jiff::Timestamp::now();
    let why = serde_json::Value::from(why);
    format!(
        "{{\"@timestamp\":\"{time}\",\"error\":{{\"message\":{why}}},\"action\":{action},\"document\":{document}}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_lines_that_can_be_sent_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join("dead.ndjson");
        let file = LetterFile::new(path.clone());
        for why in ["no \"a\"", "no b"] {
            file.write(&line(b"{\"create\":{}}\n{\"message\":\"x\"}\n", why)).unwrap();
        }
        let text = fs::read_to_string(&path).unwrap();
        let letters: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(letters.len(), 2);
        assert_eq!(letters[0]["error"]["message"], "no \"a\"");
        assert_eq!(letters[1]["action"], serde_json::json!({"create": {}}));
        assert_eq!(letters[1]["document"]["message"], "x");
        fs::remove_file(&path).unwrap();
        file.write("again\n").unwrap();
        fs::write(&path, "again\n{\"@timest").unwrap();
        for line in ["behind a part\n", "and behind that\n"] {
            file.write(line).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "again\n{\"@timest\nbehind a part\nand behind that\n");
    }

    #[test]
    fn what_no_letter_can_be_written_to_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let plain = folder.path().join("plain");
        let check = |path: PathBuf| LetterFile::new(path).check();
        assert_eq!(check(plain.clone()), Ok(()));
        assert_eq!(check(plain.clone()), Ok(()), "it is there");
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for other in [folder.path().to_owned(), pipe, "/dev/null".into()] {
            assert!(check(other).unwrap_err().ends_with("is no regular file"));
        }
        let error = check(plain.join("dead.ndjson")).unwrap_err();
        assert!(error.starts_with("[output.elasticsearch.dead_letter_file] [") && error.contains("append"), "{error}");
    }
}
