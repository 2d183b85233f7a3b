//! Every setting, as it should not be: of another kind, negative, huge, without a value. Each is
//! refused by its name, or warned about; nothing is taken for something else.

use super::*;

/// Every setting that is read.
const ALL: &str = r#"
name: web-1
tags: [a]
fields_under_root: false
path: {data: /d, home: /h, config: /c, logs: /l}
max_procs: 2
monitoring.enabled: false
http: {enabled: true, host: 127.0.0.1, port: 5066}
logging: {level: info, to_files: false, to_stderr: true, json: true, metrics.enabled: false, selectors: [a], files.path: /x}
shipper.readers: 2
queue:
  mem: {bytes: 4MiB, events: 3200, flush: {timeout: 1s, min_events: 1}}
  disk: {enabled: true, max_size: 10GB, segment_size: 10MB, path: /q, retry_interval: 1s, max_retry_interval: 2s, read_ahead: 1, write_ahead: 1}
setup:
  template: {enabled: true, name: logs-web, pattern: logs-web-*, priority: 200, overwrite: true, type: data_stream}
  dsl: {enabled: true, data_retention: 7d}
  kibana.host: x
filebeat:
  shutdown_timeout: 5s
  registry: {flush: 1s, import: /r, path: /p, file_permissions: 1, migrate_file: /m}
  config:
    inputs: {enabled: true, path: inputs.d/*.yml, reload: {enabled: true, period: 10s}}
    modules.path: x
  inputs:
  - type: filestream
    id: web
    enabled: true
    paths: [/var/log/*.log]
    prospector.scanner: {check_interval: 1s, recursive_glob: true, symlinks: false, exclude_files: [a], include_files: [b], resend_on_touch: true, fingerprint: {enabled: true, offset: 0, length: 1024}}
    file_identity.fingerprint.growing: true
    compression: auto
    buffer_size: 1
    close: {on_state_change: {inactive: 5m, removed: true, renamed: false, check_interval: 1s}, reader: {on_eof: false, after_interval: 1h}}
    ignore_older: 1h
    clean_inactive: 2h
    clean_removed: true
    delete: {enabled: true, grace_period: 30m}
    harvester_limit: 5
    backoff: {init: 1s, max: 5s}
    message_max_bytes: 10MiB
    encoding: utf-8
    include_lines: [a]
    exclude_lines: [b]
    index: logs-a
    pipeline: p
    tags: [b]
    fields_under_root: true
    keep_null: true
    publisher_pipeline.disable_host: true
    parsers:
    - multiline: {type: pattern, pattern: a, negate: true, match: after, flush_pattern: b, max_lines: 5, timeout: 1s, skip_newline: true}
    - multiline: {type: count, count_lines: 3}
    - ndjson: {target: a, overwrite_keys: true, expand_keys: true, add_error_key: true, ignore_decoding_error: true, message_key: m, keys_under_root: false}
    - container: {stream: all, format: auto}
    - syslog: {format: auto, timezone: UTC, add_error_key: true}
  - {type: stdin, id: in, message_max_bytes: 10MiB}
  - {type: tcp, id: tcp, host: '127.0.0.1:9000', network: tcp4, framing: delimiter, line_delimiter: x, max_message_size: 1MiB, max_connections: 5, timeout: 1m}
  - {type: udp, id: udp, host: '127.0.0.1:9000', network: udp4, max_message_size: 10KiB, read_buffer: 1MiB, timeout: 1s}
  - {type: syslog, id: sys, format: rfc5424, protocol.udp: {host: '127.0.0.1:9001', max_message_size: 2KiB}}
  - {type: journald, id: j, units: [a], seek: since, since: -24h, kernel: true, merge: true, facilities: [1], transports: [a], syslog_identifiers: [x], save_remote_hostname: true, journalctl_path: /j}
output.elasticsearch:
  hosts: ["a:9200"]
  protocol: http
  path: /x
  index: logs-x
  pipeline: p
  username: u
  password: p
  headers: {X-A: b}
  parameters: {refresh: "false"}
  worker: 2
  workers: 2
  bulk_max_size: 100
  bulk_max_bytes: 1MiB
  compression: gzip
  compression_level: 1
  backoff: {init: 1s, max: 60s}
  timeout: 90s
  deterministic_ids: true
  dead_letter_index.index: dead
  preset: balanced
  loadbalance: true
  ssl: {verification_mode: full, certificate_authorities: [/a], certificate: /c, key: /k, enabled: true, cipher_suites: [a]}
processors:
- add_fields: {target: a, fields: {b: 1}}
- add_tags: {target: tags, tags: [x]}
- drop_fields: {fields: [a], ignore_missing: true}
- include_fields: {fields: [a]}
- drop_event.when: {equals.a: 1, contains.b: x, regexp.c: x, range.d.gte: 5, has_fields: [a]}
- rename: {fields: [{from: a, to: b}], ignore_missing: true, fail_on_error: true}
- copy_fields: {fields: [{from: a, to: b}], ignore_missing: true, fail_on_error: true}
- convert: {fields: [{from: a, to: b, type: long}], mode: copy, tag: t, ignore_missing: true, fail_on_error: true}
- replace: {fields: [{field: a, pattern: b, replacement: c}], ignore_missing: true, fail_on_error: true}
- truncate_fields: {fields: [a], max_bytes: 5, max_characters: 4, ignore_missing: true, fail_on_error: true}
- urldecode: {fields: [{from: a, to: b}], ignore_missing: true, fail_on_error: true}
- decode_json_fields: {fields: [a], max_depth: 2, target: x, process_array: true, overwrite_keys: true, add_error_key: true, expand_keys: true, document_id: y}
- dissect: {tokenizer: '%{a} %{b|long}', field: message, target_prefix: x, ignore_failure: true, overwrite_keys: true, trim_values: all}
- timestamp: {field: t, layouts: [UNIX], timezone: UTC, target_field: x, ignore_missing: true, ignore_failure: true, test: ['1']}
- fingerprint: {fields: [a], method: sha256, encoding: hex, target_field: f, ignore_missing: true}
- rate_limit: {limit: 10/s, burst_multiplier: 2, fields: [a]}
- add_host_metadata: {netinfo.enabled: true}
- add_kubernetes_metadata: {host: a}
- {if: {equals.a: 1}, then: [{add_tags: {tags: [y]}}], else: [{add_tags: {tags: [z]}}]}
"#;

/// Members of these mean whatever people want.
const FREE: &[&str] = &["add_fields.fields", "headers", "parameters"];

fn leaves(path: &str, tree: &Tree, out: &mut Vec<String>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match tree {
        Tree::Map(map) => map.iter().for_each(|(name, value)| leaves(&below(name), value, out)),
        Tree::List(list) if list.iter().any(|item| matches!(item, Tree::Map(_))) => {
            list.iter().enumerate().for_each(|(at, value)| leaves(&below(&at.to_string()), value, out));
        }
        _ => out.push(path.to_owned()),
    }
}

fn put(tree: &mut Tree, path: &[&str], value: &Tree) {
    match (tree, path) {
        (there, []) => *there = value.clone(),
        (Tree::Map(map), [name, rest @ ..]) => {
            // A name that has dots is nested already.
            put(map.get_mut(*name).unwrap(), rest, value);
        }
        (Tree::List(list), [at, rest @ ..]) => put(&mut list[at.parse::<usize>().unwrap()], rest, value),
        (other, path) => panic!("{path:?} in {other:?}"),
    }
}

fn with(path: &str, value: &Tree) -> Result<Vec<String>, String> {
    let mut tree = tree::parse(ALL, &|_| None).unwrap();
    let parts: Vec<&str> = path.split('.').collect();
    put(&mut tree, &parts, value);
    read_tree(tree, &|_| None).map(|settings| all_warnings(&settings))
}

fn all_warnings(settings: &Settings) -> Vec<String> {
    settings.warnings.iter().chain(settings.processors.warnings()).cloned().collect()
}

fn every() -> Vec<String> {
    let mut all = Vec::new();
    leaves("", &tree::parse(ALL, &|_| None).unwrap(), &mut all);
    assert!(all.len() > 200, "{}", all.len());
    all
}

#[test]
fn all_settings_together_are_a_configuration() {
    let settings = read(ALL, &|_| None).map_err(|e| panic!("{e}")).unwrap();
    assert_eq!(settings.inputs.len(), 6);
}

#[test]
fn a_setting_of_another_kind_is_refused_by_its_name_or_warned_about() {
    let section = Tree::Map([("zzz".to_owned(), Tree::Int(1))].into());
    let list = Tree::List(vec![section.clone()]);
    for path in every() {
        if FREE.iter().any(|free| path.contains(free)) {
            continue;
        }
        for value in [&section, &list] {
            let parts: Vec<&str> = path.split('.').filter(|part| part.parse::<usize>().is_err()).collect();
            let (own, above) = (parts[parts.len() - 1], parts[parts.len().saturating_sub(2)]);
            let names = |text: &String| text.contains(own) || text.contains(above);
            match with(&path, value) {
                Err(why) => assert!(names(&why), "{path} = {value:?}: {why}"),
                Ok(warnings) => assert!(warnings.iter().any(names), "{path} = {value:?} is taken"),
            }
        }
    }
}

#[test]
fn no_value_is_too_large_too_small_or_missing_for_a_reason() {
    let huge = "9".repeat(400);
    for path in every() {
        let values = [
            Tree::Null,
            Tree::Int(-1),
            Tree::Int(i64::MAX),
            Tree::Float(f64::NAN),
            Tree::Float(1e300),
            Tree::Text(String::new()),
            Tree::Text(huge.clone()),
            Tree::Text("9999999999999d".into()),
            Tree::Text("\u{1}\u{fffd}%{".into()),
            Tree::Bool(true),
            Tree::List(Vec::new()),
        ];
        for value in values {
            if let Err(why) = with(&path, &value) {
                let is_named = path.split('.').any(|part| part.parse::<usize>().is_err() && why.contains(part));
                assert!(is_named && why.len() < 2000, "{path} = {value:?}: {why}");
            }
        }
    }
}

#[test]
fn what_would_lose_or_repeat_or_spin_is_refused() {
    let text = |text: &str| Tree::Text(text.to_owned());
    for (path, value, words) in [
        ("output.elasticsearch.index", text(""), "[output.elasticsearch.index] is empty"),
        ("output.elasticsearch.index", text("a b"), "has [ ], which no name of an index may have"),
        ("filebeat.inputs.0.index", text("_x"), "[filebeat.inputs.0.index] begins as no name"),
        ("output.elasticsearch.hosts", text("http://a:0"), "has a port that is not from 1 to 65535: [http://a:0]"),
        ("output.elasticsearch.password", Tree::Null, "[output.elasticsearch.password] go together"),
        (
            "output.elasticsearch.backoff.init",
            Tree::Int(0),
            "backoff.init] must be a duration of at least 1ms, it is [0]",
        ),
        ("output.elasticsearch.backoff.max", text("1ms"), "backoff.max] must not be shorter than"),
        ("output.elasticsearch.timeout", Tree::Int(0), "[output.elasticsearch.timeout] must be a duration of at least"),
        ("output.elasticsearch.bulk_max_bytes", text("1GB"), "bulk_max_bytes] must be from 1KiB to 90MiB"),
        ("filebeat.inputs.0.prospector.scanner.check_interval", Tree::Int(0), "check_interval] must be a duration of"),
        ("filebeat.registry.flush", Tree::Int(0), "[filebeat.registry.flush] must be a duration of at least"),
        ("filebeat.config.inputs.path", Tree::Null, "[filebeat.config.inputs.path] is missing"),
        ("filebeat.inputs.0.paths", text(""), "[filebeat.inputs.0.paths] is missing"),
        (
            "filebeat.inputs.0.parsers.0.multiline.pattern",
            Tree::List(vec![text("a"), text("b")]),
            "one regular expression",
        ),
        ("queue.mem.flush.timeout", text("9999999999d"), "a duration of a hundred years at most"),
        ("filebeat.inputs.0.encoding", text("hz-gb-2312"), "is no encoding that is known: [hz-gb-2312]"),
        ("http.port", Tree::Int(0), "[http.port] must be a whole number from 1 to 65535"),
        ("setup.dsl.enabled", text("maybe"), "[setup.dsl.enabled] must be true or false"),
        ("processors.4.drop_event.when", Tree::Null, "drop_event.when] must be a condition"),
        ("processors.4.drop_event.when.equals.a", Tree::List(vec![Tree::Int(1)]), "must be one value"),
        ("processors.14.fingerprint.fields", Tree::Null, "fingerprint.fields] is missing"),
        ("processors.15.rate_limit.burst_multiplier", text("x"), "burst_multiplier] must be a number from 1 on"),
        ("processors.12.dissect.tokenizer", text("%{*a}=%{&a}"), "names of fields can't be read from the text"),
        ("processors.12.dissect.tokenizer", text("%{a|number}"), "which is none of"),
        ("processors.18.then", Tree::Null, "processors.18.then] is missing"),
    ] {
        let why = with(path, &value).err().unwrap_or_default();
        assert!(why.contains(words), "{path}: {why}");
    }
    let without = ALL.replace("drop_event.when: {", "drop_event: {}\n- drop_fields.when: {");
    assert!(read(&without, &|_| None).err().unwrap().contains("without it every event would be dropped"));
    let both = ALL.replace("  username: u\n", "  username: u\n  api_key: k\n");
    assert!(read(&both, &|_| None).err().unwrap().contains("exclude each other"));
}

#[test]
fn inodes_are_chosen_as_filebeat_writes_it() {
    use crate::input::settings::IdentifiedBy;
    let text = "filebeat.inputs: [{id: a, paths: [/a], file_identity.native: ~}]\noutput.console: {}";
    let settings = read(text, &|_| None).map_err(|e| panic!("{e}")).unwrap();
    let Input::Files(files) = &settings.inputs[0] else { panic!() };
    assert_eq!(files.identified_by, IdentifiedBy::Inode);
}
