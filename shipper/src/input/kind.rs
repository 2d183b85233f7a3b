//! An input of whichever kind its `type` says.

use super::events::EventSettings;
use super::settings::InputSettings;
use super::stream::settings::StreamSettings;
use crate::config::section::{Section, Warnings};

/// One input.
#[derive(Clone)]
pub enum Input {
    /// Files, found by patterns.
    Files(InputSettings),
    /// Standard input, a network, or the journal.
    Stream(StreamSettings),
}

/// Inputs of Filebeat that are none here, and what to do instead.
const OTHERS: &[(&str, &str)] = &[
    ("log", "it is [filestream] now, with an [id]"),
    ("container", "use [filestream] with [parsers: [{container: {}}]]"),
    ("docker", "use [filestream] with [parsers: [{container: {}}]]"),
    ("unix", "use tcp or udp on 127.0.0.1"),
];

impl Input {
    /// Reads an input; `None` when it is disabled.
    pub fn read(s: Section, warnings: &mut Warnings) -> Result<Option<Input>, String> {
        let kind = s.text("type")?.unwrap_or_else(|| "filestream".into());
        match kind.as_str() {
            "filestream" => Ok(InputSettings::read(s, warnings)?.map(Input::Files)),
            "stdin" | "tcp" | "udp" | "syslog" | "journald" => {
                Ok(StreamSettings::read(&kind, s, warnings)?.map(Input::Stream))
            }
            _ => {
                let instead = OTHERS.iter().find(|(name, _)| *name == kind).map(|(_, instead)| format!(": {instead}"));
                Err(format!(
                    "[{}] must be filestream, journald, stdin, syslog, tcp or udp, not [{kind}]{}",
                    s.path("type"),
                    instead.unwrap_or_default()
                ))
            }
        }
    }

    /// Its name in the registry; a changed id begins anew.
    pub fn id(&self) -> &str {
        match self {
            Input::Files(files) => &files.id,
            Input::Stream(stream) => &stream.id,
        }
    }

    /// What its messages become.
    pub fn events(&self) -> &EventSettings {
        match self {
            Input::Files(files) => &files.events,
            Input::Stream(stream) => &stream.events,
        }
    }

    /// Whether it ends by itself when everything that is there was read.
    pub fn ends(&self) -> bool {
        use super::stream::settings::From;
        match self {
            Input::Files(_) => true,
            Input::Stream(stream) => matches!(stream.from, From::Stdin | From::Journal(_)),
        }
    }
}
