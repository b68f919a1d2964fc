//! Reports of results: JSON, JUnit XML for build servers, and a table that compares hosts.

use std::fmt::Write;
use std::io;

use quick_xml::Writer;
use quick_xml::events::BytesText;
use serde::{Deserialize, Serialize};

use super::case::Case;

/// The verdicts of one host.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Name of the host, for example `Node 20, jco 1.35`.
    pub host: String,
    /// Verdicts, one per case.
    pub cases: Vec<Verdict>,
}

/// The verdict on one case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// Name of the case.
    pub name: String,
    /// Family of the case.
    pub family: String,
    /// Result of the case.
    pub result: Outcome,
    /// Failed expectations.
    pub problems: Vec<String>,
}

/// The result of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The case holds.
    Passed,
    /// The outcome is safe, but less helpful than expected, because the host cannot tell what
    /// happened.
    Weaker,
    /// The case does not hold.
    Failed,
}

impl Verdict {
    pub(super) fn new(case: &Case, problems: Vec<String>, weaker: bool) -> Self {
        let result = match (problems.is_empty(), weaker) {
            (false, _) => Outcome::Failed,
            (true, true) => Outcome::Weaker,
            (true, false) => Outcome::Passed,
        };
        Self { name: case.name.clone(), family: case.family.clone(), result, problems }
    }

    /// Returns true unless the case failed.
    pub fn passed(&self) -> bool {
        self.result != Outcome::Failed
    }
}

impl Report {
    /// Counts the cases with this result.
    pub fn count(&self, result: Outcome) -> usize {
        self.cases.iter().filter(|case| case.result == result).count()
    }

    /// Writes the report as JUnit XML, with one test suite per family.
    ///
    /// # Errors
    /// Returns an error if `output` cannot be written.
    pub fn junit(&self, output: impl io::Write) -> io::Result<()> {
        let mut xml = Writer::new_with_indent(output, b' ', 2);
        let name = format!("messaging:integration/messaging in {}", self.host);
        xml.create_element("testsuites")
            .with_attributes([("name", name.as_str())])
            .write_inner_content(|xml| {
                for cases in self.cases.chunk_by(|one, next| one.family == next.family) {
                    suite(xml, cases)?;
                }
                Ok(())
            })?;
        Ok(())
    }

    fn result_of(&self, name: &str) -> Option<Outcome> {
        self.cases.iter().find(|case| case.name == name).map(|case| case.result)
    }
}

fn suite<W: io::Write>(xml: &mut Writer<W>, cases: &[Verdict]) -> io::Result<()> {
    let family = cases.first().map_or("", |case| case.family.as_str());
    let failed = cases.iter().filter(|case| !case.passed()).count().to_string();
    let count = cases.len().to_string();
    xml.create_element("testsuite")
        .with_attributes([("name", family), ("tests", &count), ("failures", &failed)])
        .write_inner_content(|xml| {
            for case in cases {
                let element = xml
                    .create_element("testcase")
                    .with_attributes([("classname", family), ("name", &case.name)]);
                if case.passed() {
                    element.write_empty()?;
                    continue;
                }
                element.write_inner_content(|xml| {
                    let problems = case.problems.join("\n");
                    xml.create_element("failure")
                        .with_attributes([("message", "the case failed")])
                        .write_text_content(BytesText::new(&problems))?;
                    Ok(())
                })?;
            }
            Ok(())
        })?;
    Ok(())
}

/// Returns a Markdown table with a row for each family (file of cases), in the order of the suite,
/// and a column for each host.
pub fn table(cases: &[Case], reports: &[Report]) -> String {
    let mut text = String::from("| family |");
    for report in reports {
        let _ = write!(text, " {} |", report.host);
    }
    let _ = write!(text, "\n|---|{}", "---|".repeat(reports.len()));
    for family in cases.chunk_by(|one, next| one.family == next.family) {
        row(&mut text, family, reports);
    }
    let _ = write!(text, "\n| **all {}** |", cases.len());
    for report in reports {
        let kept = report.count(Outcome::Passed);
        let _ = match report.count(Outcome::Weaker) {
            0 => write!(text, " {kept} |"),
            weaker => write!(text, " {kept}, {weaker} weaker |"),
        };
    }
    text.push('\n');
    text
}

/// Writes the row of a family.
fn row(text: &mut String, cases: &[Case], reports: &[Report]) {
    let name = cases.first().map_or("", |case| case.family.as_str());
    let _ = write!(text, "\n| {name} ({}) |", cases.len());
    for report in reports {
        let results: Vec<_> = cases.iter().map(|case| report.result_of(&case.name)).collect();
        let count = |result| results.iter().filter(|found| **found == result).count();
        let missing = count(None);
        let failed = count(Some(Outcome::Failed));
        let weaker = count(Some(Outcome::Weaker));
        let all = results.len();
        let cell = match (missing, failed, weaker) {
            (0, 0, 0) => "✓".to_string(),
            (0, 0, _) if weaker == all => "weaker".into(),
            (0, 0, _) => format!("✓, {weaker} weaker"),
            (_, 1.., _) => format!("**✗ {failed} of {all}**"),
            (_, _, _) if missing == all => "not run".into(),
            (_, _, _) => format!("✓, {missing} not run"),
        };
        let _ = write!(text, " {cell} |");
    }
}

/// Returns the name of a case without its variant.
pub fn base(name: &str) -> &str {
    name.split_once('.').map_or(name, |(base, _)| base)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(case: &Case, result: Outcome) -> Verdict {
        let problems = match result {
            Outcome::Failed => vec!["<bad> & \"worse\"".to_string()],
            _ => vec![],
        };
        Verdict { name: case.name.clone(), family: case.family.clone(), result, problems }
    }

    fn report(host: &str, result: Outcome) -> Report {
        let cases = Case::all().unwrap();
        Report {
            host: host.into(),
            cases: cases.iter().map(|case| verdict(case, result)).collect(),
        }
    }

    #[test]
    fn junit_counts_and_escapes() {
        let mut report = report("a host", Outcome::Passed);
        report.cases[0].result = Outcome::Failed;
        report.cases[0].problems = vec!["<bad> & \"worse\"".into()];
        let mut xml = Vec::new();
        report.junit(&mut xml).unwrap();
        let xml = String::from_utf8(xml).unwrap();
        assert_eq!(xml.matches("<testcase").count(), report.cases.len());
        assert_eq!(xml.matches("<failure").count(), 1);
        assert!(xml.contains("&lt;bad&gt; &amp;"), "{xml}");
        assert!(xml.contains("failures=\"1\""));
    }

    #[test]
    fn table_shows_failed_and_skipped() {
        let cases = Case::all().unwrap();
        let mut missing = report("C", Outcome::Passed);
        missing.cases.clear();
        let reports = [report("A", Outcome::Passed), report("B", Outcome::Failed), missing];
        let table = table(cases, &reports);
        assert!(table.starts_with("| family | A | B | C |\n|---|---|---|---|\n"), "{table}");
        assert!(table.contains("| sending (45) | ✓ | **✗ 45 of 45** | not run |"), "{table}");
        assert!(table.contains(&format!("| **all {}** | {} | 0 | 0 |", cases.len(), cases.len())));
    }
}
