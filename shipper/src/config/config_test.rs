use super::*;
use crate::input::settings::{Compressed, IdentifiedBy};
use crate::output::settings::OutputSettings;

fn settings(text: &str) -> Result<Settings, String> {
    read(text, &|_| None)
}

const PLAIN: &str = r#"
filebeat.inputs:
- type: filestream
  id: my-logs
  enabled: true
  paths:
    - /var/log/*.log
  parsers:
    - multiline:
        type: pattern
        pattern: '^\['
        negate: true
        match: after
  prospector.scanner.exclude_files: ['\.gz$']
setup.template.settings:
  index.number_of_shards: 1
setup.kibana:
tags: ["web"]
fields:
  env: staging
output.elasticsearch:
  hosts: ["localhost:9200"]
  preset: balanced
  api_key: "id:key"
processors:
  - add_host_metadata:
      when.not.contains.tags: forwarded
  - add_cloud_metadata: ~
  - add_docker_metadata: ~
  - add_kubernetes_metadata: ~
"#;

#[test]
fn a_filebeat_configuration_of_plain_use_runs_unchanged() {
    let settings = settings(PLAIN).unwrap();
    let input = &settings.inputs[0];
    assert_eq!(input.id, "my-logs");
    assert_eq!(input.compressed, Compressed::Detected);
    assert_eq!(input.identified_by, IdentifiedBy::Fingerprint { offset: 0, length: 1024, is_growing: true });
    assert_eq!(settings.common["tags"], serde_json::json!(["web"]));
    assert_eq!(settings.common["fields"], serde_json::json!({"env": "staging"}));
    let OutputSettings::Elasticsearch(es) = &settings.output else { panic!() };
    assert_eq!(es.hosts, ["http://localhost:9200"]);
    assert_eq!(es.headers, [("authorization".into(), "ApiKey aWQ6a2V5".into())]);
    assert!(settings.warnings.iter().any(|w| w.contains("[output.elasticsearch.preset] has no effect")));
    assert_eq!(settings.processors.warnings().len(), 3);
}

#[test]
fn what_is_wrong_is_said() {
    let wrong = [
        ("id: my-logs", "idd: my-logs", "unknown setting [filebeat.inputs.0.idd]"),
        ("type: filestream", "type: log", "[filebeat.inputs.0.type] must be one of"),
        ("negate: true", "negate: maybe", "[filebeat.inputs.0.parsers.0.multiline.negate] must be true or false"),
        ("output.elasticsearch:", "output.logstash:", "[output.logstash] is no output"),
        ("    - /var/log/*.log", "", "[filebeat.inputs.0.paths] is missing"),
        ("tags: [\"web\"]", "tagz: [web]", "unknown setting [tagz], did you mean [tags]?"),
        ("enabled: true", "enabled: false", "[filebeat.inputs] has no input that is enabled"),
    ];
    for (from, to, message) in wrong {
        let text = PLAIN.replace(from, to);
        assert_ne!(text, PLAIN);
        let error = settings(&text).err().unwrap_or_default();
        assert!(error.contains(message), "{to}: {error}");
    }
}

#[test]
fn two_inputs_may_not_share_an_id() {
    let text = "filebeat.inputs: [{paths: [/a]}, {paths: [/b]}]\noutput.console: {}";
    assert!(settings(text).err().unwrap().contains("two inputs have the id []"));
}
