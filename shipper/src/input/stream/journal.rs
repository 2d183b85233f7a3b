//! The journal of systemd, as `journalctl` prints it: its files have a format of systemd's own, which
//! one program reads rightly. It is started anew behind the last entry when it ends.

use super::Tools;
use super::chunks::chunks;
use super::journal_fields::document;
use super::journal_place::JournalPlace;
use crate::config::section::{Section, Warnings};
use crate::event::Record;
use crate::input::lines::Lines;
use crate::input::parse::Chain;
use crate::metrics::{self, count};
use crate::output::batch::Closed;
use encoding_rs::UTF_8;
use serde_json::{Map, Value};
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// How often what waits is looked at.
const TICK: Duration = Duration::from_millis(50);

/// What a program that has ended said is read within this.
const COMPLAINT_WAIT: Duration = Duration::from_secs(1);

/// Pauses before `journalctl` is started anew, from and to.
const AGAIN: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(1));

/// An entry has its message and fields, some of them escaped byte by byte: so many times a message, and
/// as much for the rest.
const ENTRY_TIMES: usize = 4;
const ENTRY_BYTES_MORE: usize = 1 << 20;

/// So much of what `journalctl` says when it fails is told.
const COMPLAINT_BYTES_MAX: u64 = 2 << 10;

/// Where an input begins that has no cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seek {
    /// With the oldest entry.
    Head,
    /// With what comes from now on.
    Tail,
    /// So long ago.
    Since(Duration),
}

/// Of a journal.
#[derive(Clone, Debug)]
pub struct JournalSettings {
    program: String,
    arguments: Vec<String>,
    seek: Seek,
    saves_remote_hostname: bool,
}

impl JournalSettings {
    /// Reads them.
    pub fn read(s: &Section, warnings: &mut Warnings) -> Result<JournalSettings, String> {
        let mut arguments = paths(s)?;
        for unit in s.texts("units")? {
            arguments.push(format!("--unit={unit}"));
        }
        for identifier in s.texts("syslog_identifiers")? {
            arguments.push(format!("--identifier={identifier}"));
        }
        for facility in s.texts("facilities")? {
            let is_known = facility.parse::<u8>().is_ok_and(|n| n < 24);
            if !is_known {
                return Err(format!("[{}] must be numbers from 0 to 23, not [{facility}]", s.path("facilities")));
            }
            arguments.push(format!("--facility={facility}"));
        }
        if s.flag("merge", false)? {
            arguments.push("--merge".into());
        }
        if let Some(namespace) = s.text("namespace")? {
            arguments.push(format!("--namespace={namespace}"));
        }
        let seek = match s.choice("seek", "head", &["head", "tail", "since", "cursor"])? {
            "tail" => Seek::Tail,
            "since" => Seek::Since(since(s)?),
            _ => Seek::Head,
        };
        if !matches!(seek, Seek::Since(_)) && s.has("since") {
            warnings.push(format!("[{}] has no effect here: [seek] is not since", s.path("since")));
        }
        for name in ["backoff", "max_backoff", "cursor_seek_fallback"] {
            s.no_effect(name, "journalctl is told to follow, and goes on at the next entry there is", warnings);
        }
        let program = s.text("journalctl_path")?.unwrap_or_else(|| "journalctl".into());
        let saves_remote_hostname = s.flag("save_remote_hostname", false)?;
        arguments.extend(matches(s)?);
        Ok(JournalSettings { program, arguments, seek, saves_remote_hostname })
    }
}

/// Matches come last.
fn matches(s: &Section) -> Result<Vec<String>, String> {
    let include = s.section("include_matches")?;
    let mut all = include.texts("match")?;
    let path = include.path("match");
    include.finish()?;
    for transport in s.texts("transports")? {
        all.push(format!("_TRANSPORT={transport}"));
    }
    if s.flag("kernel", false)? {
        all.push("_TRANSPORT=kernel".into());
    }
    match all.iter().find(|m| m.starts_with(['-', '/']) || !m.contains('=')) {
        Some(wrong) => Err(format!("[{path}] must be FIELD=value, not [{wrong}]")),
        None => Ok(all),
    }
}

fn paths(s: &Section) -> Result<Vec<String>, String> {
    let paths = s.texts("paths")?;
    let is_system = |path: &String| path == "SYSTEM_JOURNAL" || path == "LOCAL_SYSTEM_JOURNAL";
    if paths.iter().any(is_system) {
        return if paths.len() == 1 {
            Ok(Vec::new())
        } else {
            Err(format!("[{}] has the system's journal and others: give each an input", s.path("paths")))
        };
    }
    let (folders, files): (Vec<&String>, Vec<&String>) =
        paths.iter().partition(|path| std::path::Path::new(path).is_dir());
    match (folders[..].len(), files.len()) {
        (0, _) => Ok(files.iter().map(|file| format!("--file={file}")).collect()),
        (1, 0) => Ok(vec![format!("--directory={}", folders[0])]),
        _ => Err(format!("[{}] must be files or one folder: give each folder an input", s.path("paths"))),
    }
}

