//! The inbox in files on a failing file system.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use wasmtime::StoreContextMut;
use wasmtime::component::Resource;
use wasmtime_wasi::filesystem::{Descriptor, WasiFilesystemView};
use wasmtime_wasi::p2::bindings::filesystem::types::{ErrorCode, HostDescriptor, PathFlags};

use super::*;

/// Returns the inbox on a host on which `operation` fails with `code`.
fn faulty(operation: &str, code: ErrorCode) -> InboxHostPre<State> {
    let mut linker = linker();
    linker.allow_shadowing(true);
    let mut types = linker.instance(FILESYSTEM).unwrap();
    match operation {
        "link-at" => types
            .func_wrap(
                "[method]descriptor.link-at",
                move |_,
                      _: (
                    Resource<Descriptor>,
                    PathFlags,
                    String,
                    Resource<Descriptor>,
                    String,
                )| { Ok((Err::<(), _>(code),)) },
            )
            .unwrap(),
        "sync" => types
            .func_wrap("[method]descriptor.sync", move |_, _: (Resource<Descriptor>,)| {
                Ok((Err::<(), _>(code),))
            })
            .unwrap(),
        "write" => types
            .func_wrap(
                "[method]descriptor.write",
                move |_, _: (Resource<Descriptor>, Vec<u8>, u64)| Ok((Err::<u64, _>(code),)),
            )
            .unwrap(),
        _ => panic!("{operation}"),
    }
    compiled(INBOX_FILES, &linker)
}

/// Name of the interface in the linker of wasmtime-wasi.
const FILESYSTEM: &str = "wasi:filesystem/types@0.2.12";

#[tokio::test]
async fn file_system_error_stores_nothing() {
    for (operation, code, expected) in [
        ("link-at", ErrorCode::Unsupported, "no hard links"),
        ("link-at", ErrorCode::NotPermitted, "no hard links"),
        ("link-at", ErrorCode::TooManyLinks, "link events/evt-1.json: too-many-links"),
        ("link-at", ErrorCode::NoEntry, "events/evt-1.json is created and removed repeatedly"),
        ("link-at", ErrorCode::Exist, "events/evt-1.json is created and removed repeatedly"),
        ("sync", ErrorCode::Io, "sync tmp/evt-1."),
        ("write", ErrorCode::InsufficientSpace, "Free space on its disk"),
    ] {
        let folder = TempDir::new().unwrap();
        let wasi = folders(&[(folder.path(), "/inbox", FsPerms::ReadWrite)]);
        let inbox = faulty(operation, code);
        let answer = put(&inbox, wasi, Memory::default(), &entry("evt-1", "{}")).await;
        let text = unavailable(answer);
        assert!(text.contains(expected), "{text}");
        assert!(names(&folder.path().join("events")).is_empty());
    }
    // A duplicate is not acknowledged while the directory cannot be synced. The exception is a host
    // that does not support syncing directories.
    let folder = TempDir::new().unwrap();
    let event = entry("evt-1", "{}");
    assert_eq!(put_file(folder.path(), &event).await, Ok(Stored::Stored));
    for (code, expected) in [(ErrorCode::Io, false), (ErrorCode::Unsupported, true)] {
        let wasi = folders(&[(folder.path(), "/inbox", FsPerms::ReadWrite)]);
        let answer = put(&faulty("sync", code), wasi, Memory::default(), &event).await;
        assert_eq!(answer.is_ok(), expected, "{answer:?}");
    }
}

/// Returns the inbox on a host that fails only the sync with this number, counted from 0.
fn failing_sync(number: usize) -> InboxHostPre<State> {
    let mut linker = linker();
    linker.allow_shadowing(true);
    let syncs = Arc::new(AtomicUsize::new(0));
    let mut types = linker.instance(FILESYSTEM).unwrap();
    types
        .func_wrap_async(
            "[method]descriptor.sync",
            move |mut store: StoreContextMut<'_, State>, (file,): (Resource<Descriptor>,)| {
                let fails = syncs.fetch_add(1, Ordering::Relaxed) == number;
                Box::new(async move {
                    let answer = match fails {
                        true => Err(ErrorCode::Io),
                        false => {
                            let mut files = store.data_mut().filesystem();
                            HostDescriptor::sync(&mut files, file).await.map_err(|_| ErrorCode::Io)
                        }
                    };
                    Ok((answer,))
                })
            },
        )
        .unwrap();
    compiled(INBOX_FILES, &linker)
}

/// Only synced data survives a power failure. The inbox syncs the content of the event's file, the
/// name of the file in `events`, and the name of `events`, because `events` may be new.
#[tokio::test]
async fn acknowledged_event_is_synced() {
    let event = entry("evt-1", "{}");
    let folder = TempDir::new().unwrap();
    let synced = ["tmp/evt-1.", "sync the directory events", "sync the directory .: io"];
    for (number, named) in synced.into_iter().enumerate() {
        let folder = TempDir::new().unwrap();
        let wasi = folders(&[(folder.path(), "/inbox", FsPerms::ReadWrite)]);
        let answer = put(&failing_sync(number), wasi, Memory::default(), &event).await;
        let detail = unavailable(answer);
        assert!(detail.contains(named), "{number}: {detail}");
    }
    // The writer may have crashed before its syncs, so a duplicate is synced too.
    assert_eq!(put_file(folder.path(), &event).await, Ok(Stored::Stored));
    for (number, named) in synced.into_iter().skip(1).enumerate() {
        let wasi = folders(&[(folder.path(), "/inbox", FsPerms::ReadWrite)]);
        let answer = put(&failing_sync(number), wasi, Memory::default(), &event).await;
        let detail = unavailable(answer);
        assert!(detail.contains(named), "{number}: {detail}");
    }
}
