//! Values under keys, in buckets: what `wasi:keyvalue/store` needs. Writing goes with
//! the events' transactions, reading through the readers' connections.

use rusqlite::{Connection, OptionalExtension};

use super::error::StoreError;
use super::model::KeyPage;
use super::writer::Batch;

pub(super) fn set(
    batch: &Batch<'_>,
    bucket: &str,
    key: &str,
    value: &[u8],
) -> Result<(), StoreError> {
    let fault = batch.fault("setting a value");
    let sql = "\
        INSERT INTO kv (bucket, key, value) VALUES (?1, ?2, ?3)
        ON CONFLICT (bucket, key) DO UPDATE SET value = excluded.value";
    let mut statement = batch.connection.prepare_cached(sql).map_err(&fault)?;
    statement.execute((bucket, key, value)).map_err(&fault)?;
    batch.step("insert");
    Ok(())
}

pub(super) fn delete(batch: &Batch<'_>, bucket: &str, key: &str) -> Result<(), StoreError> {
    let fault = batch.fault("deleting a value");
    let sql = "DELETE FROM kv WHERE bucket = ?1 AND key = ?2";
    let mut statement = batch.connection.prepare_cached(sql).map_err(&fault)?;
    statement.execute((bucket, key)).map_err(&fault)?;
    Ok(())
}

pub(super) fn get(
    connection: &Connection,
    bucket: &str,
    key: &str,
) -> rusqlite::Result<Option<Vec<u8>>> {
    let sql = "SELECT value FROM kv WHERE bucket = ?1 AND key = ?2";
    connection.prepare_cached(sql)?.query_row((bucket, key), |row| row.get(0)).optional()
}

/// Pages by the keys' numbers, so that a key that comes or goes meanwhile makes no
/// other one appear twice or not at all.
pub(super) fn list(
    connection: &Connection,
    bucket: &str,
    cursor: Option<u64>,
    page_size: u32,
) -> rusqlite::Result<KeyPage> {
    let sql = "SELECT id, key FROM kv WHERE bucket = ?1 AND id > ?2 ORDER BY id LIMIT ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let after = cursor.map_or(0, |cursor| i64::try_from(cursor).unwrap_or(i64::MAX));
    let page_size = page_size.max(1);
    // One more than asked for tells whether there is a next page.
    let mut rows = statement.query((bucket, after, i64::from(page_size) + 1))?;
    let mut page = KeyPage::default();
    let mut last = None;
    while let Some(row) = rows.next()? {
        if page.keys.len() as u64 == u64::from(page_size) {
            page.cursor = last;
            break;
        }
        last = u64::try_from(row.get::<_, i64>(0)?).ok();
        page.keys.push(row.get(1)?);
    }
    Ok(page)
}
