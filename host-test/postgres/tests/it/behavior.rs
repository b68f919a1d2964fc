//! The inbox suite on PostgreSQL.

#[path = "../../../inbox/tests/suite/mod.rs"]
mod suite;

use crate::fixture;
