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
        if fault == Fault::Floods && result.is_long {
            answer_text(stream, 200, &" ".repeat(65 << 20));
            continue;
        }
        answer_text(stream, 200, &result.text);
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

/// What a request is answered, and whether that is about more than 25 events.
struct Answered {
    text: String,
    is_long: bool,
}

/// Does what a request says. Tests send it a million events, and their crate is not optimized: of most
/// documents only the message is looked for.
fn bulk(body: &[u8], taken: &mut Taken, fault: Fault) -> Answered {
    let created = format!(r#"{{"create":{{"status":201,"padding":"{}"}}}}"#, padding(fault));
    let (mut items, mut events, mut errors) = (String::new(), 0, false);
    let mut last = None;
    let mut lines = body.split(|b| *b == b'\n').filter(|line| !line.is_empty());
    while let (Some(action), Some(document)) = (lines.next(), lines.next()) {
        taken.events += 1;
        events += 1;
        if !items.is_empty() {
            items.push(',');
        }
        let message = message(document);
        if let Some((status, kind)) = refusal(action, &message, taken, fault) {
            errors = true;
            let item = json!({"create": {"status": status, "error": {"type": kind, "reason": "bad"}}});
            items.push_str(&item.to_string());
            continue;
        }
        last = Some(document);
        *taken.messages.entry(message).or_default() += 1;
        items.push_str(&created);
    }
    if let Some(document) = last {
        taken.last = serde_json::from_slice(document).unwrap();
    }
    Answered { text: format!(r#"{{"errors":{errors},"items":[{items}]}}"#), is_long: events > 25 }
}

fn padding(fault: Fault) -> String {
    if fault == Fault::Verbose { "x".repeat(300) } else { String::new() }
}

/// The text of an event.
fn message(document: &[u8]) -> String {
    const KEY: &[u8] = br#""message":"#;
    let Some(at) = memchr::memmem::find(document, KEY) else { return String::new() };
    let mut values = serde_json::Deserializer::from_slice(&document[at + KEY.len()..]).into_iter::<String>();
    values.next().and_then(Result::ok).unwrap_or_default()
}

/// Why an event is not taken: its status, and the type of its error.
fn refusal(action: &[u8], message: &str, taken: &mut Taken, fault: Fault) -> Option<(u16, &'static str)> {
    let action: Value = serde_json::from_slice(action).unwrap();
    let id = action.pointer("/create/_id").and_then(Value::as_str);
    match fault {
        Fault::Denies => return Some((403, "security_exception")),
        Fault::Picky => {
            let is_letter = action.pointer("/create/_index").is_some_and(|index| index == "dead");
            if is_letter {
                taken.letters.push(action.clone());
            }
            if is_letter && taken.letters.len() <= 2 {
                return Some((429, "es_rejected"));
            }
            if !is_letter && message.contains("bad") {
                return Some((400, "mapper"));
            }
        }
        Fault::Throttles if taken.events.is_multiple_of(3) => return Some((429, "es_rejected")),
        _ => {}
    }
    let times = taken.ids.entry(id?.to_owned()).or_default();
    *times += 1;
    (*times > 1).then_some((409, "version_conflict"))
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
