//! The configuration: one YAML file in Filebeat's shape.
//!
//! Every setting is read by someone, refused with a suggestion, or accepted with a warning that says
//! why it means nothing here.

pub mod inputs;
pub mod queue;
pub mod section;
pub mod tree;

use crate::event::format::Format;
use crate::input::kind::Input;
use crate::output::settings::OutputSettings;
use crate::output::template;
use crate::process::{self, Processors};
use section::{Section, Warnings};
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tree::Tree;

/// All settings of a run.
pub struct Settings {
    /// What is read.
    pub inputs: Vec<Input>,
    /// Files of more inputs.
    pub reload: Option<inputs::Reload>,
    /// Where it is sent.
    pub output: OutputSettings,
    /// Of every event.
    pub processors: Processors,
    /// What waits for the output.
    pub queue: queue::QueueSettings,
    /// Registry and points.
    pub data: PathBuf,
    /// Threads that read.
    pub readers: usize,
    /// How long the output may still take when the shipper is told to stop.
    pub shutdown_timeout: Duration,
    /// How often the registry is written.
    pub registry_flush: Duration,
    /// A registry of Filebeat to begin with.
    pub filebeat_registry: Option<PathBuf>,
    /// Where metrics are served; none when empty.
    pub monitor: Option<String>,
    /// Members that every event has.
    pub common: Map<String, Value>,
    /// Nothing below is logged.
    pub log_level: crate::metrics::Level,
    /// What was accepted and means nothing.
    pub warnings: Warnings,
}

