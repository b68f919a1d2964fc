//! `list-templates` as a state machine.
//!
//! All pages share one budget of retries. No request starts after the deadline.
//!
//! Name and language identify a template. A list with a duplicate is never complete: if pages
//! overlap or repeat, other templates are missing. Comparing the complete JSON would miss a
//! duplicate whose status changes between two pages.
//!
//! ```text
//!          +------- Sleep <- temporary failure, and budget left
//!          v                             ^
//! Start -> Send -- Replied/Failed -------+---> Done
//!          ^              |
//!          +-- next page <+   (only if the page parameter is known)
//! ```

use alloc::borrow::Cow;
use alloc::collections::BinaryHeap;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::error::{Error, InvalidInput, RateLimit, Stage, Unavailable, UnexpectedReply};
use crate::limits::{MAX_LISTING_BYTES, MAX_PAGES, TEMPLATE_BYTES};
use crate::machine::{Input, Machine, Step};
use crate::outcome::{Cause, Failure, Proof, ReadStatus, WITHHELD, judge_read_status};
use crate::retry::Budget;
use crate::settings::Settings;
use crate::template::{Envelope, Incomplete, Query, Template, TemplatePage};
use crate::wire::refusal::read_refusal;
use crate::wire::reply::read_envelope;
use crate::wire::retry_after::retry_after_ms;
use crate::wire::{Reply, Request};

/// A call of `list-templates`.
#[derive(Debug)]
pub struct ListTemplates {
    settings: Settings,
    query: Query,
    budget: Budget,
    request: Request,
    /// True if the last step was [`Step::Send`].
    in_flight: bool,
    pages: Pages,
}

/// The contents of all pages read.
#[derive(Debug, Default)]
struct Pages {
    templates: Vec<Template>,
    bytes: usize,
    /// The number of pages read. The next page has this number, because page numbers start at 0.
    read: u32,
    /// The digest of each page: the sum of the digests of its templates. The sum does not depend on
    /// the order of the templates. If two different pages have equal digests, a complete list is
    /// reported as incomplete.
    digests: Vec<u64>,
    said: Option<Said>,
}

/// Page numbers and totals from the replies.
#[derive(Clone, Copy, Debug)]
struct Said {
    /// The page number in the first reply.
    page: u32,
    /// The member `size` of the last reply.
    size: u32,
    /// The member `total` of the last reply.
    total: u32,
}

impl ListTemplates {
    /// Creates a call that lists the templates that match `query`. `seed` randomizes the delays
    /// between attempts.
    ///
    /// # Errors
    /// Returns `InvalidInput` if path and query together are longer than 8,000 bytes.
    pub fn new(settings: &Settings, query: Query, seed: u64) -> Result<Self, InvalidInput> {
        // Also checks the length with the longest page number, because invalid input cannot be
        // reported after a request.
        Request::list_templates(settings, &query, MAX_PAGES)?;
        Ok(Self {
            request: Request::list_templates(settings, &query, 0)?,
            budget: Budget::new(settings.max_attempts, settings.deadline_ms, seed),
            settings: settings.clone(),
            query,
            in_flight: false,
            pages: Pages::default(),
        })
    }

