//! Settings of a `filestream` input, by Filebeat's names.

use super::events::EventSettings;
use super::source::Compression;
use crate::config::section::{Section, Warnings};
use regex::bytes::Regex;
use std::time::Duration;

/// Bytes of SHA-256's block: a shorter fingerprint would be hashed no faster.
const FINGERPRINT_BYTES_MIN: u64 = 64;
const FINGERPRINT_BYTES_MAX: u64 = 10 << 20;

/// Which files are taken for compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compressed {
    /// Those whose first bytes say so.
    Detected,
    /// All are as this says.
    Always(Compression),
}

/// By what files are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentifiedBy {
    /// SHA-256 of `length` decompressed bytes from `offset` on; all bytes while they are fewer.
    Fingerprint {
        /// Bytes before are not looked at.
        offset: u64,
        /// So many are hashed.
        length: u64,
        /// Whether a shorter file is read before it is long enough.
        is_growing: bool,
    },
    /// Device and inode.
    Inode,
}

/// When a file that is not read is closed, or not opened.
#[derive(Clone, Debug)]
pub struct Closing {
    /// Nothing new for so long; zero for never.
    pub inactive: Duration,
    /// At its end, at once.
    pub on_eof: bool,
    /// When it has no name any more and was read to its end.
    pub removed: bool,
    /// When it has another name.
    pub renamed: bool,
    /// However it is read, after so long; zero for never.
    pub after_interval: Duration,
}

/// One input.
#[derive(Clone)]
pub struct InputSettings {
    /// Its name in the registry; a changed id begins anew.
    pub id: String,
    /// Patterns.
    pub paths: Vec<String>,
    /// Files that are left out.
    pub exclude_files: Vec<Regex>,
    /// When not empty, only these.
    pub include_files: Vec<Regex>,
    /// Whether `**` stands for folders.
    pub is_recursive: bool,
    /// Whether links are followed.
    pub follows_symlinks: bool,
    /// How often the patterns are looked at.
    pub check_interval: Duration,
    /// What is decompressed.
    pub compressed: Compressed,
    /// By what files are recognised.
    pub identified_by: IdentifiedBy,
    /// When files are closed.
    pub closing: Closing,
    /// Files last changed so long ago are left alone; zero for none.
    pub ignore_older: Duration,
    /// Entries of files not seen for so long are forgotten; zero for never.
    pub clean_inactive: Duration,
    /// Entries of files that are gone are forgotten after a while.
    pub cleans_removed: bool,
    /// A file that is delivered and has not changed for so long is deleted.
    pub delete_after: Option<Duration>,
    /// Files that are read at the same time; 0 for no limit.
    pub harvester_limit: u64,
    /// The first pause at a file's end, and the longest.
    pub backoff: (Duration, Duration),
    /// What lines become.
    pub events: EventSettings,
}

impl InputSettings {
    /// Reads an input; `None` when it is disabled.
    pub fn read(s: Section, warnings: &mut Warnings) -> Result<Option<InputSettings>, String> {
        s.text("type")?; // whoever called knows it
        let is_enabled = s.flag("enabled", true)?;
        let paths = s.texts("paths")?;
        let id = s.text("id")?.unwrap_or_default();
        let prospector = s.section("prospector")?;
        let scanner = prospector.section("scanner")?;
        let delete = s.section("delete")?;
        let delete_after = if delete.flag("enabled", false)? {
            Some(delete.duration("grace_period", Duration::from_mins(30))?)
        } else {
            None
        };
        delete.duration("grace_period", Duration::ZERO)?;
        delete.finish()?;
        let input = InputSettings {
            identified_by: identified_by(&s, &scanner, warnings)?,
            check_interval: scanner.pause("check_interval", Duration::from_secs(10))?,
            is_recursive: scanner.flag("recursive_glob", true)?,
            follows_symlinks: scanner.flag("symlinks", false)?,
            exclude_files: scanner.patterns("exclude_files")?,
            include_files: scanner.patterns("include_files")?,
            compressed: compressed(&s, warnings)?,
            closing: closing(&s, warnings)?,
            ignore_older: s.duration("ignore_older", Duration::ZERO)?,
            clean_inactive: clean_inactive(&s)?,
            cleans_removed: s.flag("clean_removed", true)?,
            delete_after,
            harvester_limit: s.number("harvester_limit", 0, 0, 1 << 20)?,
            backoff: s.pauses("backoff", Duration::from_secs(1), Duration::from_secs(5))?,
            events: EventSettings::read(&s, "filestream", ("message_max_bytes", 10 << 20), warnings)?,
            paths,
            id,
        };
        for name in ["buffer_size", "message_max_bytes_unit"] {
            s.no_effect(name, "buffers are sized by the shipper", warnings);
        }
        scanner.no_effect("resend_on_touch", "a touched file is never sent again", warnings);
        scanner.finish()?;
        prospector.finish()?;
        let path = s.path("paths");
        s.finish()?;
        if is_enabled && (input.paths.is_empty() || input.paths.iter().any(String::is_empty)) {
            return Err(format!("[{path}] is missing"));
        }
        Ok(is_enabled.then_some(input))
    }
}

