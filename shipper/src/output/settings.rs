//! Settings of outputs, by Filebeat's names.

use super::letters::LetterFile;
use super::names;
use super::proxy::{self, Through};
use super::template::Template;
use crate::config::format;
use crate::config::section::{Section, Warnings};
use crate::event::format::Format;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Where events go.
pub enum OutputSettings {
    /// Holdfast, Elasticsearch, `OpenSearch`.
    Elasticsearch(Arc<ElasticsearchSettings>),
    /// A file of documents, a line each, that is rotated.
    File {
        /// The newest file; older ones have `.1`, `.2`, … behind.
        path: PathBuf,
        /// Bytes after which it is rotated.
        bytes_max: u64,
        /// Files that are kept.
        files_max: u64,
    },
    /// Standard output.
    Console,
}

/// Of the Elasticsearch output.
pub struct ElasticsearchSettings {
    /// Base addresses; requests go to them in turn.
    pub hosts: Vec<String>,
    /// Where events go: an index, a data stream or an alias.
    pub index: Format,
    /// The ingest pipeline.
    pub pipeline: Option<Format>,
    /// Headers of every request, authorization included.
    pub headers: Vec<(String, String)>,
    /// Query parameters of every request.
    pub parameters: Vec<(String, String)>,
    /// Requests that are under way at once, of each host.
    pub workers: usize,
    /// Events of a request.
    pub events_max: usize,
    /// Bytes of a request before compression.
    pub bytes_max: usize,
    /// Of bodies.
    pub compression: Body,
    /// Of gzip; 0 for none. Zstd has as many and more.
    pub compression_level: u32,
    /// The first pause after a failure, and the longest.
    pub backoff: (Duration, Duration),
    /// How long an answer may take.
    pub timeout: Duration,
    /// Ids are made of the file and the offset, so that what is sent again is found to be there.
    pub has_ids: bool,
    /// Where events go that are refused for good; without, and without a file, they are dropped with a log line.
    pub dead_letters: Option<String>,
    /// The same, when it is a file.
    pub letter_file: Option<LetterFile>,
    /// TLS.
    pub tls: TlsSettings,
    /// What is between.
    pub through: Through,
    /// What is set up before the first request.
    pub template: Option<Template>,
}

/// How bodies of requests are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// Every server takes it.
    Gzip,
    /// Holdfast takes it; to one that does not, bodies are sent as gzip.
    Zstd,
}

