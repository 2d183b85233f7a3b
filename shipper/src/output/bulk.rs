//! What an answer to `_bulk` means for each event.

use super::answer_body::{Item, body as read, failure};

/// What becomes of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is there.
    Delivered,
    /// It was there before: an earlier try arrived.
    Duplicate,
    /// Not now.
    Retry(String),
    /// Whoever sends it may not, or where it goes takes nothing: no fault of the event.
    Denied(String),
    /// Never; says why.
    Refused(String),
}

/// What becomes of a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// Every event is there.
    AllDelivered,
    /// One outcome an event.
    Each(Vec<Outcome>),
    /// The whole request, not now.
    Retry(String),
    /// It is too large, or something in it is: smaller ones may pass.
    TooLarge(String),
    /// Something in it, or of the request itself, is wrong.
    Split(String),
}

/// Reads an answer.
///
/// `events` of the request; `has_ids` tells a conflict that is our own earlier success from one that
/// is none.
pub fn answer(status: u16, body: &[u8], events: usize, has_ids: bool) -> Answer {
    match status {
        200..=299 => items(body, events, has_ids),
        413 => Answer::TooLarge(format!("status {status}: {}", reason(body))),
        // What a proxy says, or a server of a path that it does not know, says nothing of the events; who believed
        // it would give all of them up, one by one.
        400 if is_error(body) => Answer::Split(format!("status {status}: {}", reason(body))),
        // Keys and rights come and go with people; a shipper that gives up loses lines.
        _ => Answer::Retry(format!("status {status}: {}", reason(body))),
    }
}

/// Whether it is an error of the API, which has a type.
fn is_error(body: &[u8]) -> bool {
    failure(body).is_some_and(|failure| failure.is_typed)
}

fn reason(body: &[u8]) -> String {
    // It is logged, and in dead letters: an answer may have megabytes of it.
    let reason = failure(body).and_then(|failure| failure.reason);
    reason.unwrap_or_else(|| String::from_utf8_lossy(&body[..body.len().min(300)]).into_owned())
}

fn items(body: &[u8], events: usize, has_ids: bool) -> Answer {
    // What is passed over is not looked at so closely by the parser.
    let Ok(text) = std::str::from_utf8(body) else {
        return Answer::Retry("the answer is none of _bulk: it is no UTF-8".into());
    };
    let body = match read(text, events) {
        Ok(body) => body,
        Err(e) => return Answer::Retry(format!("the answer is none of _bulk: {e}")),
    };
    let is_delivered = |item: &Item| item.status.is_some_and(|status| (200..=299).contains(&status));
    match body.errors {
        // Where items are told, each of them counts.
        Some(false) if body.items.is_empty() || (body.items.len() == events && body.items.iter().all(is_delivered)) => {
            return Answer::AllDelivered;
        }
        Some(_) => {}
        None => return Answer::Retry("the answer is none of _bulk: it has no [errors]".into()),
    }
    if body.items.len() != events {
        return Answer::Retry("the answer does not have an item for each event".into());
    }
    Answer::Each(body.items.into_iter().map(|item| item.outcome(has_ids)).collect())
}

/// Whether an error says of the index or the pipeline, and not of the event, that it is not there, is closed, or
/// that the cluster has no room for its shards. People mend that.
fn is_of_index(why: &str) -> bool {
    let (kind, reason) = why.split_once(": ").unwrap_or((why, ""));
    match kind {
        "index_closed_exception" | "index_not_found_exception" => true,
        "validation_exception" => reason.contains("this action would add"),
        "illegal_argument_exception" => {
            reason.starts_with("pipeline with id [") && reason.ends_with("] does not exist")
                || reason.starts_with("no write index is defined for alias [")
        }
        _ => false,
    }
}

