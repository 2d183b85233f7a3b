//! `top`: figures of a shipper that runs, as a table that is drawn anew every two seconds.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Between two looks.
const EVERY: Duration = Duration::from_secs(2);

/// Figures by name, without their prefix.
type Figures = BTreeMap<String, u64>;

/// Rates of what only grows, and figures of what is now, in the order in which they are shown.
const ROWS: &[(&str, &str, bool)] = &[
    ("files open", "files_active", false),
    ("bytes read", "bytes_processed_total", true),
    ("  of archives", "gzip_bytes_processed_total", true),
    ("lines read", "messages_read_total", true),
    ("queue on disk", "queue_filled_bytes", false),
    ("  events in it", "queue_filled_events", false),
    ("filtered", "events_filtered_total", true),
    ("processor failures", "processor_failures_total", true),
    ("acknowledged", "output_events_acked_total", true),
    ("  there before", "output_events_duplicates_total", true),
    ("sent again", "output_events_retried_total", true),
    ("dead letters", "output_events_dead_letter_total", true),
    ("  dropped", "output_events_dropped_total", true),
    ("requests", "output_requests_total", true),
    ("request failures", "output_request_failures_total", true),
    ("bytes sent", "output_write_bytes_total", true),
];

/// Shows figures until the shipper can't be asked any more, or once.
///
/// # Errors
/// Says what keeps it from being asked.
pub fn run(address: &str, is_once: bool) -> Result<(), String> {
    let url = format!("http://{address}/metrics");
    let mut before = (figures(&url)?, Instant::now());
    loop {
        std::thread::sleep(EVERY);
        let now = (figures(&url)?, Instant::now());
        let table = table(&before.0, &now.0, now.1 - before.1);
        if is_once {
            print!("{table}");
            return Ok(());
        }
        print!("\x1b[2J\x1b[H{url}\n\n{table}");
        before = now;
    }
}

fn figures(url: &str) -> Result<Figures, String> {
    let say = |e: ureq::Error| format!("{url}: {e}; is [http.enabled] true?");
    // The shipper is on this machine or near it, whatever proxies the environment names.
    let agent: ureq::Agent = ureq::Agent::config_builder().proxy(None).build().into();
    let text = agent.get(url).call().map_err(say)?.body_mut().read_to_string().map_err(say)?;
    Ok(read(&text))
}

fn read(text: &str) -> Figures {
    text.lines()
        .filter_map(|line| {
            let (name, value) = line.strip_prefix("holdfast_shipper_")?.split_once(' ')?;
            Some((name.to_owned(), value.parse().ok()?))
        })
        .collect()
}

fn table(before: &Figures, now: &Figures, between: Duration) -> String {
    let millis = u64::try_from(between.as_millis()).unwrap_or(u64::MAX).max(1);
    let mut out = format!("{:<20} {:>16} {:>16}\n", "", "all", "a second");
    for (title, name, has_rate) in ROWS {
        let figure = |of: &Figures| of.get(*name).copied().unwrap_or(0);
        let rate = if *has_rate {
            (figure(now).saturating_sub(figure(before)).saturating_mul(1000) / millis).to_string()
        } else {
            String::new()
        };
        let _ = writeln!(out, "{title:<20} {:>16} {rate:>16}", figure(now));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_figure_that_is_served() {
        let served = read(&crate::metrics::prometheus());
        for (_, name, _) in ROWS {
            assert!(served.contains_key(*name), "{name}");
        }
    }

    #[test]
    fn rates_are_of_the_time_between() {
        let of = |n| Figures::from([("messages_read_total".to_owned(), n)]);
        let table = table(&of(100), &of(1100), Duration::from_millis(500));
        let line = table.lines().find(|line| line.starts_with("lines read")).unwrap();
        assert_eq!(line.split_whitespace().collect::<Vec<_>>(), ["lines", "read", "1100", "2000"]);
    }
}
