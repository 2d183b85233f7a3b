//! A real node as a process: started, paused, killed and started again, and asked what it has.

use super::rng::Rng;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A start may build first.
const START_MAX: Duration = Duration::from_mins(15);

pub struct Node {
    pub url: String,
    holdfast: Option<PathBuf>,
    folder: PathBuf,
    port: u16,
    child: Mutex<Option<Child>>,
    agent: ureq::Agent,
}

impl Node {
    /// One that runs already: it is never paused or killed.
    pub fn there(url: &str) -> Node {
        Node {
            url: url.to_owned(),
            holdfast: None,
            folder: PathBuf::new(),
            port: 0,
            child: Mutex::new(None),
            agent: agent(),
        }
    }

    /// Starts one, with its data in a folder.
    pub fn start(holdfast: &Path, port: u16, folder: &Path) -> Result<Node, String> {
        let node = Node {
            url: format!("http://127.0.0.1:{port}"),
            holdfast: Some(holdfast.to_owned()),
            folder: folder.to_owned(),
            port,
            child: Mutex::new(None),
            agent: agent(),
        };
        node.spawn()?;
        Ok(node)
    }

    fn spawn(&self) -> Result<(), String> {
        let Some(holdfast) = &self.holdfast else { return Ok(()) };
        let log = std::fs::File::options().create(true).append(true).open(self.folder.join("node.log"));
        let log = log.map_err(|e| e.to_string())?;
        let child = Command::new(holdfast)
            .args(["start", "--port", &self.port.to_string()])
            .args(["--data".as_ref(), self.folder.join("data").as_os_str()])
            .args(["--store".as_ref(), self.folder.join("store").as_os_str()])
            .stdout(log.try_clone().map_err(|e| e.to_string())?)
            .stderr(log)
            .stdin(Stdio::null())
            .spawn()
            .map_err(|e| format!("[{}]: {e}", holdfast.display()))?;
        *self.child.lock().expect("a process") = Some(child);
        let until = Instant::now() + START_MAX;
        while Instant::now() < until {
            if self.get("/_cluster/health").is_ok() {
                return Ok(());
            }
            if let Some(child) = self.child.lock().expect("a process").as_mut()
                && let Ok(Some(status)) = child.try_wait()
            {
                return Err(format!("the node ended with {status}: see {}", self.folder.join("node.log").display()));
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Err("the node does not answer".into())
    }

    fn signal(&self, name: &str) {
        if let Some(child) = self.child.lock().expect("a process").as_ref() {
            let _ = Command::new("kill").args([name, &child.id().to_string()]).status();
        }
    }

    /// `kill -9`, and waits for its end.
    pub fn kill(&self) {
        if let Some(mut child) = self.child.lock().expect("a process").take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Pauses and kills it now and then until told to end; it runs when this returns.
    pub fn disturb(&self, seed: u64, is_over: &AtomicBool, counts: &Counts) {
        if self.holdfast.is_none() {
            return;
        }
        let mut rng = Rng::new(seed);
        while !is_over.load(Relaxed) {
            for _ in 0..rng.within(20, 150) {
                std::thread::sleep(Duration::from_millis(100));
                if is_over.load(Relaxed) {
                    return;
                }
            }
            if rng.one_in(5) {
                self.kill();
                *counts.kills.lock().expect("a count") += 1;
                std::thread::sleep(Duration::from_millis(rng.below(1500)));
                if let Err(e) = self.spawn() {
                    eprintln!("the node did not come back: {e}");
                    std::process::exit(3);
                }
            } else {
                self.signal("-STOP");
                std::thread::sleep(Duration::from_millis(rng.within(100, 1500)));
                self.signal("-CONT");
                *counts.pauses.lock().expect("a count") += 1;
            }
        }
    }

    fn get(&self, path: &str) -> Result<Value, String> {
        let response = self.agent.get(format!("{}{path}", self.url)).call();
        json_of(response)
    }

    fn post(&self, path: &str, body: &Value) -> Result<Value, String> {
        let request = self.agent.post(format!("{}{path}", self.url)).header("content-type", "application/json");
        json_of(request.send(body.to_string()))
    }

    fn refresh(&self, index: &str) -> Result<Value, String> {
        json_of(self.agent.post(format!("{}/{index}/_refresh", self.url)).send_empty())
    }

    /// How often each message is in an index.
    pub fn messages(&self, index: &str) -> Result<BTreeMap<String, u64>, String> {
        self.refresh(index)?;
        let mut found = BTreeMap::new();
        let query = json!({"size": 5000, "_source": ["message"], "sort": ["_doc"]});
        let mut page = self.post(&format!("/{index}/_search?scroll=1m"), &query)?;
        loop {
            if page.pointer("/_shards/failed").and_then(Value::as_u64) != Some(0) {
                return Err("not every shard answers".into());
            }
            let hits = page.pointer("/hits/hits").and_then(Value::as_array).ok_or("an answer without hits")?;
            if hits.is_empty() {
                return Ok(found);
            }
            for hit in hits {
                let message = hit.pointer("/_source/message").and_then(Value::as_str).unwrap_or("(no message)");
                *found.entry(message.to_owned()).or_default() += 1;
            }
            let id = page.get("_scroll_id").and_then(Value::as_str).ok_or("no scroll id")?.to_owned();
            page = self.post("/_search/scroll", &json!({"scroll": "1m", "scroll_id": id}))?;
        }
    }

    /// Documents in an index.
    pub fn count(&self, index: &str) -> Result<u64, String> {
        self.refresh(index)?;
        self.get(&format!("/{index}/_count"))?.get("count").and_then(Value::as_u64).ok_or("no count".into())
    }

    /// Deletes an index.
    pub fn delete(&self, index: &str) {
        let _ = self.agent.delete(format!("{}/{index}", self.url)).call();
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill();
    }
}

/// What happened to the node.
#[derive(Clone, Default)]
pub struct Counts {
    pub kills: Arc<Mutex<u64>>,
    pub pauses: Arc<Mutex<u64>>,
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_secs(30)))
        .build()
        .into()
}

fn json_of(response: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Result<Value, String> {
    let mut response = response.map_err(|e| e.to_string())?;
    let status = response.status().as_u16();
    let text = response.body_mut().with_config().limit(64 << 20).read_to_string().map_err(|e| e.to_string())?;
    if status >= 300 {
        return Err(format!("status {status}: {text}"));
    }
    serde_json::from_str(&text).map_err(|e| e.to_string())
}
