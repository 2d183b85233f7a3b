//! The command line.

use lexopt::prelude::{Long, Short, Value};
use shipper::config::tree::Tree;
use shipper::config::{self, Settings};
use shipper::metrics;
use shipper::output::greet::greet;
use shipper::output::settings::OutputSettings;
use signal_hook::iterator::Signals;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "\
Ships log files, plain or compressed, to Holdfast, Elasticsearch or OpenSearch.

  holdfast-shipper [run] -c shipper.yml   ship until told to stop
  holdfast-shipper run --once -c …        ship what is there now, then stop
  holdfast-shipper test config -c …       read the configuration and say what is wrong with it
  holdfast-shipper test output -c …       ask the output who it is
  holdfast-shipper export config -c …     print the configuration with its variables replaced
  holdfast-shipper top -c …               figures of the shipper that runs with this configuration
  holdfast-shipper version

  -c, --config FILE    the configuration, in Filebeat's shape (default: shipper.yml)
  -E NAME=VALUE        set a setting, or replace it, such as -E path.data=/var/lib/shipper
  --once               of run: stop when what is there is shipped; of top: one look
  -e                   accepted and without effect: the log is on standard error
  -h, --help           this
  -V, --version        as version
";

struct Arguments {
    words: Vec<String>,
    config: String,
    overrides: Vec<String>,
    is_once: bool,
}

fn main() -> ExitCode {
    end_with_a_panic();
    shipper::memory::be_sparing();
    shipper::descriptors::allow_many();
    match arguments().and_then(|arguments| command(&arguments)) {
        Ok(code) => code,
        Err(why) => {
            eprintln!("holdfast-shipper: {why}");
            ExitCode::from(2)
        }
    }
}

/// No thread may be missed: a release aborts by itself, what tests run unwinds.
fn end_with_a_panic() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tell(panic);
        std::process::abort();
    }));
}

fn arguments() -> Result<Arguments, String> {
    let mut arguments =
        Arguments { words: Vec::new(), config: "shipper.yml".into(), overrides: Vec::new(), is_once: false };
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next().map_err(|e| e.to_string())? {
        match argument {
            Short('c') | Long("config") => arguments.config = value(&mut parser)?,
            Short('E') => arguments.overrides.push(value(&mut parser)?),
            Short('e') => {} // Filebeat's: the log goes to standard error anyway
            Long("once") => arguments.is_once = true,
            Short('h') | Long("help") => arguments.words = vec!["help".into()],
            Short('V') | Long("version") => arguments.words = vec!["version".into()],
            Value(word) => arguments.words.push(word.to_string_lossy().into_owned()),
            Short(_) | Long(_) => return Err(argument.unexpected().to_string()),
        }
    }
    Ok(arguments)
}

fn value(parser: &mut lexopt::Parser) -> Result<String, String> {
    parser.value().map(|v| v.to_string_lossy().into_owned()).map_err(|e| e.to_string())
}

