//! Answers that no server should give: an event counts as delivered only when the answer says so.

use super::mutate::mutate;
use super::rng::Rng;
use ::shipper::config;
use ::shipper::output::batch::Batch;
use ::shipper::output::bulk::{Answer, answer};
use ::shipper::output::elasticsearch::{Sender, Shared};
use ::shipper::output::settings::OutputSettings;
use ::shipper::stop::Stop;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

const SOUND: &[&str] = &[
    r#"{"errors":false}"#,
    r#"{"took":1,"errors":false,"items":[{"create":{"status":201}},{"create":{"status":201}},{"create":{"status":200}}]}"#,
    r#"{"errors":true,"items":[{"create":{"status":201}},{"create":{"status":409,"error":{"type":"version_conflict_engine_exception","reason":"exists"}}},{"create":{"status":429,"error":{"type":"es_rejected_execution_exception","reason":"slow"}}}]}"#,
    r#"{"errors":true,"items":[{"create":{"status":400,"error":{"type":"mapper_parsing_exception","reason":"[a] \"b\""}}},{"create":{"status":503}},{"index":{"status":201}}]}"#,
    r#"{"errors":false,"items":[{"create":{"status":201}},{"create":{"status":201}}]}"#,
    r#"{"errors":true,"items":[{"create":{"status":403,"error":{"type":"security_exception","reason":"no"}}},{"create":{"status":201}},{"create":{"status":201}}]}"#,
    r#"{"error":{"root_cause":[],"type":"x","reason":"y"},"status":400}"#,
];

/// One body; says what is wrong.
pub fn case(rng: &mut Rng) -> Result<(), String> {
    let mut body = mutate(rng.pick(SOUND).as_bytes(), rng);
    if rng.one_in(100) {
        body = b"[".repeat(usize::try_from(rng.below(200_000)).expect("small"));
    }
    if rng.one_in(1000) {
        body = long(rng);
    }
    let status =
        u16::try_from(*rng.pick(&[200u64, 200, 200, 201, 302, 400, 401, 404, 413, 429, 500, 503, 99])).unwrap_or(0);
    let events = usize::try_from(rng.within(1, 4)).expect("a few");
    match answer(status, &body, events, rng.one_in(2)) {
        Answer::AllDelivered => {
            let json: Value = serde_json::from_slice(&body).map_err(|e| format!("no JSON counts as success: {e}"))?;
            let items = json.get("items").and_then(Value::as_array).map_or(0, Vec::len);
            let is_told = items == 0 || items == events;
            if !(200..300).contains(&status) || json.get("errors") != Some(&Value::Bool(false)) || !is_told {
                return Err(format!("[{status}] counts as success: {}", String::from_utf8_lossy(&body)));
            }
        }
        Answer::Each(outcomes) if outcomes.len() != events => {
            return Err(format!("{} outcomes for {events} events", outcomes.len()));
        }
        Answer::Each(_) | Answer::Retry(_) | Answer::TooLarge(_) | Answer::Split(_) => {}
    }
    Ok(())
}

/// An answer of megabytes, a tree of which would take many times as much.
fn long(rng: &mut Rng) -> Vec<u8> {
    let (start, piece, end) = *rng.pick(&[
        (r#"{"errors":true,"items":[{}"#, ",{}", "]}"),
        (r#"{"errors":true,"items":[{"create":{"status":400,"error":[0"#, ",0", "]}}]}"),
        (r#"{"errors":true,"items":[{"create":{"status":[0"#, ",[]", "]}}]}"),
        (r#"{"error":{"type":"x","reason":"y","root_cause":[0"#, ",{}", "]}}"),
    ]);
    let times = usize::try_from(rng.within(1 << 20, 8 << 20)).expect("small");
    [start.as_bytes(), &piece.as_bytes().repeat(times), end.as_bytes()].concat()
}

/// A server that says what it is told to, then closes; when it is told nothing, it takes everything.
pub struct Server {
    next: Arc<Mutex<Option<Vec<u8>>>>,
    sender: Sender,
}

impl Server {
    pub fn start() -> Result<Server, String> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|e| e.to_string())?;
        let address = listener.local_addr().map_err(|e| e.to_string())?;
        let next: Arc<Mutex<Option<Vec<u8>>>> = Arc::default();
        let of_server = Arc::clone(&next);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                serve(&stream, &of_server);
            }
        });
        let text = format!(
            "filebeat.inputs: [{{paths: [/a]}}]\noutput.elasticsearch:\n  hosts: ['http://{address}']\n  timeout: 5s\n  \
             backoff: {{init: 1ms, max: 1ms}}\n  deterministic_ids: true\n"
        );
        let OutputSettings::Elasticsearch(settings) = config::read(&text, &|_| None)?.output else {
            return Err("another output".into());
        };
        let shared = Shared::new(&settings);
        Ok(Server { next, sender: Sender::new(settings, &shared)? })
    }

    /// A whole exchange with a damaged answer, which ends with every event delivered or refused.
    pub fn case(&mut self, rng: &mut Rng) -> Result<(), String> {
        let body = rng.pick(SOUND);
        let status =
            rng.pick(&["200 OK", "200 OK", "413 X", "429 X", "503 X", "301 X\r\nlocation: /y", "100 Continue"]);
        let sound = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        *self.next.lock().expect("an answer") = Some(mutate(sound.as_bytes(), rng));
        let mut batch = Batch::default();
        for n in 0..3u32 {
            batch.body.extend_from_slice(format!("{{\"create\":{{}}}}\n{{\"message\":\"{n}\"}}\n").as_bytes());
            batch.ends.push(u32::try_from(batch.body.len()).expect("small"));
        }
        self.sender.deliver(&batch, &Stop::default()).map_err(|_| "given up without being told to stop".to_owned())
    }
}

fn serve(stream: &TcpStream, next: &Mutex<Option<Vec<u8>>>) {
    let mut input = BufReader::new(stream);
    loop {
        let mut length = 0;
        let mut line = String::new();
        while input.read_line(&mut line).is_ok_and(|n| n > 2) {
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
            line.clear();
        }
        let mut body = vec![0; length];
        if line.is_empty() || input.read_exact(&mut body).is_err() {
            return;
        }
        let mut stream = stream;
        if let Some(damaged) = next.lock().expect("an answer").take() {
            let _ = stream.write_all(&damaged);
            return;
        }
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 16\r\n\r\n{\"errors\":false}");
    }
}
