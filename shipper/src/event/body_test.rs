use super::*;
use proptest::prelude::*;

fn facts(id: &str, index: Option<&str>) -> InputFacts {
    InputFacts {
        members: json!({"host": {"name": "h"}}).as_object().unwrap().clone(),
        processors: Vec::new(),
        index: index.map(|i| Format::parse(i).unwrap()),
        pipeline: None,
        has_actions: true,
        has_ids: !id.is_empty(),
    }
}

fn of(facts: InputFacts, id: &str) -> Encoder {
    Encoder::new(Arc::new(InputEvents::new(facts)), Some("/a \"b\".log".into()), id.into())
}

fn encoder(id: &str, index: Option<&str>) -> Encoder {
    of(facts(id, index), id)
}

#[test]
fn a_line_is_an_action_and_a_document() {
    let mut out = Vec::new();
    encoder("f00", Some("logs-x")).line(&mut out, b"a \"q\" \t\x01 \xff", 255, 0);
    let text = String::from_utf8(out).unwrap();
    let (action, document) = text.split_once('\n').unwrap();
    assert_eq!(action, r#"{"create":{"_index":"logs-x","_id":"f00-ff"}}"#);
    let document: Value = serde_json::from_str(document.trim()).unwrap();
    assert_eq!(document["message"], "a \"q\" \t\u{1} \u{fffd}");
    assert_eq!(document["host"]["name"], "h");
    assert_eq!(document["log"], json!({"offset": 255, "file": {"path": "/a \"b\".log"}}));
}

#[test]
fn files_of_an_input_share_all_but_their_own() {
    let events = Arc::new(InputEvents::new(facts("x", Some("logs-x"))));
    let all: Vec<Encoder> =
        (0..3).map(|n| Encoder::new(Arc::clone(&events), Some(format!("/{n}")), format!("f{n}"))).collect();
    assert_eq!(Arc::strong_count(&events), 4);
    for (n, mut encoder) in all.into_iter().enumerate() {
        let mut out = Vec::new();
        encoder.line(&mut out, b"x", 1, 0);
        let text = String::from_utf8(out).unwrap();
        assert!(text.starts_with(&format!(r#"{{"create":{{"_index":"logs-x","_id":"f{n}-1"}}}}"#)), "{text}");
        assert!(text.contains(&format!(r#""path":"/{n}""#)), "{text}");
    }
}

#[test]
fn no_member_is_written_twice() {
    let members = json!({"log": {"x": 1}}).as_object().unwrap().clone();
    let mut encoder = of(InputFacts { members, ..facts("", None) }, "");
    assert!(!encoder.is_plain(), "the fast way would write [log] twice, which servers refuse");
    let mut out = Vec::new();
    encoder.record(&mut out, Record::line(b"x", 0, 2, 0, false));
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains(r#""log":{"offset":0,"file":{"path":"/a \"b\".log"},"x":1}"#), "{text}");
}

#[test]
fn what_a_line_says_gives_way_to_what_is_known_of_its_event() {
    let mut record = Record::line(b"x", 7, 9, 0, false);
    let given = json!({"host": "web", "log": {"level": "info", "offset": 1}, "message": "y", "a": 1});
    record.given = given.as_object().unwrap().clone();
    let mut out = Vec::new();
    assert_eq!(of(InputFacts { has_actions: false, ..facts("", None) }, "").record(&mut out, record), Encoded::Written);
    let document: Value = serde_json::from_slice(&out).unwrap();
    let log = json!({"level": "info", "offset": 7, "file": {"path": "/a \"b\".log"}});
    let expected =
        json!({"@timestamp": "1970-01-01T00:00:00.000Z", "host": {"name": "h"}, "log": log, "message": "x", "a": 1});
    assert_eq!(document, expected);
}

#[test]
fn tags_of_a_line_are_added_to_those_of_its_event() {
    for (own, given, expected) in [
        (json!({"tags": ["a"]}), json!({"tags": ["b"]}), json!(["a", "b"])),
        (json!({}), json!({"tags": ["b"]}), json!(["b"])),
        (json!({"tags": ["a"]}), json!({"tags": "b"}), json!(["a", "b"])),
        (json!({"tags": ["a"]}), json!({"tags": {"b": 1}}), json!(["a"])),
        (json!({"tags": ["a"]}), json!({"tags": null}), json!(["a"])),
    ] {
        let members = own.as_object().unwrap().clone();
        let mut record = Record::line(b"x", 0, 2, 0, false);
        record.given = given.as_object().unwrap().clone();
        let mut out = Vec::new();
        of(InputFacts { members, has_actions: false, ..facts("", None) }, "").record(&mut out, record);
        let document: Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(document["tags"], expected);
    }
}

#[test]
fn a_record_may_name_its_index() {
    let mut record = Record::line(b"x", 0, 2, 0, false);
    record.members.insert("app".into(), "Shop".into());
    let mut out = Vec::new();
    let mut encoder = encoder("", Some("logs-%{[app]}"));
    assert!(!encoder.is_plain());
    assert_eq!(encoder.record(&mut out, record), Encoded::Written);
    assert!(out.starts_with(b"{\"create\":{\"_index\":\"logs-shop\"}}\n{\"@timestamp\""));
    let before = metrics::value(&metrics::EVENTS_NOWHERE);
    assert_eq!(encoder.record(&mut out, Record::line(b"x", 0, 2, 0, false)), Encoded::Dropped);
    assert!(metrics::value(&metrics::EVENTS_NOWHERE) > before);
    let mut record = Record::line(b"x", 0, 2, 0, false);
    record.members.insert("app".into(), "".into());
    let mut nameless = self::encoder("", Some("%{[app]}"));
    assert_eq!(nameless.record(&mut out, record), Encoded::Dropped, "servers refuse a request with it");
}

#[test]
fn a_record_without_a_field_of_its_pipeline_has_none() {
    let mut encoder = of(InputFacts { pipeline: Some(Format::parse("of-%{[app]}").unwrap()), ..facts("", None) }, "");
    let mut out = Vec::new();
    assert_eq!(encoder.record(&mut out, Record::line(b"x", 0, 2, 0, false)), Encoded::Written);
    assert!(out.starts_with(b"{\"create\":{}}\n"), "{}", String::from_utf8_lossy(&out));
}

proptest! {
    #[test]
    fn what_is_escaped_reads_back(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut out = vec![b'"'];
        escape(&mut out, &bytes);
        out.push(b'"');
        let back: String = serde_json::from_slice(&out).unwrap();
        prop_assert_eq!(back, String::from_utf8_lossy(&bytes));
    }
}