/// How servers are believed.
pub struct TlsSettings {
    /// PEM files; those of the program when empty.
    pub authorities: Vec<PathBuf>,
    /// Whether any certificate is believed.
    pub believes_all: bool,
    /// A certificate and its key, shown to servers that ask.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

impl OutputSettings {
    /// Reads `output`, which names one.
    pub fn read(output: &Section, warnings: &mut Warnings) -> Result<OutputSettings, String> {
        let mut names = Vec::new();
        for name in output.names() {
            let section = output.section(&name)?;
            if section.flag("enabled", true)? {
                names.push(name);
            }
        }
        let [name] = names.as_slice() else {
            let found = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(format!(
                "[output] must name one output that is enabled, elasticsearch, file or console; it names {found}"
            ));
        };
        let s = output.section(name)?;
        s.flag("enabled", true)?;
        match name.as_str() {
            "elasticsearch" => Ok(OutputSettings::Elasticsearch(Arc::new(elasticsearch(s, warnings)?))),
            "file" => {
                let folder = s.text("path")?.filter(|path| !path.is_empty()).ok_or_else(|| s.missing("path"))?;
                let name = s.text("filename")?.unwrap_or_else(|| "holdfast-shipper.ndjson".into());
                let kib = s.number("rotate_every_kb", 10_240, 1, u64::from(u32::MAX))?;
                let files_max = s.number("number_of_files", 7, 2, 1024)?;
                s.no_effect("permissions", "the process's umask decides", warnings);
                s.finish()?;
                Ok(OutputSettings::File { path: PathBuf::from(folder).join(name), bytes_max: kib << 10, files_max })
            }
            "console" => {
                s.no_effect("pretty", "documents are lines of JSON", warnings);
                s.finish()?;
                Ok(OutputSettings::Console)
            }
            other => Err(format!("[output.{other}] is no output: elasticsearch, file, console")),
        }
    }
}

fn elasticsearch(s: Section, warnings: &mut Warnings) -> Result<ElasticsearchSettings, String> {
    let protocol = s.choice("protocol", "http", &["http", "https"])?;
    let path = s.text("path")?.unwrap_or_default();
    let port = s.number("port", 9200, 1, 65535)?;
    let mut hosts = Vec::new();
    for host in s.some_texts("hosts")? {
        let address = address(&host, protocol, port, &path);
        names::host(&address).map_err(|why| format!("[{}] {why}: [{host}]", s.path("hosts")))?;
        hosts.push(address);
    }
    let mut headers = pairs(&s.section("headers")?)?;
    for (name, value) in &headers {
        names::header(name, value).map_err(|why| format!("[{}] {why}", s.path("headers")))?;
    }
    let parameters = pairs(&s.section("parameters")?)?;
    headers.extend(authorization(&s)?);
    let dead = s.section("dead_letter_index")?;
    let dead_letters = index(&dead, "index")?;
    let index = index(&s, "index")?.unwrap_or(Format::parse("logs-shipper-default")?);
    let workers = s.number("worker", 0, 0, 256)?.max(s.number("workers", 0, 0, 256)?);
    let dead_letters = dead_letters
        .map(|name| name.fixed().map(str::to_owned).ok_or_else(|| format!("[{}] must be one name", dead.path("index"))))
        .transpose()?;
    let letter_file = s.text("dead_letter_file")?.filter(|path| !path.is_empty());
    if dead_letters.is_some() && letter_file.is_some() {
        return Err(format!("[{}] and [{}] exclude each other", s.path("dead_letter_file"), dead.path("index")));
    }
    dead.finish()?;
    let settings = ElasticsearchSettings {
        hosts,
        index,
        pipeline: format(&s, "pipeline")?,
        headers,
        parameters,
        workers: usize::try_from(if workers == 0 { 2 } else { workers }).expect("at most 256"),
        events_max: usize::try_from(match s.number("bulk_max_size", 3200, 0, 1 << 20)? {
            0 => 1 << 20,
            n => n,
        })
        .expect("at most a million"),
        bytes_max: bulk_bytes(&s)?,
        compression: match s.choice("compression", "gzip", &["gzip", "zstd"])? {
            "zstd" => Body::Zstd,
            _ => Body::Gzip,
        },
        compression_level: u32::try_from(s.number("compression_level", 1, 0, 9)?).expect("a digit"),
        backoff: s.pauses("backoff", Duration::from_secs(1), Duration::from_mins(1))?,
        timeout: s.pause("timeout", Duration::from_secs(90))?,
        has_ids: s.flag("deterministic_ids", false)?,
        dead_letters,
        letter_file: letter_file.map(|path| LetterFile::new(path.into())),
        tls: tls(s.section("ssl")?, warnings)?,
        through: through(&s)?,
        template: None, // it is another section's
    };
    for name in
        ["preset", "loadbalance", "max_retries", "escape_html", "idle_connection_timeout", "allow_older_versions"]
    {
        s.no_effect(name, "requests are sized, spread and repeated by what the servers answer", warnings);
    }
    s.finish()?;
    Ok(settings)
}

fn through(s: &Section) -> Result<Through, String> {
    let url = s.text("proxy_url")?.filter(|url| !url.is_empty());
    let is_disabled = s.flag("proxy_disable", false)?;
    if let Some(url) = &url {
        proxy::read(url).map_err(|why| format!("[{}] {why}", s.path("proxy_url")))?;
    }
    Ok(match url {
        _ if is_disabled => Through::Nothing,
        Some(url) => Through::Proxy(url),
        None => Through::Environment,
    })
}

/// Members of a section that are all texts.
fn pairs(s: &Section) -> Result<Vec<(String, String)>, String> {
    let pair = |name: String| -> Result<(String, String), String> {
        let value = s.text(&name)?.ok_or_else(|| s.missing(&name))?;
        Ok((name, value))
    };
    s.names().into_iter().map(pair).collect()
}

/// The name of an index. One that servers refuse would cost every event.
pub fn index(s: &Section, name: &str) -> Result<Option<Format>, String> {
    let Some(format) = format(s, name)? else { return Ok(None) };
    names::index(&format).map_err(|why| format!("[{}] {why}", s.path(name)))?;
    Ok(Some(format))
}

/// Servers refuse bodies of more than 100 MB, and one event may be longer than this.
fn bulk_bytes(s: &Section) -> Result<usize, String> {
    let bytes = s.bytes("bulk_max_bytes", 768 << 10)?;
    if !(1024..=90 << 20).contains(&bytes) {
        return Err(format!("[{}] must be from 1KiB to 90MiB, it is [{bytes}]", s.path("bulk_max_bytes")));
    }
    Ok(usize::try_from(bytes).expect("at most 90 MiB"))
}

fn address(host: &str, protocol: &str, port: u64, path: &str) -> String {
    let (scheme, rest) = host.split_once("://").unwrap_or((protocol, host));
    let (authority, own_path) = match rest.split_once('/') {
        Some((authority, own)) => (authority, format!("/{own}")),
        None => (rest, path.to_owned()),
    };
    let has_port = authority.rsplit_once(':').is_some_and(|(_, p)| p.bytes().all(|b| b.is_ascii_digit()));
    let authority = if has_port { authority.to_owned() } else { format!("{authority}:{port}") };
    format!("{scheme}://{authority}{}", own_path.trim_end_matches('/'))
}

fn authorization(s: &Section) -> Result<Option<(String, String)>, String> {
    let user = s.text("username")?;
    let password = s.text("password")?;
    let key = s.text("api_key")?;
    if key.is_some() && (user.is_some() || password.is_some()) {
        return Err(format!("[{}] and [{}] exclude each other", s.path("api_key"), s.path("username")));
    }
    if user.is_some() != password.is_some() {
        return Err(format!("[{}] and [{}] go together", s.path("username"), s.path("password")));
    }
    if let Some(key) = key {
        // Filebeat takes id:key; what Elasticsearch shows is that in base 64.
        let encoded = if key.contains(':') { base64(key.as_bytes()) } else { key };
        return Ok(Some(("authorization".into(), format!("ApiKey {encoded}"))));
    }
    Ok(user.map(|user| {
        let pair = format!("{user}:{}", password.unwrap_or_default());
        ("authorization".into(), format!("Basic {}", base64(pair.as_bytes())))
    }))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, b| bits << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for at in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * at) & 63) as usize];
            out.push(if at > chunk.len() { '=' } else { char::from(digit) });
        }
    }
    out
}

