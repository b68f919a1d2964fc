//! Message templates, and the question for them.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::error::InvalidInput;

/// A message template (section 2.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Not unique: one name in several languages is usual.
    pub name: String,
    /// As the service wrote it.
    pub status: String,
    /// As the service wrote it.
    pub language: String,
    /// The whole object as it was received.
    pub json: String,
}

impl Template {
    /// The digest of what tells templates apart: name and language. FNV-1a.
    pub(crate) fn digest(&self) -> u64 {
        let separated = self.name.bytes().chain([0xff]).chain(self.language.bytes());
        separated.fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
            (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }
}

/// A caller's query, unchecked: the WIT's `template-query`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateQuery {
    /// Only templates with this status.
    pub status: Option<String>,
    /// Further query parameters: names and values.
    pub parameters: Vec<(String, String)>,
    /// The name of the page parameter.
    pub every_page: Option<String>,
}

/// A checked query for templates (section 4.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query(TemplateQuery);

impl Query {
    /// Checks the caller's values.
    ///
    /// # Errors
    /// A parameter without a name, or one that is given twice over: by `status`
    /// or `every-page` and again by `parameters`.
    pub fn new(query: TemplateQuery) -> Result<Self, InvalidInput> {
        let TemplateQuery { status, parameters, every_page } = &query;
        for (index, (name, _)) in parameters.iter().enumerate() {
            let wrong = |detail: &'static str| {
                let field = ["parameters[", &index.to_string(), "].name"].concat();
                Err(InvalidInput::new(field, detail))
            };
            if name.is_empty() {
                return wrong("is empty");
            }
            if status.is_some() && name == "status" {
                return wrong("is `status`, which the query gives as well");
            }
            if every_page.as_ref() == Some(name) {
                return wrong("is the parameter that every-page names");
            }
        }
        match every_page.as_deref() {
            Some("") => {
                return Err(InvalidInput::new(
                    "every-page",
                    "is empty; leave it out to read one page",
                ));
            }
            Some("status") => {
                return Err(InvalidInput::new(
                    "every-page",
                    "is `status`, which filters (section 4.2)",
                ));
            }
            _ => {}
        }
        Ok(Self(query))
    }

    /// The query parameters of the request for `page`. The first page is asked
    /// for without a page parameter: it is what the service gives by itself.
    pub fn parameters(&self, page: u32) -> impl Iterator<Item = (&str, String)> {
        let TemplateQuery { status, parameters, every_page } = &self.0;
        let status = status.iter().map(|status| ("status", status.clone()));
        let further = parameters.iter().map(|(name, value)| (name.as_str(), value.clone()));
        let page = every_page
            .iter()
            .filter(move |_| page > 0)
            .map(move |name| (name.as_str(), page.to_string()));
        status.chain(further).chain(page)
    }

    /// Whether pages are followed.
    #[must_use]
    pub fn follows_pages(&self) -> bool {
        self.0.every_page.is_some()
    }
}

/// One reply of the service (section 2.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// Templates on this page.
    pub data: Vec<Template>,
    /// Number of matching templates.
    pub total: u32,
    /// Page index; the first page is 0.
    pub page: u32,
    /// Number of items on this page.
    pub size: u32,
}

/// Templates, and whether they are all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplatePage {
    /// In the service's order.
    pub templates: Vec<Template>,
    /// As the last reply says.
    pub total: u32,
    /// Index of the first page held.
    pub page: u32,
    /// Number of items on the last page read, as its reply says.
    pub size: u32,
    /// Reason why the list is not complete; `None` when it is.
    pub incomplete: Option<Incomplete>,
}

/// Reason why a listing may have fewer templates than the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// There are further pages, and they were not to be followed.
    PagesNotFollowed,
    /// The service answered with another page than the one asked for.
    PageParameterIgnored,
    /// A template was listed more than once.
    PageRepeated,
    /// A page was empty before the total was reached.
    PageEmpty,
    /// The total changed between two pages, or is less than what is held.
    TotalChanged,
    /// [`crate::limits::MAX_PAGES`] or [`crate::limits::MAX_LISTING_BYTES`].
    CapReached,
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn query(
        status: Option<&str>,
        names: &[&str],
        every_page: Option<&str>,
    ) -> Result<Query, InvalidInput> {
        let parameters = names.iter().map(|name| ((*name).into(), "x".into())).collect();
        let (status, every_page) = (status.map(String::from), every_page.map(String::from));
        Query::new(TemplateQuery { status, parameters, every_page })
    }

    #[test]
    fn a_parameter_is_named_and_given_once() {
        for (status, names, every_page, field, detail) in [
            (None, vec!["a", ""], None, "parameters[1].name", "empty"),
            (Some("approved"), vec!["status"], None, "parameters[0].name", "`status`"),
            (None, vec!["a", "b", "page"], Some("page"), "parameters[2].name", "every-page"),
            (None, vec![], Some(""), "every-page", "empty"),
            (None, vec![], Some("status"), "every-page", "filters"),
        ] {
            let wrong = query(status, &names, every_page).unwrap_err();
            assert_eq!(wrong.field, field);
            assert!(wrong.detail.contains(detail), "{field}: {}", wrong.detail);
        }
    }

    #[test]
    fn other_parameters_are_passed_on_even_twice() {
        let query = query(None, &["status", "a", "a"], Some("page")).unwrap();
        let names = |page| query.parameters(page).map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names(0), ["status", "a", "a"]);
        assert_eq!(names(1), ["status", "a", "a", "page"]);
    }
}