fn command(arguments: &Arguments) -> Result<ExitCode, String> {
    let words: Vec<&str> = arguments.words.iter().map(String::as_str).collect();
    if arguments.is_once && !matches!(words[..], [] | ["run" | "top" | "help" | "version"]) {
        return Err(format!("--once means nothing for [{}]", words.join(" ")));
    }
    match words[..] {
        [] | ["run"] => run(read(arguments)?, arguments.is_once),
        ["test", "config"] => {
            let settings = read(arguments)?;
            for warning in &settings.warnings {
                println!("warning: {warning}");
            }
            println!("Config OK");
            Ok(ExitCode::SUCCESS)
        }
        ["test", "output"] => test_output(&read(arguments)?),
        ["export", "config"] => {
            let tree = tree(arguments)?;
            let yaml = serde_yaml_ng::to_string(&config::json(&tree)).map_err(|e| e.to_string())?;
            print!("{yaml}");
            Ok(ExitCode::SUCCESS)
        }
        ["top"] => {
            let settings = read(arguments)?;
            let address = settings.monitor.ok_or("[http.enabled] is not true: there are no figures to ask for")?;
            shipper::top::run(&address, arguments.is_once)?;
            Ok(ExitCode::SUCCESS)
        }
        ["version"] => {
            println!("holdfast-shipper {}", env!("CARGO_PKG_VERSION"));
            Ok(ExitCode::SUCCESS)
        }
        ["help"] => {
            print!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        _ => Err(format!("unknown command [{}]\n{USAGE}", words.join(" "))),
    }
}

/// A variable of the environment, or a folder that Filebeat's configurations name so.
fn variable(arguments: &Arguments, name: &str) -> Option<String> {
    let of_config = || {
        let folder = std::path::Path::new(&arguments.config).parent()?;
        let is_here = folder.as_os_str().is_empty();
        Some(if is_here { ".".to_owned() } else { folder.display().to_string() })
    };
    match name {
        "path.config" | "path.home" => of_config(),
        _ => std::env::var(name).ok(),
    }
}

/// The file, with what the command line says instead.
fn tree(arguments: &Arguments) -> Result<Tree, String> {
    let in_file = |e: &dyn std::fmt::Display| format!("[{}]: {e}", arguments.config);
    let variable = |name: &str| variable(arguments, name);
    let text = std::fs::read_to_string(&arguments.config).map_err(|e| in_file(&e))?;
    let mut tree = config::tree::parse(&text, &variable).map_err(|e| in_file(&e))?;
    for set in &arguments.overrides {
        let pair = set.split_once('=').filter(|(name, _)| !name.is_empty());
        let (name, value) = pair.ok_or_else(|| format!("-E takes NAME=VALUE, not [{set}]"))?;
        let own = config::tree::parse(&format!("{name}: {value}"), &variable).map_err(|e| format!("-E {set}: {e}"))?;
        config::tree::replace(&mut tree, own);
    }
    Ok(tree)
}

fn read(arguments: &Arguments) -> Result<Settings, String> {
    config::read_tree(tree(arguments)?, &|name| variable(arguments, name))
        .map_err(|e| format!("[{}]: {e}", arguments.config))
}

fn test_output(settings: &Settings) -> Result<ExitCode, String> {
    match &settings.output {
        OutputSettings::Elasticsearch(es) => greet(es)?.iter().for_each(|answer| println!("{answer}")),
        OutputSettings::File { path, .. } => println!("file: {}", path.display()),
        OutputSettings::Console => println!("console: OK"),
    }
    Ok(ExitCode::SUCCESS)
}

fn run(settings: Settings, is_once: bool) -> Result<ExitCode, String> {
    let mut signals = Signals::new(shipper::signals::ending()).map_err(|e| e.to_string())?;
    let running = shipper::run::start(settings, is_once)?;
    if !is_once {
        let _ = signals.forever().next();
        running.stop();
        return Ok(ExitCode::SUCCESS);
    }
    let mut calm = 0;
    while calm < 5 && signals.pending().next().is_none() {
        std::thread::sleep(Duration::from_millis(300));
        calm = if running.is_at_rest() { calm + 1 } else { 0 };
    }
    let left = if calm < 5 {
        Some("it was told to stop before all that is there was shipped".to_owned())
    } else {
        let dropped = metrics::value(&metrics::EVENTS_DROPPED) + metrics::value(&metrics::EVENTS_NOWHERE);
        unshipped(running.unread(), dropped)
    };
    running.stop();
    if let Some(left) = &left {
        eprintln!("holdfast-shipper: {left}");
    }
    Ok(if left.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// What of all that is there the output does not have, for whoever would delete the files now.
fn unshipped(files: usize, events: u64) -> Option<String> {
    (files > 0 || events > 0).then(|| {
        format!("{files} files could not be read to their ends, {events} events were refused for good or had no index")
    })
}