impl Item {
    fn outcome(self, has_ids: bool) -> Outcome {
        match self.status {
            Some(200..=299) => Outcome::Delivered,
            Some(409) if has_ids => Outcome::Duplicate,
            Some(429 | 500..=599) => Outcome::Retry(self.why),
            Some(401 | 403) => Outcome::Denied(self.why),
            Some(400..=499) if is_of_index(&self.why) => Outcome::Denied(self.why),
            Some(400..=499) => Outcome::Refused(self.why),
            Some(other) => Outcome::Retry(format!("an item of the answer has the status {other}: {}", self.why)),
            None => Outcome::Retry("an item of the answer has no status".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        assert_eq!(answer(200, br#"{"errors":false}"#, 3, false), Answer::AllDelivered);
        let mixed = br#"{"errors":true,"items":[{"create":{"status":201}},{"create":{"status":409}},{"create":{"status":429,"error":{"type":"t","reason":"r"}}},{"create":{"status":400,"error":{"type":"m","reason":"bad"}}}]}"#;
        assert_eq!(
            answer(200, mixed, 4, true),
            Answer::Each(vec![
                Outcome::Delivered,
                Outcome::Duplicate,
                Outcome::Retry("t: r".into()),
                Outcome::Refused("m: bad".into())
            ])
        );
        assert!(matches!(answer(200, mixed, 5, true), Answer::Retry(_)), "an answer to something else");
        assert!(matches!(answer(200, b"<html>", 1, true), Answer::Retry(_)));
        assert!(matches!(answer(200, b"{}", 1, true), Answer::Retry(_)), "no proxy's page is taken for a success");
        assert!(matches!(answer(413, b"", 1, true), Answer::TooLarge(_)));
        assert!(matches!(answer(400, b"<html>plain HTTP was sent to an HTTPS port", 1, true), Answer::Retry(_)));
        assert!(matches!(answer(400, br#"{"error":{"type":"x","reason":"y"}}"#, 1, true), Answer::Split(_)));
        for word in [r#"{"error":"no handler found for uri [/es/_bulk]"}"#, r#"{"status":400,"error":"Bad Request"}"#] {
            assert!(matches!(answer(400, word.as_bytes(), 1, true), Answer::Retry(_)), "{word}");
        }
        assert!(matches!(answer(503, b"{}", 1, true), Answer::Retry(_)));
        assert!(matches!(answer(401, b"{}", 1, true), Answer::Retry(_)));
    }

    #[test]
    fn no_errors_are_none_only_when_every_item_says_so() {
        let says = |items: &str| answer(200, format!(r#"{{"errors":false,"items":[{items}]}}"#).as_bytes(), 2, false);
        let item = |status: u16| format!(r#"{{"create":{{"status":{status}}}}}"#);
        assert_eq!(says(&format!("{},{}", item(201), item(200))), Answer::AllDelivered);
        assert!(matches!(says(&item(201)), Answer::Retry(_)), "one of two");
        let Answer::Each(outcomes) = says(&format!("{},{}", item(201), item(503))) else { panic!("an item failed") };
        assert!(matches!(outcomes[..], [Outcome::Delivered, Outcome::Retry(_)]));
        let Answer::Each(outcomes) = says(&format!("{},{}", item(403), item(404))) else { panic!("items failed") };
        assert!(matches!(outcomes[..], [Outcome::Denied(_), Outcome::Refused(_)]));
    }

    #[test]
    fn what_an_index_or_a_pipeline_is_refused_for_is_no_fault_of_the_event() {
        let of = |status: u16, kind: &str, reason: &str| {
            let item = serde_json::json!({"status": status, "error": {"type": kind, "reason": reason}});
            let body = serde_json::json!({"errors": true, "items": [{"create": item}]}).to_string();
            let Answer::Each(mut outcomes) = answer(200, body.as_bytes(), 1, true) else { panic!("{body}") };
            outcomes.remove(0)
        };
        let shards =
            "Validation Failed: 1: this action would add [2] shards, but this cluster currently has [1000]/[1000]";
        for (status, kind, reason) in [
            (400, "index_closed_exception", "closed"),
            (404, "index_not_found_exception", "no such index [a] and [action.auto_create_index] is [false]"),
            (400, "validation_exception", shards),
            (400, "illegal_argument_exception", "pipeline with id [a] does not exist"),
            (400, "illegal_argument_exception", "no write index is defined for alias [a]. The write index may be"),
        ] {
            assert!(matches!(of(status, kind, reason), Outcome::Denied(_)), "{kind}");
        }
        for (kind, reason) in [
            ("illegal_argument_exception", "Limit of total fields [1000] has been exceeded"),
            ("document_parsing_exception", "pipeline with id [a] does not exist"),
            ("validation_exception", "no"),
            ("invalid_index_name_exception", "Invalid index name [A], must be lowercase"),
        ] {
            assert!(matches!(of(400, kind, reason), Outcome::Refused(_)), "{kind}");
        }
    }

    #[test]
    fn nothing_is_given_up_for_an_item_that_makes_no_sense() {
        let strange = ["0", "199", "302", "600", "-400", "4e2", "\"400\"", "null", "[400]"];
        for item in strange.map(|status| format!(r#"{{"create":{{"status":{status}}}}}"#)) {
            let Answer::Each(outcomes) =
                answer(200, format!(r#"{{"errors":true,"items":[{item}]}}"#).as_bytes(), 1, true)
            else {
                panic!("{item}")
            };
            assert!(matches!(outcomes[..], [Outcome::Retry(_)]), "{item}: {outcomes:?}");
        }
        for item in ["{}", r#"{"create":{}}"#] {
            let said = answer(200, format!(r#"{{"errors":false,"items":[{item}]}}"#).as_bytes(), 1, true);
            assert_eq!(
                said,
                Answer::Each(vec![Outcome::Retry("an item of the answer has no status".into())]),
                "{item}"
            );
        }
        for items in ["null", "{}", "[1]", r#"[{"create":1}]"#] {
            let said = answer(200, format!(r#"{{"errors":false,"items":{items}}}"#).as_bytes(), 1, true);
            assert!(matches!(said, Answer::Retry(_)), "{items}: {said:?}");
        }
    }

    #[test]
    fn an_answer_with_damage_in_what_is_passed_over_is_none() {
        for damaged in [
            &b"{\"errors\":false,\"items\":[{\"cr\xffate\":{\"status\":201}}]}"[..],
            b"{\"errors\":false,\"took\":\"\xff\",\"items\":[{\"create\":{\"status\":201}}]}",
            br#"{"errors":false,"items":[{"cr\ud800ate":{"status":201}}]}"#,
        ] {
            let said = answer(200, damaged, 1, true);
            assert!(matches!(said, Answer::Retry(_)), "{}: {said:?}", String::from_utf8_lossy(damaged));
        }
    }

    #[test]
    fn a_long_reason_is_cut() {
        let long = "\u{e4}".repeat(1 << 20);
        let body = format!(r#"{{"error":{{"type":"x","reason":"{long}"}}}}"#);
        for status in [400, 413, 503] {
            let said = answer(status, body.as_bytes(), 1, true);
            let (Answer::Split(why) | Answer::TooLarge(why) | Answer::Retry(why)) = said else { panic!("{said:?}") };
            assert!(why.starts_with(&format!("status {status}: \u{e4}")) && why.len() < 2000, "{}", why.len());
        }
    }
}