fn tls(ssl: Section, warnings: &mut Warnings) -> Result<TlsSettings, String> {
    let mode = ssl.choice("verification_mode", "full", &["full", "strict", "none"])?;
    ssl.no_effect("enabled", "the scheme of a host decides", warnings);
    for name in ["supported_protocols", "cipher_suites", "curve_types", "renegotiation"] {
        ssl.no_effect(name, "TLS 1.2 and 1.3 with the suites of rustls", warnings);
    }
    let certificate = match (ssl.text("certificate")?, ssl.text("key")?) {
        (Some(certificate), Some(key)) => Some((certificate.into(), key.into())),
        (None, None) => None,
        _ => return Err(format!("[{}] and [{}] go together", ssl.path("certificate"), ssl.path("key"))),
    };
    let authorities = ssl.texts("certificate_authorities")?.into_iter().map(PathBuf::from).collect();
    let believes_all = mode == "none";
    ssl.finish()?;
    Ok(TlsSettings { authorities, believes_all, certificate })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        assert_eq!(address("localhost", "http", 9200, ""), "http://localhost:9200");
        assert_eq!(address("https://a:443/x/", "http", 9200, "/y"), "https://a:443/x");
        assert_eq!(address("a:1", "https", 9200, "/y"), "https://a:1/y");
    }

    #[test]
    fn base_64() {
        assert_eq!(base64(b"a"), "YQ==");
        assert_eq!(base64(b"ab"), "YWI=");
        assert_eq!(base64(b"abc:d"), "YWJjOmQ=");
    }
}