/// Filebeat writes `-24h`: so long ago.
fn since(s: &Section) -> Result<Duration, String> {
    let text = s.text("since")?.ok_or_else(|| format!("[{}] is missing, such as -24h", s.path("since")))?;
    let ago = text.strip_prefix('-').and_then(crate::config::section::duration);
    ago.ok_or_else(|| format!("[{}] must be a time before now, such as -24h, it is [{text}]", s.path("since")))
}

pub(super) fn prepare(settings: JournalSettings, id: &str, tools: Tools) -> Result<Box<dyn FnOnce() + Send>, String> {
    let place = Arc::clone(tools.feed.place().expect("a journal's feed has a place"));
    let version = Command::new(&settings.program).arg("--version").stdin(Stdio::null()).output();
    if let Err(e) = version {
        return Err(format!("the journal of input [{id}] can't be read: [{}] can't be run: {e}", settings.program));
    }
    Ok(Box::new(move || {
        let mut journal =
            Journal { last: place.cursor(), place, chain: tools.feed.events.parsers.begin(), settings, tools };
        if journal.run().is_ok() {
            let _ = journal.tools.feed.pass_on(None, true);
        }
    }))
}

struct Journal {
    settings: JournalSettings,
    tools: Tools,
    place: Arc<JournalPlace>,
    chain: Option<Chain>,
    /// The last entry that was read.
    last: Option<String>,
}

/// What is read of one run of the program.
enum Ended {
    Stopped,
    /// It has no more, which is asked for.
    Complete,
    /// Why; and whether something came before.
    Broke(String, bool),
}