    fn replied(&mut self, reply: &Reply, elapsed_ms: u64) -> Step<'_, <Self as Machine>::Output> {
        let key = &self.settings.key;
        let unexpected = |path, detail| {
            Error::UnexpectedReply(UnexpectedReply { status: reply.status, path, detail })
        };
        let hint = || retry_after_ms(&reply.retry_after, reply.date.as_deref());
        let error = match judge_read_status(reply.status) {
            // Checked before the completeness of the body, because a host may withhold an encoded
            // body.
            ReadStatus::Read if reply.is_encoded() => {
                unexpected("$".into(), "has a content encoding, which was not requested".into())
            }
            ReadStatus::Read => match &reply.body.cut_short {
                // A retry can return the complete body.
                Some(cause) if !matches!(cause, Cause::TooLarge | Cause::Code(WITHHELD)) => {
                    let detail = cause.detail(Stage::ReadingReply);
                    let status = Some(reply.status);
                    return self.again(elapsed_ms, None, unavailable(detail, status, None));
                }
                Some(cause) => unexpected("$".into(), cause.detail(Stage::ReadingReply)),
                None => match read_envelope(&reply.body.bytes, key) {
                    Ok(envelope) => return self.page(envelope, elapsed_ms),
                    Err(error) => unexpected(error.path, error.cause.reason().into()),
                },
            },
            ReadStatus::Unauthorized => Error::Unauthorized(read_refusal(reply, key)),
            ReadStatus::Refused => Error::Refused(read_refusal(reply, key)),
            ReadStatus::RateLimited => {
                let (hint, refusal) = (hint(), read_refusal(reply, key));
                let error = Error::RateLimited(RateLimit { retry_after_ms: hint, refusal });
                return self.again(elapsed_ms, hint, error);
            }
            ReadStatus::Passing => {
                let hint = hint();
                return self.again(elapsed_ms, hint, answered(reply.status, hint));
            }
            ReadStatus::Failing => answered(reply.status, hint()),
            ReadStatus::Unexpected => unexpected(
                "$".into(),
                "only status 200 is a template list; redirects are not followed".into(),
            ),
        };
        Step::Done(Err(error))
    }

    fn failed(
        &mut self,
        failure: &Failure,
        elapsed_ms: u64,
    ) -> Step<'_, <Self as Machine>::Output> {
        let detail = failure.detail();
        if failure.proof() == Proof::Denied {
            return Step::Done(Err(Error::Denied(detail.into_owned())));
        }
        self.again(elapsed_ms, None, unavailable(detail, None, None))
    }

    /// Waits before the next attempt. Returns `error` if attempts or time are used up.
    fn again(
        &mut self,
        elapsed_ms: u64,
        hint: Option<u32>,
        error: Error,
    ) -> Step<'_, <Self as Machine>::Output> {
        match self.budget.pause(elapsed_ms, hint, error) {
            Ok(pause) => Step::Sleep(pause),
            Err(error) => Step::Done(Err(error)),
        }
    }

    /// Sends the request if the deadline permits.
    fn send(&mut self, elapsed_ms: u64) -> Step<'_, <Self as Machine>::Output> {
        match self.budget.begin(elapsed_ms, |late| unavailable(late.into(), None, None)) {
            Ok(()) => {
                self.in_flight = true;
                Step::Send(&self.request)
            }
            Err(error) => Step::Done(Err(error)),
        }
    }

    fn page(&mut self, envelope: Envelope, elapsed_ms: u64) -> Step<'_, <Self as Machine>::Output> {
        let follow = self.query.follows_pages();
        if let Some(end) = self.pages.add(envelope, follow) {
            return Step::Done(Ok(core::mem::take(&mut self.pages).close(end)));
        }
        match Request::list_templates(&self.settings, &self.query, self.pages.read) {
            Ok(request) => {
                self.request = request;
                self.send(elapsed_ms)
            }
            Err(invalid) => Step::Done(Err(invalid.into())),
        }
    }
}

fn unavailable(
    detail: Cow<'static, str>,
    status: Option<u16>,
    retry_after_ms: Option<u32>,
) -> Error {
    Error::Unavailable(Unavailable { detail, status, retry_after_ms })
}

/// Returns the error for a status that reports a temporary failure.
fn answered(status: u16, hint: Option<u32>) -> Error {
    let detail = ["the service answered with status ", &status.to_string()].concat();
    unavailable(detail.into(), Some(status), hint)
}

/// The reason for the end of a listing.
enum End {
    /// Every matching template was read.
    Complete,
    /// Templates may be missing.
    Incomplete(Incomplete),
}