/// Reads a configuration.
///
/// # Errors
/// Says in one line which setting is wrong and what it should be.
pub fn read(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Settings, String> {
    read_tree(tree::parse(text, variable)?, variable)
}

/// As [`read`], of what was parsed.
///
/// # Errors
/// Says in one line which setting is wrong and what it should be.
pub fn read_tree(tree: Tree, variable: &dyn Fn(&str) -> Option<String>) -> Result<Settings, String> {
    let root = Section::new("", tree)?;
    let mut warnings = Warnings::new();
    let filebeat = root.section("filebeat")?;
    let inputs = inputs::read(filebeat.list("inputs")?, "filebeat.inputs", &mut warnings)?;
    let reload = inputs::read_config(&filebeat.section("config")?, variable, &mut warnings)?;
    if inputs.is_empty() && reload.is_none() {
        return Err("[filebeat.inputs] has no input that is enabled".into());
    }
    let mut output = OutputSettings::read(&root.section("output")?, &mut warnings)?;
    let processors = process::read(&root.list("processors")?, "processors")?;
    let path = root.section("path")?;
    let data = PathBuf::from(path.text("data")?.unwrap_or_else(|| "data".into()));
    for name in ["home", "config", "logs"] {
        path.no_effect(name, "only path.data is used", &mut warnings);
    }
    path.finish()?;
    let queue = queue::read(root.section("queue")?, &data, &mut warnings)?;
    let common = common(&root)?;
    let http = root.section("http")?;
    let monitor = if http.flag("enabled", false)? {
        let host = http.text("host")?.unwrap_or_else(|| "127.0.0.1".into());
        Some(format!("{host}:{}", http.number("port", 5066, 1, 65535)?))
    } else {
        http.text("host")?;
        http.number("port", 5066, 1, 65535)?;
        None
    };
    http.finish()?;
    let log_level = logging(&root, &mut warnings)?;
    let shipper = root.section("shipper")?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let readers = shipper.number("readers", cores.clamp(1, 4) as u64, 1, 64)?;
    shipper.finish()?;
    let shutdown_timeout = filebeat.duration("shutdown_timeout", Duration::from_secs(5))?;
    let registry = filebeat.section("registry")?;
    let registry_flush = registry.pause("flush", Duration::from_secs(1))?;
    let filebeat_registry = registry.text("import")?.map(PathBuf::from);
    for name in ["path", "file_permissions", "migrate_file"] {
        registry.no_effect(name, "the registry is in path.data", &mut warnings);
    }
    registry.finish()?;
    filebeat.finish()?;
    let setup = template::read(root.section("setup")?, &mut warnings)?;
    match &mut output {
        OutputSettings::Elasticsearch(es) => Arc::get_mut(es).expect("nobody else has it yet").template = setup,
        _ if setup.is_some() => {
            warnings.push("[setup.template] has no effect here: only output.elasticsearch has templates".into());
        }
        _ => {}
    }
    for name in ["max_procs", "monitoring"] {
        root.no_effect(name, "this shipper does not do that", &mut warnings);
    }
    root.finish()?;
    Ok(Settings {
        inputs,
        reload,
        output,
        processors,
        queue,
        data,
        readers: usize::try_from(readers).expect("at most 64"),
        shutdown_timeout,
        registry_flush,
        filebeat_registry,
        monitor,
        common,
        log_level,
        warnings,
    })
}

/// `fields`, `tags` and who sends, for every event.
fn common(root: &Section) -> Result<Map<String, Value>, String> {
    let host = hostname();
    let name = root.text("name")?.filter(|name| !name.is_empty()).unwrap_or(host);
    let mut common = Map::new();
    common.insert("host".into(), serde_json::json!({"name": name}));
    common.insert(
        "agent".into(),
        serde_json::json!({"type": "holdfast-shipper", "name": name, "version": env!("CARGO_PKG_VERSION")}),
    );
    add_fields(root, &mut common)?;
    Ok(common)
}

/// What `fields`, `fields_under_root` and `tags` of a section add to an event.
pub fn add_fields(section: &Section, to: &mut Map<String, Value>) -> Result<(), String> {
    let fields = json(&section.tree("fields").unwrap_or(Tree::Null));
    let is_under_root = section.flag("fields_under_root", false)?;
    match fields {
        Value::Null => {}
        Value::Object(fields) if is_under_root => to.extend(fields),
        Value::Object(fields) => match to.get_mut("fields") {
            Some(Value::Object(there)) => there.extend(fields),
            _ => {
                to.insert("fields".into(), Value::Object(fields));
            }
        },
        _ => return Err(format!("[{}] must be a section", section.path("fields"))),
    }
    let tags = section.texts("tags")?;
    if !tags.is_empty() {
        match to.get_mut("tags") {
            Some(Value::Array(there)) => there.extend(tags.into_iter().map(Value::from)),
            _ => {
                to.insert("tags".into(), tags.into());
            }
        }
    }
    Ok(())
}

fn logging(root: &Section, warnings: &mut Warnings) -> Result<crate::metrics::Level, String> {
    use crate::metrics::Level;
    let logging = root.section("logging")?;
    let level = match logging.choice("level", "info", &["debug", "info", "warning", "error"])? {
        "debug" => Level::Debug,
        "warning" => Level::Warning,
        "error" => Level::Error,
        _ => Level::Info,
    };
    for name in ["to_files", "to_stderr", "files", "json", "metrics", "selectors"] {
        logging.no_effect(name, "the log is JSON lines on standard error", warnings);
    }
    logging.finish()?;
    Ok(level)
}

/// A part of a configuration as JSON.
pub fn json(tree: &Tree) -> Value {
    match tree {
        Tree::Null => Value::Null,
        Tree::Bool(b) => Value::from(*b),
        Tree::Int(i) => Value::from(*i),
        Tree::Float(f) => Value::from(*f),
        Tree::Text(t) => Value::from(t.as_str()),
        Tree::List(list) => list.iter().map(json).collect(),
        Tree::Map(map) => Value::Object(map.iter().map(|(k, v)| (k.clone(), json(v))).collect()),
    }
}

fn hostname() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname")
        .map(|name| name.trim().to_owned())
        .ok()
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "localhost".into())
}

/// A setting that names an index, a pipeline or a message.
pub fn format(section: &Section, name: &str) -> Result<Option<Format>, String> {
    section
        .text(name)?
        .map(|text| Format::parse(&text).map_err(|e| format!("[{}] {e}", section.path(name))))
        .transpose()
}

#[cfg(test)]
#[path = "config_test.rs"]
mod tests;

#[cfg(test)]
#[path = "review_test.rs"]
mod review;

#[cfg(test)]
#[path = "pages_test.rs"]
mod pages;
