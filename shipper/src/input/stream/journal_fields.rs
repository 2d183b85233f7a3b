//! What fields of the journal are called in documents: Filebeat's names.

use crate::event::set;
use serde_json::{Map, Value, json};

/// An entry as a record has it.
pub(super) struct Found {
    pub(super) message: Vec<u8>,
    pub(super) timestamp_nanos: i64,
    pub(super) members: Map<String, Value>,
}

/// Whether a field is text or a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
}

use Kind::{Number, Text};

const NAMES: &[(&str, &str, Kind)] = &[
    ("CODE_FILE", "journald.code.file", Text),
    ("CODE_FUNC", "journald.code.func", Text),
    ("CODE_LINE", "journald.code.line", Number),
    ("COREDUMP_UNIT", "journald.coredump.unit", Text),
    ("COREDUMP_USER_UNIT", "journald.coredump.user_unit", Text),
    ("MESSAGE_ID", "message_id", Text),
    ("OBJECT_AUDIT_LOGINUID", "journald.object.audit.login_uid", Number),
    ("OBJECT_AUDIT_SESSION", "journald.object.audit.session", Text),
    ("OBJECT_CMDLINE", "journald.object.process.command_line", Text),
    ("OBJECT_COMM", "journald.object.process.name", Text),
    ("OBJECT_EXE", "journald.object.process.executable", Text),
    ("OBJECT_GID", "journald.object.gid", Number),
    ("OBJECT_PID", "journald.object.pid", Number),
    ("OBJECT_SYSTEMD_OWNER_UID", "journald.object.systemd.owner_uid", Number),
    ("OBJECT_SYSTEMD_SESSION", "journald.object.systemd.session", Text),
    ("OBJECT_SYSTEMD_UNIT", "journald.object.systemd.unit", Text),
    ("OBJECT_SYSTEMD_USER_UNIT", "journald.object.systemd.user_unit", Text),
    ("OBJECT_UID", "journald.object.uid", Number),
    ("PRIORITY", "syslog.priority", Number),
    ("SYSLOG_FACILITY", "syslog.facility", Number),
    ("SYSLOG_IDENTIFIER", "syslog.identifier", Text),
    ("SYSLOG_PID", "syslog.pid", Number),
    ("_AUDIT_LOGINUID", "journald.audit.login_uid", Number),
    ("_AUDIT_SESSION", "journald.audit.session", Text),
    ("_BOOT_ID", "journald.host.boot_id", Text),
    ("_CAP_EFFECTIVE", "journald.process.capabilities", Text),
    ("_CMDLINE", "journald.process.command_line", Text),
    ("_COMM", "journald.process.name", Text),
    ("_EXE", "journald.process.executable", Text),
    ("_GID", "journald.gid", Number),
    ("_HOSTNAME", "host.hostname", Text),
    ("_KERNEL_DEVICE", "journald.kernel.device", Text),
    ("_KERNEL_SUBSYSTEM", "journald.kernel.subsystem", Text),
    ("_MACHINE_ID", "host.id", Text),
    ("_PID", "journald.pid", Number),
    ("_SYSTEMD_CGROUP", "systemd.cgroup", Text),
    ("_SYSTEMD_INVOCATION_ID", "systemd.invocation_id", Text),
    ("_SYSTEMD_OWNER_UID", "systemd.owner_uid", Number),
    ("_SYSTEMD_SESSION", "systemd.session", Text),
    ("_SYSTEMD_SLICE", "systemd.slice", Text),
    ("_SYSTEMD_UNIT", "systemd.unit", Text),
    ("_SYSTEMD_USER_SLICE", "systemd.user_slice", Text),
    ("_SYSTEMD_USER_UNIT", "systemd.user_unit", Text),
    ("_TRANSPORT", "systemd.transport", Text),
    ("_UDEV_DEVLINK", "journald.kernel.device_symlinks", Text),
    ("_UDEV_DEVNODE", "journald.kernel.device_node_path", Text),
    ("_UDEV_SYSNAME", "journald.kernel.device_name", Text),
    ("_UID", "journald.uid", Number),
];

