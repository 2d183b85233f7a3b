//! The index template that a shipper sets up before its first request, when it is told to: data
//! streams of its name, with a mapping for what every event has, and how long they are kept.

use crate::config::json;
use crate::config::section::{Section, Warnings};
use serde_json::{Value, json};

/// Above the templates that a cluster ships with.
const PRIORITY: u64 = 150;

/// A template to be set up.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// Its name.
    pub name: String,
    /// Whether one of that name is replaced.
    pub overwrites: bool,
    /// The body of the request.
    pub body: Value,
}

/// Reads `setup`; `None` unless `setup.template.enabled` is `true`.
pub fn read(setup: Section, warnings: &mut Warnings) -> Result<Option<Template>, String> {
    let section = setup.section("template")?;
    let is_enabled = section.flag("enabled", false)?;
    let dsl = setup.section("dsl")?;
    let template = if is_enabled { Some(template(&section, &dsl)?) } else { None };
    if template.is_some() {
        dsl.finish()?;
        for name in ["type", "fields", "append_fields", "json"] {
            section.no_effect(name, "the template has the fields that every event has", warnings);
        }
        section.finish()?;
    } else {
        setup.no_effect("template", "it is set up when [setup.template.enabled] is true", warnings);
        setup.no_effect("dsl", "it is a part of the template, which is not set up", warnings);
    }
    for name in ["ilm", "kibana", "dashboards"] {
        setup.no_effect(name, "this shipper sets up a template and its lifecycle, and nothing else", warnings);
    }
    setup.finish()?;
    Ok(template)
}

fn template(s: &Section, lifecycle: &Section) -> Result<Template, String> {
    let name = s.text("name")?.filter(|name| !name.is_empty()).ok_or_else(|| s.missing("name"))?;
    let pattern = s.text("pattern")?.unwrap_or_else(|| format!("{name}*"));
    let mut parts = json!({
        "mappings": {"properties": {
            "@timestamp": {"type": "date"},
            "message": {"type": "text"},
            "log": {"properties": {
                "offset": {"type": "long"},
                "file": {"properties": {"path": {"type": "keyword"}}},
            }},
            "host": {"properties": {"name": {"type": "keyword"}}},
        }},
    });
    if let Some(settings) = s.tree("settings") {
        s.section("settings")?; // a section, whatever is in it
        parts["settings"] = json(&settings);
    }
    let is_kept_for = lifecycle.flag("enabled", true)?;
    if let Some(keep) = lifecycle.text("data_retention")?.filter(|_| is_kept_for) {
        parts["lifecycle"] = json!({"data_retention": keep});
    }
    let body = json!({
        "index_patterns": [pattern],
        "priority": s.number("priority", PRIORITY, 0, u64::from(u32::MAX))?,
        "data_stream": {},
        "template": parts,
    });
    Ok(Template { name, overwrites: s.flag("overwrite", false)?, body })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tree::parse;

    fn of(text: &str) -> (Result<Option<Template>, String>, Warnings) {
        let mut warnings = Vec::new();
        let section = Section::new("setup", parse(text, &|_| None).unwrap()).unwrap();
        (read(section, &mut warnings), warnings)
    }

    #[test]
    fn a_template_is_made_of_its_settings() {
        let (template, warnings) = of("template: {enabled: true, name: logs-web, pattern: logs-web-*, \
             settings: {index.number_of_shards: 2}}\ndsl.data_retention: 7d");
        let template = template.unwrap().unwrap();
        assert_eq!(template.body["index_patterns"], json!(["logs-web-*"]));
        assert_eq!(template.body["template"]["settings"], json!({"index": {"number_of_shards": 2}}));
        assert_eq!(template.body["template"]["lifecycle"], json!({"data_retention": "7d"}));
        assert!(warnings.is_empty());
    }

    #[test]
    fn what_is_not_asked_for_is_warned_about() {
        let (template, warnings) = of("template.settings: {index.number_of_shards: 2}\nkibana.host: x");
        assert_eq!(template.unwrap(), None);
        assert_eq!(warnings.len(), 2);
        assert!(of("template: {enabled: true}").0.unwrap_err().contains("[setup.template.name] is missing"));
        let unknown = of("template: {enabled: true, name: a}\ndsl.data_retentio: 7d").0.unwrap_err();
        assert!(
            unknown.contains("unknown setting [setup.dsl.data_retentio], did you mean [data_retention]?"),
            "{unknown}"
        );
        assert!(of("template: {enabled: true, name: a, settings: 5}").0.unwrap_err().contains("must be a section"));
        assert!(of("templat.enabled: true").0.unwrap_err().contains("unknown setting [setup.templat]"));
    }
}
