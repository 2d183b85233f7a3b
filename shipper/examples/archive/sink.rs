//! Takes `_bulk`, says yes, and notes which lines came.

use super::generated::Generated;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// What came.
#[derive(Default)]
pub struct Taken {
    /// First and last line of runs without a gap, by the first.
    runs: BTreeMap<u64, u64>,
    /// Lines that came more than once.
    pub repeated: u64,
    /// Requests that are not runs of lines: something else than the archive.
    pub strange: u64,
    /// When the first request came after [`Sink::forget`], and the offset of its first line.
    pub first: Option<(Instant, u64)>,
    /// The offset of the last line that was answered.
    pub offset: u64,
}

impl Taken {
    fn add(&mut self, first: u64, last: u64) {
        // Requests of one file come nearly in order: runs are few.
        let (mut from, mut to) = (first, last);
        let near: Vec<(u64, u64)> =
            self.runs.range(..=last.saturating_add(1)).rev().take(8).map(|(a, b)| (*a, *b)).collect();
        for (a, b) in near {
            if b + 1 < from {
                continue;
            }
            let overlap_from = a.max(first);
            let overlap_to = b.min(last);
            if overlap_from <= overlap_to {
                self.repeated += overlap_to - overlap_from + 1;
            }
            self.runs.remove(&a);
            from = from.min(a);
            to = to.max(b);
        }
        self.runs.insert(from, to);
    }

    /// Distinct lines.
    pub fn lines(&self) -> u64 {
        self.runs.iter().map(|(from, to)| to - from + 1).sum()
    }
}

/// A server.
pub struct Sink {
    pub address: String,
    pub taken: Arc<Mutex<Taken>>,
}

impl Sink {
    pub fn start(file: Arc<Generated>) -> std::io::Result<Sink> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = format!("http://{}", listener.local_addr()?);
        let taken: Arc<Mutex<Taken>> = Arc::default();
        let of_server = Arc::clone(&taken);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (taken, file) = (Arc::clone(&of_server), Arc::clone(&file));
                std::thread::spawn(move || serve(&stream, &taken, &file));
            }
        });
        Ok(Sink { address, taken })
    }

    /// The next request is the first one again.
    pub fn forget(&self) {
        self.taken.lock().expect("counts").first = None;
    }
}

fn serve(stream: &TcpStream, taken: &Mutex<Taken>, file: &Generated) {
    let mut input = BufReader::with_capacity(256 << 10, stream);
    let mut body = Vec::new();
    loop {
        let mut length = 0;
        let mut line = String::new();
        while input.read_line(&mut line).is_ok_and(|n| n > 2) {
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
            line.clear();
        }
        body.resize(length, 0);
        if line.is_empty() || input.read_exact(&mut body).is_err() {
            return;
        }
        note(&body, taken, file);
        let answer =
            b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 16\r\n\r\n{\"errors\":false}";
        let mut stream = stream;
        if stream.write_all(answer).is_err() {
            return;
        }
    }
}

fn note(body: &[u8], taken: &Mutex<Taken>, file: &Generated) {
    let events = memchr::memchr_iter(b'\n', body).count() as u64 / 2;
    let first = memchr::memmem::find(body, b"\"offset\":").and_then(|at| number(&body[at + 9..]));
    let last = memchr::memmem::rfind(body, b"\"offset\":").and_then(|at| number(&body[at + 9..]));
    let mut taken = taken.lock().expect("counts");
    let (Some(first), Some(last)) = (first, last) else {
        taken.strange += 1;
        return;
    };
    taken.first.get_or_insert((Instant::now(), first));
    taken.offset = taken.offset.max(last);
    match (file.line_at(first), file.line_at(last)) {
        (Some(from), Some(to)) if from <= to && to - from + 1 == events => taken.add(from, to),
        _ => taken.strange += 1,
    }
}

fn number(text: &[u8]) -> Option<u64> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    std::str::from_utf8(&text[..digits]).ok()?.parse().ok()
}
