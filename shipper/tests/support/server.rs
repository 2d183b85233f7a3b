//! A server that takes `_bulk`, with faults.

use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What the server does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    /// 503 to everything.
    Unavailable,
    /// Takes a request and answers nothing.
    LosesAnswers,
    /// 429 to every third event.
    Throttles,
    /// Some hundred bytes for each event of the answer.
    Verbose,
    /// The same, of which nobody would read so many: 65 MiB for more than 25 events.
    Floods,
    /// 415 to bodies that are zstd.
    KnowsNoZstd,
    /// 301 to everything.
    Moved,
    /// 400 to everything, with a page of a proxy.
    BadPage,
    /// 200 to everything, with such a page.
    GoodPage,
    /// 400 to every request, as the API says it.
    Refuses,
    /// The same to requests that have an event which says `bad`.
    Chokes,
    /// 413 to everything.
    TooLarge,
    /// 403 to every event.
    Denies,
    /// 400 to events that say `bad`, and 429 to the first two dead letters.
    Picky,
}

#[derive(Default)]
pub struct Taken {
    /// The last document.
    pub last: Value,
    /// How often each message came.
    pub messages: BTreeMap<String, u32>,
    /// By id, for a server that knows ids.
    pub ids: BTreeMap<String, u32>,
    pub events: u64,
    pub zstd_bodies: u64,
    /// Actions of dead letters.
    pub letters: Vec<Value>,
    /// Paths of requests that are none to `_bulk`, until the first that is.
    pub before: Vec<String>,
}

pub struct Server {
    pub address: String,
    pub taken: Arc<Mutex<Taken>>,
    pub fault: Arc<Mutex<Fault>>,
}

impl Server {
    pub fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let taken = Arc::new(Mutex::new(Taken::default()));
        let fault = Arc::new(Mutex::new(Fault::None));
        let server = Server { address, taken: Arc::clone(&taken), fault: Arc::clone(&fault) };
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (taken, fault) = (Arc::clone(&taken), Arc::clone(&fault));
                std::thread::spawn(move || connection(&stream, &taken, &fault));
            }
        });
        server
    }

    pub fn set(&self, fault: Fault) {
        *self.fault.lock().unwrap() = fault;
    }

    /// Distinct messages.
    pub fn distinct(&self) -> usize {
        self.taken.lock().unwrap().messages.len()
    }

    /// Waits until so many distinct messages came.
    pub fn wait_for(&self, distinct: usize, limit: Duration) {
        let until = Instant::now() + limit;
        while self.distinct() < distinct && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Messages that came more than once.
    pub fn repeated(&self) -> usize {
        self.taken.lock().unwrap().messages.values().filter(|n| **n > 1).count()
    }
}

fn connection(stream: &TcpStream, taken: &Mutex<Taken>, fault: &Mutex<Fault>) {
    let mut input = BufReader::new(stream);
    while let Some((path, body, is_zstd)) = request(&mut input) {
        let fault = *fault.lock().unwrap();
        if is_zstd && fault == Fault::KnowsNoZstd {
            answer(stream, 415, &json!({"error": {"type": "unsupported", "reason": "zstd"}}));
            continue;
        }
        taken.lock().unwrap().zstd_bodies += u64::from(is_zstd);
        let refusal = match fault {
            Fault::Unavailable => Some((503, json!({"error": {"type": "unavailable", "reason": "on purpose"}}))),
            Fault::Moved => Some((301, json!("<html>moved"))),
            Fault::BadPage => Some((400, json!("<html>plain HTTP was sent to an HTTPS port"))),
            Fault::GoodPage => Some((200, json!("<html>who are you?"))),
            Fault::TooLarge => Some((413, json!("<html>large"))),
            Fault::Chokes if !String::from_utf8_lossy(&body).contains(", bad") => None,
            Fault::Refuses | Fault::Chokes => {
                Some((400, json!({"error": {"type": "illegal_argument_exception", "reason": "on purpose"}})))
            }
            _ => None,
        };
        if let Some((status, body)) = refusal {
            answer(stream, status, &body);
            continue;
        }
        if !path.contains("/_bulk") {
            let mut taken = taken.lock().unwrap();
            if taken.events == 0 {
                taken.before.push(path);
            }
            answer(stream, 200, &json!({"version": {"number": "9.5.3"}}));
            continue;
        }
        let result = bulk(&body, &mut taken.lock().unwrap(), fault);
        if fault == Fault::LosesAnswers {
            return;
        }
        if fault == Fault::Floods && result["items"].as_array().is_some_and(|items| items.len() > 25) {
            answer_text(stream, 200, &" ".repeat(65 << 20));
            continue;
        }
        answer(stream, 200, &result);
    }
}

