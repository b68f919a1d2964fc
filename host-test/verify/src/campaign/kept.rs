//! Events stored after a kill, read by another process than the one that stored them.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use serde_json::value::RawValue;

use super::receiver::STORE;
use super::{Inbox, Options};
use messaging_inbox::{Counts, Filter, Options as StoreOptions, State, Store};

/// The bucket of `inbox-keyvalue`.
const BUCKET: &str = "default";

/// Everything that is kept.
#[derive(Debug, Default)]
pub struct StoredEvents {
    /// The events under each key, quarantined ones included.
    pub events: BTreeMap<String, Vec<String>>,
}

/// A record of `inbox-files` and `inbox-keyvalue`.
#[derive(serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Record {
    idempotency_key: String,
    json: Box<RawValue>,
}

impl StoredEvents {
    /// Reads everything in the folder of a receiver that is not running.
    pub async fn read(options: &Options, folder: &Path) -> anyhow::Result<Self> {
        let mut kept = Self::default();
        match options.inbox {
            Inbox::Sqlite => match open(folder)? {
                Some(store) => kept.read_store(store).await,
                None => Ok(()),
            },
            #[cfg(unix)]
            Inbox::Postgres => match options.kills.disk()?.open_inbox(folder).await? {
                Some(store) => kept.read_store(store).await,
                None => Ok(()),
            },
            Inbox::Files => kept.read_files(folder),
            Inbox::Keyvalue => kept.read_buckets(folder).await,
        }?;
        Ok(kept)
    }

    fn add(&mut self, key: String, json: String) {
        self.events.entry(key).or_default().push(json);
    }

    fn add_record(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let record: Record = serde_json::from_slice(bytes).context("half a record")?;
        self.add(record.idempotency_key, record.json.get().to_string());
        Ok(())
    }

    async fn read_store(&mut self, store: Store) -> anyhow::Result<()> {
        self.read_events(&store).await?;
        store.close().await;
        Ok(())
    }

    /// Reads all events of an open store, and counts them by state.
    pub async fn read_events(&mut self, store: &Store) -> anyhow::Result<Counts> {
        let mut counts = Counts::default();
        let mut after_id = 0;
        loop {
            let filter = Filter { after_id, limit: 10_000, ..Filter::default() };
            let page = store.list(filter).await?;
            let Some(last) = page.last() else { break };
            after_id = last.id;
            for event in page {
                let count = match event.state {
                    State::Pending => &mut counts.pending,
                    State::Leased => &mut counts.leased,
                    State::Done => &mut counts.done,
                    State::Quarantined => &mut counts.quarantined,
                    State::Dead => &mut counts.dead,
                };
                *count = count.saturating_add(1);
                self.add(event.idempotency_key, event.json);
            }
        }
        Ok(counts)
    }

    fn read_files(&mut self, folder: &Path) -> anyhow::Result<()> {
        for part in ["events", "conflict"] {
            let Ok(files) = std::fs::read_dir(folder.join(part)) else { continue };
            for file in files {
                let path = file?.path();
                let bytes = std::fs::read(&path)?;
                self.add_record(&bytes).with_context(|| path.display().to_string())?;
            }
        }
        Ok(())
    }

    async fn read_buckets(&mut self, folder: &Path) -> anyhow::Result<()> {
        let Some(store) = open(folder)? else { return Ok(()) };
        let mut cursor = None;
        loop {
            let page = store.kv_list(BUCKET, cursor, 10_000).await?;
            for key in page.keys.into_iter().filter(|key| key.starts_with("event.")) {
                let value = store.kv_get(BUCKET, key).await?.unwrap_or_default();
                self.add_record(&value)?;
            }
            cursor = page.cursor;
            if cursor.is_none() {
                break;
            }
        }
        store.close().await;
        Ok(())
    }
}

/// The store; none where a process was killed before it made one.
fn open(folder: &Path) -> anyhow::Result<Option<Store>> {
    let file = folder.join(STORE);
    if !file.exists() {
        return Ok(None);
    }
    let opened = Store::open(&file, StoreOptions::default());
    opened.map(Some).context("the store does not open")
}
