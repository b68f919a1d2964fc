//! The test suite of the inbox, on PostgreSQL.

#[path = "../../../inbox/tests/suite/mod.rs"]
mod suite;

use crate::fixture;
