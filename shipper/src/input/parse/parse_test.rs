use super::*;
use crate::config::tree::parse;

/// Records of lines, each line as long as its text and one.
fn records(yaml: &str, lines: &[&str]) -> Vec<Record> {
    let Tree::Map(map) = parse(yaml, &|_| None).unwrap() else { panic!() };
    let Tree::List(list) = &map["parsers"] else { panic!() };
    let mut chain = read(list, "parsers", &mut Vec::new()).unwrap().begin().unwrap();
    let mut out = Vec::new();
    let mut at = 0;
    for line in lines {
        let end = at + line.len() as u64 + 1;
        out.extend(chain.push(Record::line(line.as_bytes(), at, end, 0, false)));
        at = end;
    }
    out.extend(chain.flush());
    let mut from = 0;
    for record in &out {
        assert_eq!(record.start, from, "nothing is between two records");
        from = record.end;
    }
    assert_eq!(from, at, "every line is in a record");
    out
}

fn messages(yaml: &str, lines: &[&str]) -> Vec<String> {
    records(yaml, lines).iter().map(|r| String::from_utf8_lossy(&r.message).into_owned()).collect()
}

#[test]
fn lines_are_joined() {
    let java = ["a", "  at x", "  at y", "b"];
    let after = "parsers: [{multiline: {pattern: '^ ', match: after}}]";
    assert_eq!(messages(after, &java), ["a\n  at x\n  at y", "b"]);
    let negated = "parsers: [{multiline: {pattern: '^[ab]', negate: true, match: after}}]";
    assert_eq!(messages(negated, &java), ["a\n  at x\n  at y", "b"]);
    let before = r"parsers: [{multiline: {pattern: '\\$', match: before}}]";
    assert_eq!(messages(before, &[r"a \", r"b \", "c", "d"]), ["a \\\nb \\\nc", "d"]);
    assert_eq!(messages("parsers: [{multiline: {type: count, count_lines: 2}}]", &["a", "b", "c"]), ["a\nb", "c"]);
    let flush = "parsers: [{multiline: {pattern: '^b', negate: true, match: after, flush_pattern: '^e'}}]";
    assert_eq!(messages(flush, &["b1", "x", "e", "y", "b2"]), ["b1\nx\ne", "y", "b2"]);
    let limited = "parsers: [{multiline: {pattern: '^ ', match: after, max_lines: 2}}]";
    assert_eq!(messages(limited, &java), ["a\n  at x", "b"]);
}

#[test]
fn json_lines() {
    let yaml = "parsers: [{ndjson: {target: '', message_key: msg, add_error_key: true}}]";
    let found = records(yaml, &[r#"{"msg":"hello","level":"info","message":"m"}"#, "no json"]);
    assert_eq!(found[0].message, b"hello");
    assert_eq!(found[0].given["level"], "info");
    assert_eq!(found[1].message, b"no json");
    assert!(found[1].members.contains_key("error"));
    let nested = records("parsers: [{ndjson: {}}]", &[r#"{"a":1}"#]);
    assert_eq!(nested[0].members["json"]["a"], 1);
    assert!(!nested[0].has_message);
}

#[test]
fn a_time_in_a_json_line_is_that_of_its_event_when_it_is_one_and_wanted() {
    let lines = [r#"{"@timestamp":"2026-11-23T07:00:00Z","host":"a"}"#, r#"{"@timestamp":"23.11.2026","host":"b"}"#];
    let wanted = records("parsers: [{ndjson: {target: '', overwrite_keys: true, add_error_key: true}}]", &lines);
    assert_eq!(crate::event::show_time(wanted[0].timestamp_nanos), "2026-11-23T07:00:00.000Z");
    assert_eq!((wanted[1].timestamp_nanos, &wanted[1].members["host"]), (0, &"b".into()));
    assert_eq!(wanted[1].members["error"]["message"], "[@timestamp] of the line is no time");
    let not = records("parsers: [{ndjson: {target: '', add_error_key: true}}]", &lines);
    for record in not.iter().chain(&wanted) {
        assert!(!record.members.contains_key("@timestamp") && !record.given.contains_key("@timestamp"));
    }
    assert!(not.iter().all(|r| r.timestamp_nanos == 0 && r.members.is_empty() && r.given.len() == 1));
}

#[test]
fn container_logs() {
    let yaml = "parsers: [{container: {}}]";
    let found = records(
        yaml,
        &[
            "2026-11-23T07:00:00.5Z stdout P first ",
            "2026-11-23T07:00:01Z stdout F second",
            r#"{"log":"docker\n","stream":"stderr","time":"2026-11-23T07:00:02Z"}"#,
            "what is this",
        ],
    );
    let text: Vec<_> = found.iter().map(|r| String::from_utf8_lossy(&r.message)).collect();
    assert_eq!(text, ["first second", "docker", "what is this"]);
    assert_eq!(crate::event::show_time(found[0].timestamp_nanos), "2026-11-23T07:00:00.500Z");
    assert_eq!(found[1].members["stream"], "stderr");
}

#[test]
fn what_waits_in_a_parser_is_not_delivered_with_what_comes_after_it() {
    let Tree::Map(map) = parse("parsers: [{container: {stream: stdout}}]", &|_| None).unwrap() else { panic!() };
    let Tree::List(list) = &map["parsers"] else { panic!() };
    let mut chain = read(list, "parsers", &mut Vec::new()).unwrap().begin().unwrap();
    let partial = b"2026-11-23T07:00:00Z stdout P first ";
    assert!(chain.push(Record::line(partial, 0, 40, 0, false)).is_empty());
    let other = b"2026-11-23T07:00:00Z stderr F other";
    let given = chain.push(Record::line(other, 40, 80, 0, false));
    assert!(given[0].is_dropped);
    assert_eq!(chain.waiting_start(), Some(0));
}

#[test]
fn what_one_parser_drops_is_joined_to_nothing_by_the_next() {
    let yaml = "parsers: [{container: {stream: stdout}}, {multiline: {pattern: '^ ', match: after}}]";
    let Tree::Map(map) = parse(yaml, &|_| None).unwrap() else { panic!() };
    let Tree::List(list) = &map["parsers"] else { panic!() };
    let mut chain = read(list, "parsers", &mut Vec::new()).unwrap().begin().unwrap();
    let mut sent = Vec::new();
    for (at, text) in ["stderr F x", "stdout F a", "stderr F  y", "stdout F  b", "stdout F c"].iter().enumerate() {
        let line = format!("2026-11-23T07:00:00Z {text}");
        let start = 50 * at as u64;
        sent.extend(chain.push(Record::line(line.as_bytes(), start, start + 50, 0, false)));
    }
    assert_eq!(chain.waiting_start(), Some(200));
    sent.extend(chain.flush());
    sent.retain(|record| !record.is_dropped);
    let messages: Vec<_> = sent.iter().map(|r| String::from_utf8_lossy(&r.message)).collect();
    assert_eq!(messages, ["a\n b", "c"]);
}

#[test]
fn parts_of_two_streams_are_not_mixed() {
    let Tree::Map(map) = parse("parsers: [{container: {}}]", &|_| None).unwrap() else { panic!() };
    let Tree::List(list) = &map["parsers"] else { panic!() };
    let mut chain = read(list, "parsers", &mut Vec::new()).unwrap().begin().unwrap();
    let mut push = |text: &str, start: u64| {
        let line = format!("2026-11-23T07:00:00Z {text}");
        let given = chain.push(Record::line(line.as_bytes(), start, start + 50, 0, false));
        let texts = given.iter().map(|r| String::from_utf8_lossy(&r.message).into_owned()).collect::<Vec<_>>();
        (texts.join(";"), chain.waiting_start())
    };
    assert_eq!(push("stdout P out 1, ", 0), (String::new(), Some(0)));
    assert_eq!(push("stderr P err 1, ", 50), (String::new(), Some(0)));
    // A restart behind the first part would find only the second.
    assert_eq!(push("stdout F out 2", 100), ("out 1, out 2".into(), Some(0)));
    assert_eq!(push("stderr F err 2", 150), ("err 1, err 2".into(), None));
}

#[test]
fn a_key_of_very_many_dots_is_not_taken_apart() {
    let key = format!("a{}", ".a".repeat(100_000));
    let line = format!(r#"{{"{key}":1,"b.c":2}}"#);
    let found = records("parsers: [{ndjson: {target: '', expand_keys: true}}]", &[&line]);
    assert_eq!(found[0].given[&key], 1);
    assert_eq!(found[0].given["b"]["c"], 2);
}

#[test]
fn syslog_lines() {
    let yaml = "parsers: [{syslog: {}}]";
    let found = records(
        yaml,
        &[
            "<34>1 2026-11-23T07:00:00.003Z mymachine.example.com su - ID47 - 'su root' failed",
            "<13>Nov  3 06:00:00 host app[42]: hello: world",
            "neither",
        ],
    );
    assert_eq!(found[0].message, b"'su root' failed");
    assert_eq!(found[0].members["syslog"]["severity_label"], "Critical");
    assert_eq!(found[1].message, b"hello: world");
    assert_eq!(found[1].members["process"]["pid"], 42);
    assert_eq!(found[2].message, b"neither");
    assert!(found[2].members.contains_key("error"));
}

#[test]
fn messages_that_match_no_pattern_are_dropped_when_they_are_whole() {
    let multiline = "{multiline: {pattern: '^ ', match: after}}";
    let yaml = format!("parsers: [{multiline}, {{include_message.patterns: ['^b', 'x$']}}]");
    let found = records(&yaml, &["a", " x", "b", "c", " d"]);
    let kept: Vec<_> = found.iter().filter(|r| !r.is_dropped).map(|r| String::from_utf8_lossy(&r.message)).collect();
    assert_eq!((found.len(), kept), (3, vec!["a\n x".into(), "b".into()]));
    let Tree::Map(map) = parse("parsers: [{include_message: {pattern: a}}]", &|_| None).unwrap() else { panic!() };
    let Tree::List(list) = &map["parsers"] else { panic!() };
    let error = read(list, "parsers", &mut Vec::new()).err().unwrap();
    assert_eq!(error, "[parsers.0.include_message.patterns] is missing, was it meant by [pattern]?");
}

#[test]
fn unknown_parsers_are_refused() {
    let Tree::Map(map) = parse("parsers: [{multilin: {}}]", &|_| None).unwrap() else { panic!() };
    let Tree::List(list) = &map["parsers"] else { panic!() };
    assert!(read(list, "parsers", &mut Vec::new()).err().unwrap().contains("unknown parser [multilin]"));
}
