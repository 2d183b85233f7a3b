use super::*;
use crate::config::tree::parse;
use serde_json::json;

fn processors(yaml: &str) -> Result<Processors, String> {
    let Tree::Map(map) = parse(yaml, &|_| None).unwrap() else { panic!() };
    let Some(Tree::List(list)) = map.get("processors") else { panic!() };
    read(list, "processors")
}

fn applied(yaml: &str, document: &Value) -> Value {
    let mut document = document.as_object().unwrap().clone();
    match processors(&format!("processors:\n{yaml}")).unwrap().apply(&mut document) {
        Fate::Kept => Value::Object(document),
        Fate::Dropped => Value::Null,
    }
}

#[test]
fn each_does_what_it_says() {
    let cases = [
        ("- add_fields: {target: '', fields: {a: 1}}", json!({"b": 2}), json!({"b": 2, "a": 1})),
        ("- add_tags: {tags: [x]}", json!({"tags": ["y"]}), json!({"tags": ["y", "x"]})),
        (
            "- drop_fields: {fields: [a.b], ignore_missing: true}",
            json!({"a": {"b": 1, "c": 2}}),
            json!({"a": {"c": 2}}),
        ),
        (
            "- include_fields: {fields: [a]}",
            json!({"@timestamp": "t", "a": 1, "b": 2}),
            json!({"@timestamp": "t", "a": 1}),
        ),
        ("- rename: {fields: [{from: a, to: b.c}]}", json!({"a": 1}), json!({"b": {"c": 1}})),
        ("- copy_fields: {fields: [{from: a, to: b}]}", json!({"a": 1}), json!({"a": 1, "b": 1})),
        (
            "- convert: {fields: [{from: a, type: long}, {from: b, type: boolean}]}",
            json!({"a": "12", "b": "true"}),
            json!({"a": 12, "b": true}),
        ),
        ("- replace: {fields: [{field: a, pattern: 'o+', replacement: '0'}]}", json!({"a": "foo"}), json!({"a": "f0"})),
        ("- truncate_fields: {fields: [a], max_bytes: 3}", json!({"a": "häh!"}), json!({"a": "hä"})),
        ("- urldecode: {fields: [{from: a}]}", json!({"a": "x%20y+z"}), json!({"a": "x y z"})),
        (
            "- decode_json_fields: {fields: [message], target: ''}",
            json!({"message": "{\"a\":1}"}),
            json!({"message": "{\"a\":1}", "a": 1}),
        ),
        (
            "- decode_json_fields: {fields: [m], target: '', overwrite_keys: true}",
            json!({"@timestamp": "t", "m": "{\"@timestamp\":\"23.11.2026\",\"m\":1}"}),
            json!({"@timestamp": "t", "m": 1, "error": {"message": "[@timestamp] in field [m] is no time"}}),
        ),
        (
            "- decode_json_fields: {fields: [m], target: '', overwrite_keys: true}",
            json!({"@timestamp": "t", "m": "{\"@timestamp\":\"2026-11-23T07:00:00Z\"}"}),
            json!({"@timestamp": "2026-11-23T07:00:00Z", "m": "{\"@timestamp\":\"2026-11-23T07:00:00Z\"}"}),
        ),
        (
            "- dissect: {tokenizer: '%{ip} - [%{t}] \"%{method} %{?p}\"', target_prefix: ''}",
            json!({"message": "1.2.3.4 - [now] \"GET /x\""}),
            json!({"message": "1.2.3.4 - [now] \"GET /x\"", "ip": "1.2.3.4", "t": "now", "method": "GET"}),
        ),
        (
            "- timestamp: {field: t, layouts: ['2006-01-02 15:04:05']}",
            json!({"t": "2026-11-23 06:50:00"}),
            json!({"t": "2026-11-23 06:50:00", "@timestamp": "2026-11-23T06:50:00.000Z"}),
        ),
        (
            "- decode_json_fields: {fields: [m], target: x, expand_keys: true}",
            json!({"m": "{\"a.b\":1,\"a.c\":{\"d.e\":2}}"}),
            json!({"m": "{\"a.b\":1,\"a.c\":{\"d.e\":2}}", "x": {"a": {"b": 1, "c": {"d": {"e": 2}}}}}),
        ),
        (
            "- dissect: {tokenizer: '%{a|integer};%{b|boolean};%{c}', trim_values: left, target_prefix: x}",
            json!({"message": "12;true;  y  "}),
            json!({"message": "12;true;  y  ", "x": {"a": 12, "b": true, "c": "y  "}}),
        ),
        ("- drop_event: {when: {contains: {message: debug}}}", json!({"message": "a debug line"}), Value::Null),
        (
            "- drop_event: {when: {not: {contains: {message: debug}}}}",
            json!({"message": "a debug line"}),
            json!({"message": "a debug line"}),
        ),
        (
            "- if: {range: {a.gte: 3}}\n  then: [{add_tags: {tags: [big]}}]\n  else: [{drop_event: {}}]",
            json!({"a": 3}),
            json!({"a": 3, "tags": ["big"]}),
        ),
        (
            "- if: {range: {a.gte: 3}}\n  then: [{add_tags: {tags: [big]}}]\n  else: [{drop_event: {}}]",
            json!({"a": 2}),
            Value::Null,
        ),
    ];
    for (yaml, before, after) in cases {
        assert_eq!(applied(yaml, &before), after, "{yaml}");
    }
}

#[test]
fn after_a_failure_the_event_is_as_the_last_good_one_left_it() {
    let yaml = "- add_tags: {tags: [x]}\n- rename: {fields: [{from: a, to: b}, {from: none, to: c}]}\n- drop_event.when.has_fields: [a]";
    assert_eq!(applied(yaml, &json!({"a": 1})), json!({"a": 1, "tags": ["x"]}));
}

#[test]
fn a_rate_is_kept() {
    let limit = processors("processors: [{rate_limit: {limit: 5/h}}]").unwrap();
    let kept = (0..20).filter(|_| limit.apply(&mut Document::new()) == Fate::Kept).count();
    assert_eq!(kept, 5);
}

#[test]
fn what_is_unknown_is_refused() {
    assert!(processors("processors: [{drop_evnt: {}}]").err().unwrap().contains("unknown processor [drop_evnt]"));
    let misspelled = processors("processors: [{rename: {fieldz: []}}]").err().unwrap();
    assert_eq!(misspelled, "[processors.0.rename.fields] is missing, was it meant by [fieldz]?");
    assert!(
        processors("processors: [{drop_event: {when: {equal: {a: 1}}}}]").err().unwrap().contains("unknown condition")
    );
    assert_eq!(processors("processors: [{add_cloud_metadata: ~}]").unwrap().warnings().len(), 1);
}

#[test]
fn a_key_of_very_many_dots_is_not_taken_apart() {
    let key = format!("a{}", ".a".repeat(100_000));
    let document = json!({"m": format!(r#"{{"{key}":1,"b.c":{{"d.e":2}}}}"#)});
    let expanded = applied("- decode_json_fields: {fields: [m], target: x, expand_keys: true}", &document);
    assert_eq!(expanded["x"][&key], 1);
    assert_eq!(expanded["x"]["b"]["c"]["d"]["e"], 2);
}
