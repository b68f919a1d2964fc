//! `bench`: runs the benchmarks and writes figures and charts. Compares the results with recorded
//! results.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use messaging_cli::program::show::{self, DIM, GREEN, RED, RESET};
use messaging_cli::program::{Common, Exit, Failure, print};
use messaging_cli::{complain, say};
use messaging_verify::bench::{self, Figure};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The command of cargo that runs a benchmark.
const BENCH: [&str; 4] = ["bench", "--locked", "--package", "messaging-verify"];

/// Benchmarks that this command can run.
const BENCHES: [&str; 5] = ["calls", "instances", "store", "concurrent", BY_NAME];
/// The benchmark that runs only by name, because it needs npm and installs packages.
const BY_NAME: &str = "receivers";

/// Modes of the instruction counts, with the number of calls.
const MODES: [(&str, u32); 5] = [
    ("native-event", 2_000),
    ("native-send", 2_000),
    ("warm-event", 500),
    ("warm-send", 100),
    ("fresh-send", 50),
];

/// Maximum ratio to the recorded value. Instruction counts vary by about 1 %, because each process
/// seeds its hash tables randomly. Ratios vary with the machine, its number of cores and the
/// profile.
const COUNTS_TOLERANCE: f64 = 1.05;
const RATIO_TOLERANCE: f64 = 2.0;

/// Run the benchmarks, draw charts, and compare with recorded results
///
/// Run this command in the root of the repository, on a machine without other load, because it runs
/// `cargo bench`. A benchmark has several rounds, and its result is a ratio to a reference of the
/// same round. If all rounds give a ratio more than twice as bad as recorded, the benchmark runs
/// again. If the second run is as bad, the command fails. --counts counts instructions under
/// valgrind instead; other load does not affect the counts.
#[derive(Args)]
pub struct Bench {
    /// Run only these benchmarks; `receivers` needs npm, and runs only by name
    #[arg(value_name = "NAME", value_parser = BENCHES)]
    names: Vec<String>,
    /// Directory for report.json, figures.md, sending.svg and receiving.svg
    #[arg(long, value_name = "DIRECTORY", default_value = "target/bench")]
    out: PathBuf,
    /// Cargo profile of the build; the tests use `dev`
    #[arg(long, value_name = "PROFILE", default_value = "bench")]
    profile: String,
    /// Count instructions; fail if they exceed the recorded counts by 5 %
    #[arg(long, conflicts_with_all = ["names", "out"])]
    counts: bool,
    /// Record the new figures; keep recorded figures that were not measured
    #[arg(long)]
    record: bool,
    /// Directory of the recorded results: report.json, counts.json and the charts
    #[arg(long, value_name = "DIRECTORY", default_value = "host-test/benches")]
    on_record: PathBuf,
}

impl Bench {
    pub fn run(self, common: &Common) -> Result<(), Failure> {
        if !Path::new("host-test/Cargo.toml").exists() {
            let reason = "run this in the root of the repository: the benchmarks are there";
            return Err(Failure::Usage(reason.into()));
        }
        if self.counts { self.count(common) } else { self.measure(common) }
    }

    fn measure(&self, common: &Common) -> Result<(), Failure> {
        let names = match &self.names[..] {
            [] => BENCHES.into_iter().filter(|name| *name != BY_NAME).collect(),
            names => names.iter().map(String::as_str).collect::<Vec<_>>(),
        };
        let known: Vec<Figure> = read(&self.on_record, "report.json")?;
        let mut figures: Vec<Figure> = Vec::new();
        // The benchmarks start the program `messaging`.
        cargo(&["build", "--locked", "--profile", &self.profile])?;
        for name in names {
            let mut own = self.run_one(name, common)?;
            if !self.record && own.iter().any(|figure| regressed(figure, &known).is_some()) {
                complain!("running {name} again, because other load can disturb single rounds");
                let again = self.run_one(name, common)?;
                own.iter_mut().for_each(|figure| figure.take_the_rounds_of(&again));
            }
            figures.extend(own);
        }
        let measured = figures.clone();
        if self.record {
            figures = self.with_records(figures)?;
        }
        let report = format!("{:#}\n", json!(figures));
        for folder in [Some(&self.out), self.record.then_some(&self.on_record)].iter().flatten() {
            write(folder, "report.json", &report)?;
            for (name, chart) in bench::charts(&figures) {
                write(folder, name, &chart)?;
            }
        }
        write(&self.out, "figures.md", &bench::markdown(&figures))?;
        if common.json {
            print::json(&json!(figures));
        } else {
            say!("\n{DIM}{}: report.json, figures.md, two charts{RESET}", self.out.display());
        }
        if self.record { Ok(()) } else { compare(&measured, &known, common) }
    }

    /// Runs one benchmark, and prints its table.
    fn run_one(&self, name: &str, common: &Common) -> Result<Vec<Figure>, Failure> {
        let arguments = ["--profile", &self.profile, "--bench", name, "--", "--json"];
        let output = cargo(&[&BENCH[..], &arguments].concat())?;
        let figures: Vec<Figure> = serde_json::from_slice(&output).map_err(|error| {
            Failure::Failed(format!("the benchmark {name} wrote no figures: {error}"))
        })?;
        if !common.json {
            anstream::print!("{}", bench::table(&figures));
        }
        Ok(figures)
    }

    /// Returns the recorded figures, in which measured groups replace recorded groups.
    fn with_records(&self, measured: Vec<Figure>) -> Result<Vec<Figure>, Failure> {
        let mut all: Vec<Figure> = read(&self.on_record, "report.json")?;
        for group in measured.chunk_by(|one, next| one.group == next.group) {
            let Some(first) = group.first() else { continue };
            let of_group = |figure: &Figure| figure.group == first.group;
            let index = all.iter().position(of_group).unwrap_or(all.len());
            all.retain(|figure| !of_group(figure));
            let index = index.min(all.len());
            all.splice(index..index, group.iter().cloned());
        }
        Ok(all)
    }

