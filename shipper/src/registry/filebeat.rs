//! Takes over what Filebeat's registry knows of `filestream` inputs, by fingerprints or inodes: a checkpoint
//! (`<n>.json`, an array of entries) and the operations after it (`log.json`, pairs of lines).

use super::entry::{Entry, Identity, Number, unhex};
use crate::metrics;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// A registry of Filebeat to begin with.
#[derive(Clone, Copy)]
pub struct Import<'a> {
    /// The folder `registry/filebeat` of its data folder.
    pub folder: &'a Path,
    /// Goes into numbers of entries, of which ids of documents are made: other hosts have registries too.
    pub host: &'a str,
}

/// Reads one. Entries that it can't use (other identities, other inputs) are left out.
pub(super) fn import(from: Import<'_>) -> io::Result<Vec<Entry>> {
    let folder = from.folder;
    let mut states: BTreeMap<String, Value> = BTreeMap::new();
    if !folder.join("active.dat").exists() && !folder.join("log.json").exists() {
        // Beginning without it would send everything again.
        return Err(io::Error::other(format!(
            "[filebeat.registry.import]: [{}] has no log.json of a registry of Filebeat",
            folder.display()
        )));
    }
    if let Some(checkpoint) = checkpoint(folder)? {
        for state in checkpoint.as_array().into_iter().flatten() {
            if let Some(key) = state.get("_key").and_then(Value::as_str) {
                states.insert(key.to_owned(), state.clone());
            }
        }
    }
    let log = folder.join("log.json");
    let text = if log.exists() { fs::read(log)? } else { Vec::new() };
    let mut operation = String::new();
    for (at, line) in text.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
        // Nobody knows what the operations behind it were made upon.
        let Ok(json) = serde_json::from_slice::<Value>(line) else {
            metrics::warning(
                "the log of Filebeat's registry is damaged: what it says from there on is not known",
                &[("line", &(at + 1).to_string())],
            );
            break;
        };
        if let Some(op) = json.get("op").and_then(Value::as_str) {
            op.clone_into(&mut operation);
        } else if let Some(key) = json.get("k").and_then(Value::as_str) {
            match operation.as_str() {
                "set" => {
                    states.insert(key.to_owned(), json.get("v").cloned().unwrap_or_default());
                }
                "remove" => {
                    states.remove(key);
                }
                _ => {}
            }
        }
    }
    let entries: Vec<Entry> = states.iter().filter_map(|(key, state)| entry(key, state, from.host)).collect();
    if entries.len() < states.len() {
        let (taken, left) = (entries.len().to_string(), (states.len() - entries.len()).to_string());
        metrics::warning(
            "entries of Filebeat's registry are left out: what they are of is read from its beginning",
            &[("taken", &taken), ("left_out", &left)],
        );
    }
    Ok(entries)
}

fn checkpoint(folder: &Path) -> io::Result<Option<Value>> {
    let active = folder.join("active.dat");
    if !active.exists() {
        return Ok(None);
    }
    let name = fs::read_to_string(active)?;
    let Some(file) = Path::new(name.trim()).file_name() else { return Ok(None) };
    let text = fs::read_to_string(folder.join(file))?;
    serde_json::from_str(&text)
        .map(Some)
        .map_err(|e| io::Error::other(format!("Filebeat's checkpoint [{}]: {e}", file.display())))
}

/// `filestream::<input id>::fingerprint::<sha-256>`, or `::native::<inode>-<device>`.
fn entry(key: &str, state: &Value, host: &str) -> Option<Entry> {
    let rest = key.strip_prefix("filestream::")?;
    let (input, identity) = if let Some((input, sha)) = rest.rsplit_once("::fingerprint::") {
        (input, Identity::Fingerprint(unhex(sha)?.try_into().ok()?))
    } else {
        let (input, numbers) = rest.rsplit_once("::native::")?;
        let (inode, device) = numbers.split_once('-')?;
        (input, Identity::Inode(device.parse().ok()?, inode.parse().ok()?))
    };
    let inode = if let Identity::Inode(device, inode) = identity { (device, inode) } else { (0, 0) };
    let cursor = state.get("cursor")?;
    Some(Entry {
        id: Number::of(host, input, &identity).get(),
        input: input.to_owned(),
        identity,
        source: state.pointer("/meta/source").and_then(Value::as_str).unwrap_or_default().to_owned(),
        inode,
        offset: cursor.get("offset").and_then(Value::as_u64).unwrap_or(0),
        is_complete: cursor.get("eof").and_then(Value::as_bool).unwrap_or(false),
        ended: None,
        seen_secs: 0,
        cursor: None,
    })
}
