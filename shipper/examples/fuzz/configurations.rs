//! Configurations that nobody meant: each is read or refused in words.

use super::mutate::mutate;
use super::rng::Rng;
use ::shipper::config;

const SOUND: &[&str] = &[
    include_str!("web.yml"),
    "filebeat.inputs: [{paths: [/a/*.log]}]\noutput.console: {}\n",
    "filebeat.inputs:\n- type: filestream\n  id: x\n  paths: ['/var/log/**/*.gz']\n  compression: gzip\n  encoding: utf-16le\n\
     output.file: {path: /tmp/out, rotate_every_kb: 10}\nqueue.mem.bytes: 1MiB\n",
];

/// What a wrong hand would write.
const WORDS: &[&str] = &[
    "null",
    "~",
    "true",
    "-1",
    "1e309",
    "99999999999999999999",
    "10MiB",
    "1h2m3s",
    "-5s",
    "[]",
    "{}",
    "''",
    "${HOME}",
    "${NO:default}",
    "${",
    "%{[a]}",
    "%{+yyyy.MM.dd}",
    "%{+QQQ}",
    "%{",
    "&a [*a]",
    "*a",
    "!!binary x",
    "? x",
    "- - - -",
    "'(((('",
    "'[a-'",
    "\"\\u0000\"",
    "if:",
    "when:",
    "processors:",
    "or:",
    "not:",
    "output:",
    "[[[[[[[[[[[[[[[[",
    "9223372036854775807",
    "0.1",
    "0x10",
    "\u{fffd}",
    "ä",
];

/// One case; says what is wrong.
pub fn case(rng: &mut Rng) -> Result<(), String> {
    let sound = rng.pick(SOUND);
    let mut lines: Vec<String> = sound.lines().map(str::to_owned).collect();
    for _ in 0..rng.within(1, 5) {
        let at = usize::try_from(rng.below(lines.len() as u64)).expect("an index");
        match rng.below(7) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, rng.pick(&sound.lines().collect::<Vec<_>>()).to_string()),
            2 => lines[at].insert_str(0, "  "),
            3 => {
                let rest = lines[at].strip_prefix("  ").unwrap_or_default().to_owned();
                lines[at] = rest;
            }
            4 => {
                let key = lines[at].split_once(':').map(|(key, _)| key.to_owned()).unwrap_or_default();
                lines[at] = format!("{key}: {}", rng.pick(WORDS));
            }
            5 => {
                let depth = usize::try_from(rng.below(300)).expect("small");
                lines[at] = format!("a: {}{}", "[".repeat(depth), "]".repeat(depth));
            }
            _ => lines[at] = String::from_utf8_lossy(&mutate(lines[at].as_bytes(), rng)).into_owned(),
        }
        if lines.is_empty() {
            break;
        }
    }
    let text = lines.join("\n");
    match config::read(&text, &|name| (name == "HOME").then(|| "/root".to_owned())) {
        Err(why) if why.trim().is_empty() => Err(format!("refused without a word: {text}")),
        Ok(_) | Err(_) => Ok(()),
    }
}
