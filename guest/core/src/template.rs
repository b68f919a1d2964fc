//! Message templates and queries for them.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::error::InvalidInput;

/// A message template (section 2.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The template's name. Not unique: a template often exists in several languages.
    pub name: String,
    /// The template's status, as the service writes it.
    pub status: String,
    /// The template's language, as the service writes it.
    pub language: String,
    /// The JSON object of the template, as received.
    pub json: String,
}

impl Template {
    /// Returns the FNV-1a digest of name and language, which together identify a template.
    pub(crate) fn digest(&self) -> u64 {
        let separated = self.name.bytes().chain([0xff]).chain(self.language.bytes());
        separated.fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
            (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }
}

/// A query from the caller, not validated: the WIT's `template-query`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateQuery {
    /// The required status; `None` for templates with any status.
    pub status: Option<String>,
    /// Names and values of further query parameters.
    pub parameters: Vec<(String, String)>,
    /// The name of the page parameter; `None` to read only the first page.
    pub every_page: Option<String>,
}

/// A valid query for templates (section 4.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query(TemplateQuery);

impl Query {
    /// Validates the caller's values.
    ///
    /// # Errors
    /// Returns `InvalidInput` if a parameter has no name, or if `parameters` repeats `status` or
    /// the page parameter. Returns `InvalidInput` if `every_page` is empty or equals `status`.
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
                return wrong("repeats the `status` of the query");
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
                    "is `status`, which filters the list (section 4.2)",
                ));
            }
            _ => {}
        }
        Ok(Self(query))
    }

    /// Returns the query parameters of the request for `page`. The request for the first page has
    /// no page parameter, because the service returns that page by default.
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

    /// Returns true if the listing reads more than one page.
    pub fn follows_pages(&self) -> bool {
        self.0.every_page.is_some()
    }
}

/// A reply with templates (section 2.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// The templates on this page.
    pub data: Vec<Template>,
    /// The number of matching templates.
    pub total: u32,
    /// Page index; the first page is 0.
    pub page: u32,
    /// The number of templates on this page.
    pub size: u32,
}

/// The result of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplatePage {
    /// Templates in the service's order.
    pub templates: Vec<Template>,
    /// The number of matching templates, from the last reply.
    pub total: u32,
    /// The index of the first page read.
    pub page: u32,
    /// The member `size` of the last reply: the number of templates on that page.
    pub size: u32,
    /// Reason why the list may be incomplete; `None` if it is complete.
    pub incomplete: Option<Incomplete>,
}

/// Reason why a listing may have fewer templates than the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// More pages exist, but the query did not request them.
    PagesNotFollowed,
    /// The page number in a reply differs from the requested page.
    PageParameterIgnored,
    /// A template occurred more than once.
    PageRepeated,
    /// A page was empty before the listing reached the total.
    PageEmpty,
    /// The total changed between two pages, or is less than the number of templates read.
    TotalChanged,
    /// The listing reached [`crate::limits::MAX_PAGES`] or [`crate::limits::MAX_LISTING_BYTES`].
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
    fn parameter_is_named_and_given_once() {
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
