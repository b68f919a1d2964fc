//! `bench`: the benchmarks in one run, as figures and a chart; and instruction counts
//! against those on record.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use host_test::bench::{self, Figure};
use serde_json::{Value, json};

use super::show::{DIM, GREEN, RED, RESET};
use super::{Common, Failure, calls};

/// What is measured, each a benchmark of this crate.
const BENCHES: [&str; 4] = ["calls", "instances", "store", "concurrent"];

/// What instructions are counted of, and how many calls it takes.
const WAYS: [(&str, u32); 5] = [
    ("native-event", 2_000),
    ("native-send", 2_000),
    ("warm-event", 500),
    ("warm-send", 100),
    ("fresh-send", 50),
];

/// How many more instructions than on record are too many. Hash tables are seeded anew in
/// each process, which makes a difference of about one in a hundred.
const TOLERANCE: f64 = 1.05;

/// Run the benchmarks of this repository, and draw them.
///
/// It runs `cargo bench`, so it wants the repository as the current folder and a quiet
/// machine. With --counts it counts instructions under valgrind instead, which a busy
/// machine does not change, and compares them with those on record.
#[derive(Args)]
pub struct Bench {
    /// Only these: calls, instances, store, concurrent
    #[arg(value_name = "NAME", value_parser = BENCHES)]
    names: Vec<String>,
    /// Where report.json and chart.svg are written
    #[arg(long, value_name = "FOLDER", default_value = "target/bench")]
    out: PathBuf,
    /// Count instructions, and fail where they are many more than on record
    #[arg(long, conflicts_with_all = ["names", "out"])]
    counts: bool,
    /// Put what is counted on record
    #[arg(long, requires = "counts")]
    record: bool,
    /// The record
    #[arg(long, value_name = "FILE", default_value = "host-test/benches/counts.json")]
    on_record: PathBuf,
}

impl Bench {
    pub fn run(self, common: &Common) -> Result<(), Failure> {
        if !Path::new("host-test/Cargo.toml").exists() {
            let reason = "the benchmarks are in the repository: run this in its root";
            return Err(Failure::Usage(reason.into()));
        }
        if self.counts { self.count(common) } else { self.measure(common) }
    }

    fn measure(&self, common: &Common) -> Result<(), Failure> {
        let all = BENCHES.map(String::from);
        let names = if self.names.is_empty() { &all[..] } else { &self.names };
        let mut figures: Vec<Figure> = Vec::new();
        for name in names {
            let output = cargo(&["bench", "--locked", "--bench", name, "--", "--json"])?;
            let own: Vec<Figure> = serde_json::from_slice(&output).map_err(|error| {
                Failure::Failed(format!("the benchmark {name} wrote no figures: {error}"))
            })?;
            if !common.json {
                anstream::print!("{}", bench::table(&own));
            }
            figures.extend(own);
        }
        let report = json!(figures);
        let written = fs::create_dir_all(&self.out)
            .and_then(|()| fs::write(self.out.join("report.json"), format!("{report:#}\n")))
            .and_then(|()| fs::write(self.out.join("chart.svg"), bench::chart(&figures)));
        written.map_err(|error| Failure::Failed(format!("{}: {error}", self.out.display())))?;
        if common.json {
            calls::print_json(&report);
        } else {
            anstream::println!("\n{DIM}{}: report.json, chart.svg{RESET}", self.out.display());
        }
        Ok(())
    }

    fn count(&self, common: &Common) -> Result<(), Failure> {
        let program = build()?;
        let mut counted = BTreeMap::new();
        for (way, calls) in WAYS {
            // Compiles for valgrind's processor, and warms what is warmed once.
            instructions(&program, way, 1)?;
            let once = instructions(&program, way, calls)?;
            let twice = instructions(&program, way, calls.saturating_mul(2))?;
            counted.insert(way, twice.saturating_sub(once) / u64::from(calls));
        }
        if self.record {
            let text = format!("{:#}\n", json!(counted));
            fs::write(&self.on_record, text).map_err(|error| {
                Failure::Failed(format!("{}: {error}", self.on_record.display()))
            })?;
        }
        let text = fs::read_to_string(&self.on_record)
            .map_err(|error| Failure::Usage(format!("{}: {error}", self.on_record.display())))?;
        let known: BTreeMap<String, u64> = serde_json::from_str(&text)
            .map_err(|error| Failure::Usage(format!("{}: {error}", self.on_record.display())))?;
        let mut more = false;
        let mut report = Vec::new();
        for (way, counted) in counted {
            let known = known.get(way).copied().unwrap_or(0);
            let ratio = counted as f64 / known as f64;
            // What is not on record is no less than it.
            let is_more = known == 0 || ratio > TOLERANCE;
            more |= is_more;
            report.push(json!({
                "way": way, "instructions": counted, "on-record": known, "ratio": ratio,
            }));
            if !common.json {
                let mark =
                    if is_more { format!("{RED}✗{RESET}") } else { format!("{GREEN}✓{RESET}") };
                anstream::println!(
                    "{mark} {way:<14}{counted:>12} instructions a call, {ratio:.3} of those on record"
                );
            }
        }
        if common.json {
            calls::print_json(&Value::from(report));
        }
        if !more {
            return Ok(());
        }
        if !common.json {
            anstream::println!("where that is meant: host-test bench --counts --record");
        }
        Err(Failure::Reported)
    }
}

/// What cargo prints.
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

/// The program to count, in the profile of the tests: it is built already.
fn build() -> Result<String, Failure> {
    let output = cargo(&[
        "bench",
        "--locked",
        "--profile",
        "dev",
        "--bench",
        "counts",
        "--no-run",
        "--message-format",
        "json",
    ])?;
    let mut programs = output.split(|byte| *byte == b'\n').filter_map(|line| {
        let message: Value = serde_json::from_slice(line).ok()?;
        let is_it = message.pointer("/target/name")? == "counts";
        message.get("executable")?.as_str().filter(|_| is_it).map(ToString::to_string)
    });
    programs.next_back().ok_or_else(|| Failure::Failed("cargo named no program to count".into()))
}

/// What a process executes, from its start to its end.
fn instructions(program: &str, way: &str, calls: u32) -> Result<u64, Failure> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", program, way])
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
        .ok_or_else(|| Failure::Failed(format!("{way} could not be counted:\n{log}")))
}
