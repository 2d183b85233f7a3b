//! `test output`: asks each host who it is.

use super::agent::agents;
use super::settings::ElasticsearchSettings;

/// What each host answers.
pub fn greet(settings: &ElasticsearchSettings) -> Result<Vec<String>, String> {
    let mut answers = Vec::new();
    for (agent, host) in agents(settings)?.iter().zip(&settings.hosts) {
        let mut request = agent.get(format!("{host}/"));
        for (name, value) in &settings.headers {
            request = request.header(name, value);
        }
        let mut response = request.call().map_err(|e| format!("{host}: {e}"))?;
        let status = response.status().as_u16();
        let text =
            response.body_mut().with_config().limit(1 << 20).read_to_string().map_err(|e| format!("{host}: {e}"))?;
        if status != 200 {
            return Err(format!("{host}: status {status}: {text}"));
        }
        let json: serde_json::Value =
            serde_json::from_str(&text).map_err(|_| format!("{host}: the answer is no JSON"))?;
        let version = json.pointer("/version/number").and_then(|v| v.as_str()).unwrap_or("unknown");
        answers.push(format!("{host}: OK, version {version}"));
    }
    Ok(answers)
}