impl Journal {
    fn run(&mut self) -> Result<(), Closed> {
        let mut pause = AGAIN.0;
        loop {
            match self.follow()? {
                Ended::Stopped => break,
                Ended::Complete => {
                    self.tools.feed.flush(&mut self.chain, true)?;
                    break;
                }
                Ended::Broke(why, has_read) => {
                    metrics::warning("journalctl ended and is started anew", &[("reason", &why)]);
                    if has_read {
                        pause = AGAIN.0;
                    }
                }
            }
            if self.tools.stop.sleep(pause) {
                break;
            }
            pause = (pause * 2).min(AGAIN.1);
        }
        Ok(())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.settings.program);
        command.args(["--output=json", "--all", "--no-pager", "--quiet"]);
        if self.tools.is_once {
            command.arg("--no-tail");
        } else {
            command.arg("--follow");
        }
        match (&self.last, &self.settings.seek) {
            (Some(cursor), _) => command.args(["--no-tail", &format!("--after-cursor={cursor}")]),
            (None, Seek::Head) => command.arg("--no-tail"),
            (None, Seek::Tail) => command.arg("--lines=0"),
            (None, Seek::Since(ago)) => {
                let from = jiff::Timestamp::now().as_second() - i64::try_from(ago.as_secs()).unwrap_or(i64::MAX);
                command.args(["--no-tail", &format!("--since=@{}", from.max(0))])
            }
        };
        command.args(&self.settings.arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the program until it, or the shipper, ends.
    fn follow(&mut self) -> Result<Ended, Closed> {
        let mut child = match self.command().spawn() {
            Ok(child) => child,
            Err(e) => return Ok(Ended::Broke(e.to_string(), false)),
        };
        let heard = child.stderr.take().and_then(|said| hear(said).ok());
        let read = self.read(&mut child);
        let _ = child.kill(); // it may have ended
        let status = child.wait();
        let (mut ended, has_read) = read?;
        if matches!(ended, Ended::Complete) && (!self.tools.is_once || !status.is_ok_and(|s| s.success())) {
            let complaint = heard.and_then(|heard| heard.recv_timeout(COMPLAINT_WAIT).ok()).unwrap_or_default();
            ended = Ended::Broke(complaint.trim().to_owned(), has_read);
        }
        Ok(ended)
    }

    fn read(&mut self, child: &mut Child) -> Result<(Ended, bool), Closed> {
        let feed = Arc::clone(&self.tools.feed);
        let output = match chunks(child.stdout.take().expect("it is piped")) {
            Ok(output) => output,
            Err(e) => return Ok((Ended::Broke(e.to_string(), false), false)),
        };
        let entry_bytes_max = ENTRY_TIMES * feed.events.message_bytes_max + ENTRY_BYTES_MORE;
        let mut lines = Lines::new(UTF_8, entry_bytes_max, 0);
        let mut has_read = false;
        while !self.tools.stop.is_set() {
            match output.recv_timeout(TICK) {
                Ok(Ok(chunk)) if !chunk.is_empty() => {
                    has_read = true;
                    count(&metrics::BYTES_READ, chunk.len() as u64);
                    let mut given = Ok(());
                    lines.push(&chunk, |line| {
                        if given.is_ok() {
                            given = self.entry(&line.text, line.is_cut);
                        }
                    });
                    given?;
                }
                Ok(Ok(_)) | Err(RecvTimeoutError::Disconnected) => return Ok((Ended::Complete, has_read)),
                Ok(Err(e)) => return Ok((Ended::Broke(e.to_string(), has_read), has_read)),
                Err(RecvTimeoutError::Timeout) => {}
            }
            feed.flush(&mut self.chain, false)?;
            feed.pass_on(self.chain.as_ref(), false)?;
        }
        Ok((Ended::Stopped, has_read))
    }

    fn entry(&mut self, line: &[u8], is_cut: bool) -> Result<(), Closed> {
        let parsed: Option<Map<String, Value>> = if is_cut { None } else { serde_json::from_slice(line).ok() };
        let Some((cursor, fields)) = parsed.and_then(|fields| {
            let cursor = fields.get("__CURSOR")?.as_str()?.to_owned();
            Some((cursor, fields))
        }) else {
            count(&metrics::JOURNAL_ERRORS, 1);
            let shown = String::from_utf8_lossy(&line[..line.len().min(300)]).into_owned();
            let reason = if is_cut { "it is too long (message_max_bytes)" } else { "it is no entry" };
            metrics::error("an entry of the journal is left out", &[("reason", reason), ("entry", &shown)]);
            return Ok(());
        };
        let number = self.place.read(cursor.clone());
        self.last = Some(cursor);
        let mut found = document(&fields, self.settings.saves_remote_hostname);
        let bytes_max = self.tools.feed.events.message_bytes_max;
        let is_cut = found.message.len() > bytes_max;
        found.message.truncate(bytes_max);
        let mut record = Record::line(&found.message, number, number + 1, found.timestamp_nanos, is_cut);
        record.members = found.members;
        self.tools.feed.record(&mut self.chain, record)
    }
}

/// The first line of what a program says, from a thread that goes on to listen: who says more than a pipe
/// holds would wait for it. What the program has started may outlive it and say nothing.
fn hear(said: impl Read + Send + 'static) -> io::Result<Receiver<String>> {
    let (tell, heard) = sync_channel(1);
    std::thread::Builder::new().name("complaints".into()).spawn(move || {
        let mut said = BufReader::new(said);
        let mut first = String::new();
        let _ = said.by_ref().take(COMPLAINT_BYTES_MAX).read_line(&mut first);
        let _ = tell.send(first); // nobody may wait for it
        let _ = io::copy(&mut said, &mut io::sink());
    })?;
    Ok(heard)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tree::parse;

    fn read(yaml: &str) -> Result<JournalSettings, String> {
        let section = Section::new("j", parse(yaml, &|_| None).unwrap()).unwrap();
        let settings = JournalSettings::read(&section, &mut Vec::new())?;
        section.finish()?;
        Ok(settings)
    }

    #[test]
    fn settings_are_arguments_and_what_can_be_none_is_refused() {
        let all = "units: [a.service]\nsyslog_identifiers: x\ntransports: [audit]\nkernel: true\nfacilities: [3]\ninclude_matches.match: [A=b]\nseek: since\nsince: -1h";
        let settings = read(all).unwrap();
        assert_eq!(
            settings.arguments,
            ["--unit=a.service", "--identifier=x", "--facility=3", "A=b", "_TRANSPORT=audit", "_TRANSPORT=kernel"]
        );
        assert_eq!(settings.seek, Seek::Since(Duration::from_hours(1)));
        for (wrong, words) in [
            ("seek: since", "[j.since] is missing"),
            ("seek: since\nsince: 1h", "must be a time before now"),
            ("include_matches.match: [--flush]", "must be FIELD=value"),
            ("include_matches.or: [A=b]", "unknown setting [j.include_matches.or]"),
            ("facilities: [24]", "must be numbers from 0 to 23"),
            ("paths: [/tmp, /usr]", "give each folder an input"),
            ("unit: a", "did you mean [units]?"),
        ] {
            let error = read(wrong).unwrap_err();
            assert!(error.contains(words), "{wrong}: {error}");
        }
    }
}
