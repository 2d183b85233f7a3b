//! What is known of a file.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// By what a file is recognised, under whatever name and compressed or not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Identity {
    /// SHA-256 of its first bytes, decompressed.
    Fingerprint([u8; 32]),
    /// All its bytes, while they are fewer than a fingerprint takes: the file that begins with them.
    Growing(Vec<u8>),
    /// Device and inode.
    Inode(u64, u64),
    /// No file: the journal that its input reads.
    Journal,
}

impl Identity {
    /// For logs and documents: what Filebeat writes for a fingerprint.
    pub fn shown(&self) -> String {
        match self {
            Identity::Fingerprint(sha) => hex(sha),
            Identity::Growing(bytes) => format!("growing-{}", hex(bytes)),
            Identity::Inode(device, inode) => format!("{inode}-{device}"),
            Identity::Journal => "journal".into(),
        }
    }
}

/// What the number of a file is made of.
#[derive(Clone)]
pub struct Number(Sha256);

impl Number {
    /// Of a file of an input on a host. What is known by a fingerprint has the same number again when the
    /// registry was lost; another host has another.
    pub fn of(host: &str, input: &str, identity: &Identity) -> Number {
        let mut hash = Sha256::new();
        hash.update(host.as_bytes());
        hash.update([0]);
        hash.update(input.as_bytes());
        hash.update([0]);
        hash.update(identity.shown().as_bytes());
        Number(hash)
    }

    /// Tells it from others that are like it.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// It.
    pub fn get(&self) -> u64 {
        let digest: [u8; 32] = self.0.clone().finalize().into();
        u64::from_le_bytes(digest[..8].try_into().expect("8 bytes"))
    }
}

/// How an archive was when it was read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Compressed bytes. Some writers add members to it.
    pub bytes: u64,
    /// The end is damage, behind which nothing was read.
    pub is_damaged: bool,
}

/// How far a file was delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number; also what ids of documents are made of.
    pub id: u64,
    /// The input that found it.
    pub input: String,
    /// By what it is recognised.
    pub identity: Identity,
    /// Where it was seen last.
    pub source: String,
    /// Device and inode where it was seen last.
    pub inode: (u64, u64),
    /// Decompressed bytes that the output has acknowledged.
    pub offset: u64,
    /// An archive that was read to its end: it is not opened again before it has grown.
    pub is_complete: bool,
    /// How it was then; `None` of one that an older version read.
    pub ended: Option<Ended>,
    /// When it was seen last, in seconds since 1970.
    pub seen_secs: u64,
    /// Of a journal: its last entry that the output has acknowledged.
    pub cursor: Option<String>,
}

impl Entry {
    /// As one line of JSON.
    pub fn to_json(&self) -> Value {
        let (kind, value) = match &self.identity {
            Identity::Fingerprint(sha) => ("fingerprint", hex(sha)),
            Identity::Growing(bytes) => ("growing", hex(bytes)),
            Identity::Inode(device, inode) => ("inode", format!("{device}-{inode}")),
            Identity::Journal => ("journal", String::new()),
        };
        let mut json = json!({
            "id": self.id, "input": self.input, kind: value, "source": self.source,
            "device": self.inode.0, "inode_number": self.inode.1, "offset": self.offset,
            "complete": self.is_complete, "seen": self.seen_secs,
        });
        if let Some(ended) = self.ended {
            json["archive_bytes"] = ended.bytes.into();
            json["damaged"] = ended.is_damaged.into();
        }
        if let Some(cursor) = &self.cursor {
            json["cursor"] = cursor.as_str().into();
        }
        json
    }

    /// Reads what [`Entry::to_json`] wrote; `None` when something is missing.
    pub fn from_json(json: &Value) -> Option<Entry> {
        let text = |name: &str| json.get(name)?.as_str();
        let number = |name: &str| json.get(name)?.as_u64();
        let identity = if let Some(sha) = text("fingerprint") {
            Identity::Fingerprint(unhex(sha)?.try_into().ok()?)
        } else if let Some(bytes) = text("growing") {
            Identity::Growing(unhex(bytes)?)
        } else if text("journal").is_some() {
            Identity::Journal
        } else {
            let (device, inode) = text("inode")?.split_once('-')?;
            Identity::Inode(device.parse().ok()?, inode.parse().ok()?)
        };
        Some(Entry {
            id: number("id")?,
            input: text("input")?.to_owned(),
            identity,
            source: text("source")?.to_owned(),
            inode: (number("device")?, number("inode_number")?),
            offset: number("offset")?,
            is_complete: json.get("complete")?.as_bool()?,
            ended: number("archive_bytes").map(|bytes| Ended { bytes, is_damaged: json["damaged"] == true }),
            seen_secs: number("seen")?,
            cursor: text("cursor").map(str::to_owned),
        })
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|b| [DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]]).map(char::from).collect()
}

pub(super) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text.chars().map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok())).collect();
    let digits = digits?;
    (digits.len() % 2 == 0).then(|| digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}