impl Pages {
    /// Adds the templates of a page. Returns `None` if the next page must be requested.
    fn add(&mut self, envelope: Envelope, follow: bool) -> Option<End> {
        let Envelope { data, total, page, size } = envelope;
        let before = *self.said.get_or_insert(Said { page, size, total });
        self.said = Some(Said { page: before.page, size, total });
        let further = self.read > 0;
        // The first request has no page number, so its reply may have any number. Later replies
        // must have the requested number.
        if further && page != self.read {
            return Some(End::Incomplete(Incomplete::PageParameterIgnored));
        }
        let empty = data.is_empty();
        let digest = data.iter().map(Template::digest).fold(0, u64::wrapping_add);
        if !empty && self.digests.contains(&digest) {
            return Some(End::Incomplete(Incomplete::PageRepeated));
        }
        self.digests.push(digest);
        let changed = total != before.total;
        self.bytes = data.iter().fold(self.bytes, |sum, template| {
            let texts = [&template.name, &template.status, &template.language, &template.json];
            texts
                .into_iter()
                .fold(sum, |sum, text| sum.saturating_add(text.len()))
                .saturating_add(TEMPLATE_BYTES)
        });
        self.templates.extend(data);
        self.read = self.read.saturating_add(1);

        let (held, counted) = (self.templates.len(), usize::try_from(total).unwrap_or(usize::MAX));
        let missing = held < counted || before.page != 0;
        let end = if changed {
            End::Incomplete(Incomplete::TotalChanged)
        } else if !missing && self.holds_one_twice() {
            End::Incomplete(Incomplete::PageRepeated)
        } else if !missing && held > counted {
            // The total is too low, so more templates may be missing.
            End::Incomplete(Incomplete::TotalChanged)
        } else if !missing {
            End::Complete
        } else if !follow {
            End::Incomplete(Incomplete::PagesNotFollowed)
        } else if before.page != 0 {
            End::Incomplete(Incomplete::PageParameterIgnored)
        } else if empty {
            End::Incomplete(Incomplete::PageEmpty)
        } else if self.read >= MAX_PAGES || self.bytes >= MAX_LISTING_BYTES {
            End::Incomplete(Incomplete::CapReached)
        } else {
            return None;
        };
        Some(end)
    }

    fn holds_one_twice(&self) -> bool {
        let digests: BinaryHeap<_> = self.templates.iter().map(Template::digest).collect();
        digests.into_sorted_vec().array_windows().any(|[one, next]| one == next)
    }

    fn close(self, end: End) -> TemplatePage {
        let Said { page, size, total } = self.said.unwrap_or(Said { page: 0, size: 0, total: 0 });
        TemplatePage {
            templates: self.templates,
            total,
            page,
            size,
            incomplete: match end {
                End::Complete => None,
                End::Incomplete(reason) => Some(reason),
            },
        }
    }
}

impl Machine for ListTemplates {
    type Output = Result<TemplatePage, Error>;

    fn next(&mut self, input: Input, elapsed_ms: u64) -> Step<'_, Self::Output> {
        match (core::mem::take(&mut self.in_flight), input) {
            (false, Input::Start | Input::Woke) => self.send(elapsed_ms),
            (true, Input::Replied(reply)) => self.replied(&reply, elapsed_ms),
            (true, Input::Failed(failure)) => self.failed(&failure, elapsed_ms),
            _ => {
                let detail = "the input does not match the last step";
                Step::Done(Err(unavailable(detail.into(), None, None)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;
    use alloc::vec;

    #[test]
    fn too_large_listing_ends_at_cap() {
        let mut pages = Pages::default();
        for page in 0..16 {
            // Each page has 1 MiB, including the estimated memory of a template.
            let json = format!("{page:02}").repeat((1024 * 1024 - 128) / 2);
            let (status, language) = (String::new(), String::new());
            let name = format!("{page}");
            let data = vec![Template { name, status, language, json }];
            let end = pages.add(Envelope { data, total: 99, page, size: 1 }, true);
            match page {
                0..15 => assert!(end.is_none(), "page {page} is below the limit"),
                _ => assert!(matches!(end, Some(End::Incomplete(Incomplete::CapReached)))),
            }
        }
    }
}