fn identified_by(s: &Section, scanner: &Section, warnings: &mut Warnings) -> Result<IdentifiedBy, String> {
    let of_scanner = scanner.section("fingerprint")?;
    let offset = of_scanner.bytes("offset", 0)?;
    let length = of_scanner.bytes("length", 1024)?;
    let is_fingerprint = of_scanner.flag("enabled", true)?;
    let path = of_scanner.path("length");
    of_scanner.finish()?;
    if !(FINGERPRINT_BYTES_MIN..=FINGERPRINT_BYTES_MAX).contains(&length) {
        return Err(format!("[{path}] must be from {FINGERPRINT_BYTES_MIN} to {FINGERPRINT_BYTES_MAX} bytes"));
    }
    let identity = s.section("file_identity")?;
    let of_identity = identity.section("fingerprint")?;
    let is_growing = of_identity.flag("growing", true)? && offset == 0;
    if offset > 0 && of_identity.has("growing") {
        warnings.push(format!("[{}] has no effect here: fingerprints grow from offset 0", of_identity.path("growing")));
    }
    of_identity.finish()?;
    // `file_identity.native: ~` is how it is chosen.
    let is_native = identity.is_named("native");
    identity.section("native")?.finish()?;
    if identity.is_named("fingerprint") && (is_native || !is_fingerprint) {
        return Err(format!(
            "[{}] is contradicted by [{}] or by [prospector.scanner.fingerprint.enabled]",
            identity.path("fingerprint"),
            identity.path("native")
        ));
    }
    identity.finish()?;
    Ok(if is_native || !is_fingerprint {
        IdentifiedBy::Inode
    } else {
        IdentifiedBy::Fingerprint { offset, length, is_growing }
    })
}

fn compressed(s: &Section, warnings: &mut Warnings) -> Result<Compressed, String> {
    s.no_effect("gzip_experimental", "it is [compression: auto] now, which is the default", warnings);
    Ok(match s.choice("compression", "auto", &["auto", "none", "", "gzip", "zstd"])? {
        "gzip" => Compressed::Always(Compression::Gzip),
        "zstd" => Compressed::Always(Compression::Zstd),
        "auto" => Compressed::Detected,
        _ => Compressed::Always(Compression::None),
    })
}

fn closing(s: &Section, warnings: &mut Warnings) -> Result<Closing, String> {
    let close = s.section("close")?;
    let state = close.section("on_state_change")?;
    let reader = close.section("reader")?;
    let closing = Closing {
        inactive: state.duration("inactive", Duration::from_mins(5))?,
        removed: state.flag("removed", true)?,
        renamed: state.flag("renamed", false)?,
        on_eof: reader.flag("on_eof", false)?,
        after_interval: reader.duration("after_interval", Duration::ZERO)?,
    };
    state.no_effect("check_interval", "the state of a file is looked at whenever it is read", warnings);
    state.finish()?;
    reader.finish()?;
    close.finish()?;
    Ok(closing)
}

/// `-1` is how Filebeat writes "never".
fn clean_inactive(s: &Section) -> Result<Duration, String> {
    if s.text("clean_inactive")?.as_deref() == Some("-1") {
        return Ok(Duration::ZERO);
    }
    s.duration("clean_inactive", Duration::ZERO)
}
