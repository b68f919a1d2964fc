//! Values of a row.

use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, Type};

use crate::client::fault::Fault;

/// A string that is stored as bytes.
struct Text(String);

impl<'a> FromSql<'a> for Text {
    fn from_sql(
        _: &Type,
        bytes: &'a [u8],
    ) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self(std::str::from_utf8(bytes)?.to_string()))
    }

    fn accepts(kind: &Type) -> bool {
        *kind == Type::BYTEA
    }
}

/// Returns the value of a column.
pub(crate) fn value<'a, T: FromSql<'a>>(row: &'a Row, at: usize) -> Result<T, Fault> {
    row.try_get(at).map_err(Fault::sql("reading a row"))
}

/// Returns the string of a column.
pub(crate) fn text(row: &Row, at: usize) -> Result<String, Fault> {
    value::<Text>(row, at).map(|text| text.0)
}

/// Returns the string of a nullable column.
pub(crate) fn some_text(row: &Row, at: usize) -> Result<Option<String>, Fault> {
    value::<Option<Text>>(row, at).map(|text| text.map(|text| text.0))
}