/// Fields that say where an entry is, or that are members already.
const OWN: [&str; 5] = ["MESSAGE", "_SOURCE_REALTIME_TIMESTAMP", "SYSLOG_RAW", "SYSLOG_TIMESTAMP", "_STREAM_ID"];

/// Reads an entry of `journalctl --output=json`.
pub(super) fn document(fields: &Map<String, Value>, saves_remote_hostname: bool) -> Found {
    let mut members = Map::new();
    for (name, value) in fields {
        if name.starts_with("__") || OWN.contains(&name.as_str()) || value.is_null() {
            continue;
        }
        if let Some((_, path, kind)) = NAMES.iter().find(|(journal, ..)| journal == name) {
            set(&mut members, path, converted(value, *kind));
        } else {
            // A name has capitals, digits and underscores: no dots.
            let own = name.trim_start_matches('_').to_ascii_lowercase();
            set(&mut members, &format!("journald.custom.{own}"), converted(value, Text));
        }
    }
    members.insert("event".into(), json!({"kind": "event"}));
    if let Some(Value::String(host)) = fields.get("_HOSTNAME").filter(|_| saves_remote_hostname) {
        set(&mut members, "log.source.address", host.as_str().into());
    }
    Found {
        message: fields.get("MESSAGE").map(bytes).unwrap_or_default(),
        timestamp_nanos: nanos(fields).unwrap_or_else(|| jiff::Timestamp::now().as_millisecond() * 1_000_000),
        members,
    }
}

fn nanos(fields: &Map<String, Value>) -> Option<i64> {
    let micros: i64 = fields.get("__REALTIME_TIMESTAMP")?.as_str()?.parse().ok()?;
    micros.checked_mul(1000)
}

/// Text, or a list of bytes where a field is none.
fn bytes(value: &Value) -> Vec<u8> {
    match value {
        Value::String(text) => text.as_bytes().to_vec(),
        Value::Array(list) => match list.iter().map(byte).collect::<Option<Vec<u8>>>() {
            Some(bytes) => bytes,
            None => list.iter().map(bytes).collect::<Vec<_>>().join(&b'\n'), // a field that is there several times
        },
        Value::Null => Vec::new(),
        other => other.to_string().into_bytes(),
    }
}

fn byte(value: &Value) -> Option<u8> {
    value.as_u64().and_then(|n| u8::try_from(n).ok())
}

fn converted(value: &Value, kind: Kind) -> Value {
    if let Value::Array(list) = value
        && list.iter().any(|item| byte(item).is_none())
    {
        return list.iter().map(|item| converted(item, kind)).collect();
    }
    let text = String::from_utf8_lossy(&bytes(value)).into_owned();
    match kind {
        Number => text.parse::<u64>().map_or_else(|_| text.into(), Value::from),
        Text => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_filebeats_names_and_bytes_that_are_no_text_are_read() {
        let entry = json!({
            "__CURSOR": "s=1", "__REALTIME_TIMESTAMP": "1700000000123456", "MESSAGE": [104, 105, 255],
            "PRIORITY": "6", "_PID": "12", "_SYSTEMD_UNIT": "a.service", "_HOSTNAME": "far", "MY_OWN": ["a", "b"],
            "_EMPTY": null, "SYSLOG_PID": "none"
        });
        let found = document(entry.as_object().unwrap(), true);
        assert_eq!(found.message, b"hi\xff");
        assert_eq!(found.timestamp_nanos, 1_700_000_000_123_456_000);
        assert_eq!(
            Value::Object(found.members),
            json!({
                "syslog": {"priority": 6, "pid": "none"}, "journald": {"pid": 12, "custom": {"my_own": ["a", "b"]}},
                "systemd": {"unit": "a.service"}, "host": {"hostname": "far"}, "event": {"kind": "event"},
                "log": {"source": {"address": "far"}}
            })
        );
    }
}