    fn count(&self, common: &Common) -> Result<(), Failure> {
        let program = build(&self.profile)?;
        let mut counted = BTreeMap::new();
        for (mode, calls) in MODES {
            // The first run compiles for valgrind's processor and fills caches.
            instructions(&program, mode, 1)?;
            let once = instructions(&program, mode, calls)?;
            let twice = instructions(&program, mode, calls.saturating_mul(2))?;
            counted.insert(mode, twice.saturating_sub(once) / u64::from(calls));
        }
        if self.record {
            write(&self.on_record, "counts.json", &format!("{:#}\n", json!(counted)))?;
        }
        let known: BTreeMap<String, u64> = read(&self.on_record, "counts.json")?;
        let mut more = false;
        let mut report = Vec::new();
        for (mode, counted) in counted {
            let known = known.get(mode).copied().unwrap_or(0);
            let ratio = counted as f64 / known as f64;
            // A missing record counts as a regression.
            let is_more = known == 0 || ratio > COUNTS_TOLERANCE;
            more |= is_more;
            report.push(json!({
                "mode": mode, "instructions": counted, "on-record": known, "ratio": ratio,
            }));
            if !common.json {
                let mark = show::mark(!is_more);
                say!(
                    "{mark} {mode:<14}{counted:>12} instructions a call, {ratio:.3} x the recorded count"
                );
            }
        }
        if common.json {
            print::json(&Value::from(report));
        }
        if !more {
            return Ok(());
        }
        if !common.json {
            say!("if the change is intended, record it: cargo verify bench --counts --record");
        }
        Err(Failure::Reported(Exit::Failed))
    }
}

/// Returns the recorded ratio of a figure that has regressed. `Some(None)` means that no ratio is
/// recorded. This counts as a regression, because a new name must not hide a regression.
fn regressed(figure: &Figure, known: &[Figure]) -> Option<Option<f64>> {
    if figure.is_percentile() {
        return None;
    }
    match known.iter().find(|known| figure.is_of(known)) {
        None => Some(None),
        Some(known) if figure.worse_than(known) > RATIO_TOLERANCE => Some(Some(known.ratio[0])),
        Some(_) => None,
    }
}

/// Compares each ratio with the recorded ratio.
fn compare(figures: &[Figure], known: &[Figure], common: &Common) -> Result<(), Failure> {
    let mut is_worse = false;
    for figure in figures {
        let Some(then) = regressed(figure, known) else { continue };
        is_worse = true;
        let then = then.map(|ratio| format!("recorded {ratio:.2} x"));
        complain!(
            "{RED}✗{RESET} {}: {}: {}: {:.2} x, {}",
            figure.group,
            figure.measure,
            figure.name,
            figure.ratio[0],
            then.as_deref().unwrap_or("not recorded")
        );
    }
    if is_worse {
        complain!("if the change is intended, record it: cargo verify bench NAME --record");
        return Err(Failure::Reported(Exit::Failed));
    }
    if !common.json {
        let compared = figures.iter().filter(|figure| !figure.is_percentile()).count();
        say!(
            "{GREEN}✓{RESET} {compared} ratios, each at most {RATIO_TOLERANCE} x as bad as recorded"
        );
    }
    Ok(())
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), Failure> {
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(folder.join(name), text));
    written.map_err(|error| Failure::Failed(format!("{}: {error}", folder.join(name).display())))
}

fn read<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<T, Failure> {
    let file = folder.join(name);
    let text = fs::read_to_string(&file).map_err(|error| error.to_string());
    text.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()))
        .map_err(|error| Failure::Usage(format!("{}: {error}", file.display())))
}

/// Runs cargo, and returns its standard output.
fn cargo(arguments: &[&str]) -> Result<Vec<u8>, Failure> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(program).args(arguments).stderr(Stdio::inherit()).output();
    let output =
        output.map_err(|error| Failure::Failed(format!("cargo could not be started: {error}")))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(Failure::Failed(format!("cargo {} failed", arguments.join(" "))))
    }
}

/// Builds the program whose instructions are counted.
fn build(profile: &str) -> Result<String, Failure> {
    let arguments = ["--profile", profile, "--bench", "counts", "--no-run"];
    let output = cargo(&[&BENCH[..], &arguments, &["--message-format", "json"]].concat())?;
    let mut programs = output.split(|byte| *byte == b'\n').filter_map(|line| {
        let message: Value = serde_json::from_slice(line).ok()?;
        let is_it = message.pointer("/target/name")? == "counts";
        message.get("executable")?.as_str().filter(|_| is_it).map(ToString::to_string)
    });
    programs
        .next_back()
        .ok_or_else(|| Failure::Failed("cargo did not name the built program".into()))
}

/// Counts the instructions of a complete process.
fn instructions(program: &str, mode: &str, calls: u32) -> Result<u64, Failure> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", program, mode])
        .arg(calls.to_string())
        .output()
        .map_err(|error| {
            Failure::Failed(format!("valgrind could not be started; is it installed? {error}"))
        })?;
    let log = String::from_utf8_lossy(&output.stderr);
    let total = log.lines().find_map(|line| line.split_once("Collected : "));
    let total = total.and_then(|(_, total)| total.trim().parse().ok());
    total
        .filter(|_| output.status.success())
        .ok_or_else(|| Failure::Failed(format!("{mode} could not be counted:\n{log}")))
}