fn request(input: &mut impl BufRead) -> Option<(String, Vec<u8>, bool)> {
    let mut first = String::new();
    input.read_line(&mut first).ok().filter(|n| *n > 0)?;
    let (mut length, mut is_gzip, mut is_zstd) = (0, false, false);
    loop {
        let mut line = String::new();
        input.read_line(&mut line).ok()?;
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        is_gzip |= line.starts_with("content-encoding:") && line.contains("gzip");
        is_zstd |= line.starts_with("content-encoding:") && line.contains("zstd");
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    if is_gzip {
        let mut plain = Vec::new();
        GzDecoder::new(&body[..]).read_to_end(&mut plain).ok()?;
        body = plain;
    }
    if is_zstd {
        body = zstd::decode_all(&body[..]).ok()?;
    }
    Some((first.split(' ').nth(1)?.to_owned(), body, is_zstd))
}

/// Does what a request says.
fn bulk(body: &[u8], taken: &mut Taken, fault: Fault) -> Value {
    let mut items = Vec::new();
    let mut lines = body.split(|b| *b == b'\n').filter(|line| !line.is_empty());
    while let (Some(action), Some(document)) = (lines.next(), lines.next()) {
        let action: Value = serde_json::from_slice(action).unwrap();
        let document: Value = serde_json::from_slice(document).unwrap();
        taken.events += 1;
        if fault == Fault::Denies {
            items.push(json!({"create": {"status": 403, "error": {"type": "security_exception", "reason": "no"}}}));
            continue;
        }
        if fault == Fault::Picky {
            let is_letter = action.pointer("/create/_index").is_some_and(|index| index == "dead");
            if is_letter {
                taken.letters.push(action.clone());
            }
            let is_bad = document.get("message").and_then(Value::as_str).unwrap_or_default().contains("bad");
            if is_letter && taken.letters.len() <= 2 {
                items.push(json!({"create": {"status": 429, "error": {"type": "es_rejected", "reason": "slow"}}}));
                continue;
            }
            if !is_letter && is_bad {
                items.push(json!({"create": {"status": 400, "error": {"type": "mapper", "reason": "bad"}}}));
                continue;
            }
        }
        if fault == Fault::Throttles && taken.events.is_multiple_of(3) {
            items.push(json!({"create": {"status": 429, "error": {"type": "es_rejected", "reason": "slow"}}}));
            continue;
        }
        if let Some(id) = action.pointer("/create/_id").and_then(Value::as_str) {
            let times = taken.ids.entry(id.to_owned()).or_default();
            *times += 1;
            if *times > 1 {
                items
                    .push(json!({"create": {"status": 409, "error": {"type": "version_conflict", "reason": "there"}}}));
                continue;
            }
        }
        taken.last = document.clone();
        let message = document.get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
        *taken.messages.entry(message).or_default() += 1;
        let padding = if fault == Fault::Verbose { "x".repeat(300) } else { String::new() };
        items.push(json!({"create": {"status": 201, "padding": padding}}));
    }
    let errors = items.iter().any(|item| item.pointer("/create/error").is_some());
    json!({"errors": errors, "items": items})
}

fn answer(stream: &TcpStream, status: u16, body: &Value) {
    answer_text(stream, status, &body.to_string());
}

fn answer_text(mut stream: &TcpStream, status: u16, body: &str) {
    let _ = write!(
        stream,
        "HTTP/1.1 {status} X\r\nlocation: https://elsewhere/\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
}
