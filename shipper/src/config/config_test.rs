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
    let Input::Files(input) = &settings.inputs[0] else { panic!() };
    assert_eq!(input.id, "my-logs");
    assert_eq!(input.compressed, Compressed::Detected);
    assert_eq!(input.identified_by, IdentifiedBy::Fingerprint { offset: 0, length: 1024, is_growing: true });
    assert_eq!(settings.common["tags"], serde_json::json!(["web"]));
    assert_eq!(settings.common["fields"], serde_json::json!({"env": "staging"}));
    let OutputSettings::Elasticsearch(es) = &settings.output else { panic!() };
    assert_eq!(es.hosts, ["http://localhost:9200"]);
    assert_eq!(es.headers, [("authorization".into(), "ApiKey aWQ6a2V5".into())]);
    assert!(settings.warnings.iter().any(|w| w.contains("[output.elasticsearch.preset] has no effect")));
    assert_eq!(settings.processors.warnings().len(), 2);
}

#[test]
fn what_is_wrong_is_said() {
    let wrong = [
        ("id: my-logs", "idd: my-logs", "unknown setting [filebeat.inputs.0.idd]"),
        ("type: filestream", "type: log", "tcp or udp, not [log]: it is [filestream] now"),
        ("type: filestream", "type: winlog", "must be filestream, journald, stdin, syslog, tcp or udp, not [winlog]"),
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

#[test]
fn nothing_is_accepted_without_being_read_or_a_warning() {
    let ssl = PLAIN.replace("preset: balanced", "ssl: {ca_sha256: x}");
    assert!(settings(&ssl).err().unwrap().contains("unknown setting [output.elasticsearch.ssl.ca_sha256]"));
    let ssl = PLAIN.replace("preset: balanced", "ssl: {enabled: true, cipher_suites: [a]}");
    assert!(settings(&ssl).unwrap().warnings.iter().any(|w| w.contains("[output.elasticsearch.ssl.cipher_suites]")));
    let host = PLAIN.replace("when.not.contains.tags: forwarded", "netinfo.enabled: true");
    assert!(settings(&host).unwrap().processors.warnings()[0].contains("add_host_metadata.netinfo] has no effect"));
}

#[test]
fn what_is_deployed_is_a_configuration() {
    let manifest = include_str!("../../../deploy/shipper/daemonset.yaml");
    let text = manifest.split("shipper.yml: |\n").nth(1).unwrap().split("\n---").next().unwrap();
    let variable = |name: &str| Some(if name == "OUTPUT_URL" { "http://a:1".to_owned() } else { "node-1".to_owned() });
    let read = read(text, &variable).unwrap();
    assert!(read.warnings.is_empty() && read.processors.warnings().is_empty(), "{:?}", read.warnings);
    let OutputSettings::Elasticsearch(es) = &read.output else { panic!() };
    assert!(es.has_ids);
}

#[test]
fn inputs_that_are_no_files_are_read() {
    let with = |input: &str| settings(&format!("filebeat.inputs: [{input}]\noutput.console: {{}}"));
    for sound in [
        "{type: stdin}",
        "{type: tcp, host: '127.0.0.1:9000', framing: rfc6587, timeout: 5m, max_message_size: 20MiB}",
        "{type: udp, host: '127.0.0.1:9000', read_buffer: 1MiB}",
        "{type: syslog, format: rfc5424, protocol.tcp: {host: ':514', max_connections: 3}}",
        "{type: syslog, timezone: UTC, protocol.udp.host: '127.0.0.1:514'}",
        "{type: journald, seek: tail, units: [a]}",
    ] {
        assert!(with(sound).is_ok(), "{sound}: {:?}", with(sound).err());
    }
    for (wrong, words) in [
        ("{type: tcp}", "[filebeat.inputs.0.host] is missing"),
        ("{type: tcp, host: nowhere}", "is no address [nowhere]"),
        ("{type: tcp, host: ':1', ssl.enabled: true}", "[filebeat.inputs.0.ssl] is not there"),
        ("{type: tcp, host: ':1', max_message_size: 0}", "max_message_size] must be from 1024 bytes"),
        ("{type: tcp, host: ':1', max_connections: -1}", "max_connections] must be a whole number"),
        ("{type: tcp, host: ':1', line_delimiter: ''}", "line_delimiter] must have a character"),
        ("{type: tcp, host: ':1', encoding: utf-16le}", "must be one whose line ends are single bytes"),
        ("{type: syslog}", "must name one protocol"),
        ("{type: syslog, protocol: {tcp: {host: ':1'}, udp: {host: ':1'}}}", "must name one protocol"),
        ("{type: syslog, format: bsd, protocol.tcp.host: ':1'}", "[filebeat.inputs.0.format] must be one of"),
        ("{type: syslog, protocol.unix.path: /x}", "use tcp or udp on 127.0.0.1"),
        ("{type: stdin, paths: [/a]}", "unknown setting [filebeat.inputs.0.paths]"),
    ] {
        let error = with(wrong).err().unwrap_or_default();
        assert!(error.contains(words), "{wrong}: {error}");
    }
}

#[test]
fn what_the_documents_show_is_a_configuration() {
    let text = include_str!("../../../docs/shipper.md");
    let blocks: Vec<&str> = text.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 3);
    let read = settings(blocks[0]).map_err(|e| panic!("{e}")).unwrap();
    assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    for more in &blocks[1..] {
        let read = settings(&format!("{}{more}", blocks[0])).map_err(|e| panic!("{e}")).unwrap();
        assert!(read.reload.is_some() || read.queue.disk.is_some());
    }
}
