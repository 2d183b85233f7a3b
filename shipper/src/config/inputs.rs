//! `filebeat.inputs`, and files of inputs that `filebeat.config.inputs` names.

use super::section::{Section, Warnings};
use super::tree::{self, Tree};
use crate::input::glob::Glob;
use crate::input::kind::Input;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Files that have inputs.
#[derive(Clone, Debug)]
pub struct Reload {
    pattern: Glob,
    /// Whether they are looked at again.
    pub is_enabled: bool,
    /// How often.
    pub period: Duration,
    /// What variables in them are replaced with, besides those of the environment.
    folder: String,
}

/// An input as it is written, and as it was read.
pub struct Written {
    /// Two that are written the same are the same.
    pub tree: Tree,
    /// It.
    pub input: Input,
    /// What of it was accepted and means nothing.
    pub warnings: Warnings,
}

/// A period may not be shorter: every look reads all files.
const PERIOD_MIN: Duration = Duration::from_millis(100);

/// Reads `filebeat.inputs`.
pub(super) fn read(list: Vec<Tree>, path: &str, warnings: &mut Warnings) -> Result<Vec<Input>, String> {
    let take = |written: Written| {
        warnings.extend(written.warnings);
        written.input
    };
    Ok(written(list, path)?.into_iter().map(take).collect())
}

fn written(list: Vec<Tree>, path: &str) -> Result<Vec<Written>, String> {
    let mut inputs: Vec<Written> = Vec::new();
    for (at, tree) in list.into_iter().enumerate() {
        let section = Section::new(&format!("{path}.{at}"), tree.clone())?;
        let mut warnings = Warnings::new();
        if let Some(input) = Input::read(section, &mut warnings)? {
            warnings.extend(input.events().processors.warnings().iter().cloned());
            if inputs.iter().any(|before| before.input.id() == input.id()) {
                return Err(format!("two inputs have the id [{}]: give each its own", input.id()));
            }
            inputs.push(Written { tree, input, warnings });
        }
    }
    Ok(inputs)
}

/// Reads `filebeat.config`.
pub(super) fn read_config(
    config: &Section,
    variable: &dyn Fn(&str) -> Option<String>,
    warnings: &mut Warnings,
) -> Result<Option<Reload>, String> {
    config.no_effect("modules", "there are no modules: write their inputs and use ingest pipelines", warnings);
    let s = config.section("inputs")?;
    let is_enabled = s.flag("enabled", true)?;
    let path = s.text("path")?;
    let reload = s.section("reload")?;
    let (reloads, period) = (reload.flag("enabled", false)?, reload.duration("period", Duration::from_secs(10))?);
    if path.is_none() && is_enabled && !s.names().is_empty() {
        return Err(s.missing("path"));
    }
    if period < PERIOD_MIN {
        return Err(format!("[{}] must be at least {PERIOD_MIN:?}", reload.path("period")));
    }
    reload.finish()?;
    s.finish()?;
    let Some(path) = path.filter(|_| is_enabled) else { return Ok(None) };
    let folder = variable("path.config").unwrap_or_else(|| ".".into());
    let whole = if path.starts_with('/') { path } else { format!("{folder}/{path}") };
    let pattern = Glob::new(&whole, true).map_err(|e| format!("[{}] {e}", config.path("inputs.path")))?;
    Ok(Some(Reload { pattern, is_enabled: reloads, period, folder }))
}

/// The files that are there now.
///
/// # Errors
/// Says what can't be looked at: nobody knows then which files are gone.
pub fn files(reload: &Reload) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    if let Some((path, why)) = reload.pattern.find(&mut found).first() {
        return Err(format!("[{}]: {why}", path.display()));
    }
    found.retain(|path| path.is_file());
    Ok(found)
}

/// The inputs of one file: a list of them.
///
/// # Errors
/// Says what is wrong with it.
pub fn read_file(path: &Path, reload: &Reload) -> Result<Vec<Written>, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("[{shown}]: {e}"))?;
    let variable = |name: &str| match name {
        "path.config" => Some(reload.folder.clone()),
        _ => std::env::var(name).ok(),
    };
    let list = match tree::parse(&text, &variable).map_err(|e| format!("[{shown}]: {e}"))? {
        Tree::List(list) => list,
        Tree::Null => Vec::new(),
        _ => return Err(format!("[{shown}] must be a list of inputs")),
    };
    written(list, &format!("{shown}"))
}
