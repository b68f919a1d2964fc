//! Signals, and the end of `serve`.

use std::process::Stdio;

use crate::process::{SECRET, TestStore, body, deliver, exchange, program, read_reply, request};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

#[cfg(unix)]
#[tokio::test]
async fn stop_answers_open_delivery() {
    use rustix::process::Signal;
    for signal in [Signal::TERM, Signal::INT] {
        let store = TestStore::new();
        let mut serving = store.serve(&[], &[]);
        let mut under_way = TcpStream::connect(serving.address).await.unwrap();
        let whole = crate::process::kept_alive("/", "", "under-way", &body("m-1"));
        let (first, rest) = whole.as_bytes().split_at(whole.len() - 5);
        under_way.write_all(first).await.unwrap();
        // A completed delivery proves that the server accepted the earlier connection.
        assert_eq!(deliver(serving.address, "before").await.status, 200);
        serving.signal(signal);
        serving.logged("stopping").await;
        // The server has handled the signal when it accepts no more connections.
        while TcpStream::connect(serving.address).await.is_ok() {}
        under_way.write_all(rest).await.unwrap();
        assert_eq!(read_reply(&mut under_way).await.status, 200);
        let (status, rest) = serving.wait();
        assert_eq!((status.code(), rest.as_str()), (Some(0), ""), "{}", serving.log());
        assert_eq!(store.keys(), ["before", "under-way"]);
    }
}

/// Starts a worker that accepts one connection and never answers.
async fn hanging_worker() -> (String, tokio::task::JoinHandle<TcpStream>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let taken = tokio::spawn(async move { listener.accept().await.unwrap().0 });
    (url, taken)
}

#[cfg(unix)]
#[tokio::test]
async fn stop_ends_hanging_requests_without_loss() {
    let store = TestStore::new();
    let (url, taken) = hanging_worker().await;
    let mut serving = store.serve(&["--forward", &url], &[]);
    assert_eq!(deliver(serving.address, "kept").await.status, 200);
    let _worker = taken.await.unwrap();
    // An event source that does not complete its body.
    let mut sender = TcpStream::connect(serving.address).await.unwrap();
    let whole = request("/", "", "never", &body("m-1"));
    sender.write_all(&whole.as_bytes()[..whole.len() - 5]).await.unwrap();
    assert_eq!(deliver(serving.address, "before").await.status, 200);
    // Another connection locks the store, so deliveries wait.
    let other = rusqlite::Connection::open(&store.path).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let mut waiting = Vec::new();
    for key in ["w1", "w2", "w3"] {
        let mut sender = TcpStream::connect(serving.address).await.unwrap();
        sender.write_all(request("/", "", key, &body(key)).as_bytes()).await.unwrap();
        waiting.push(sender);
    }
    let started = std::time::Instant::now();
    serving.terminate();
    let (status, _) = serving.wait();
    let took = started.elapsed();
    println!("stopped after {took:?}");
    let log = serving.log();
    assert_eq!(status.code(), Some(0), "{log}");
    // The limit of 5 s, and a margin for a busy machine.
    assert!(took < std::time::Duration::from_secs(7), "{took:?}");
    drop(other);
    assert!(log.contains("stopping") && log.contains("forwarder"), "{log}");
    let list = store.inbox(&["list"]);
    let keys: Vec<_> = list.as_array().unwrap().iter().map(crate::process::key_of).collect();
    assert_eq!(keys, ["kept", "before"]);
    assert!(list.as_array().unwrap().iter().all(|event| event["state"] != "done"), "{list}");
}

#[cfg(unix)]
#[tokio::test]
async fn asked_twice_it_stops_at_once() {
    use rustix::process::Signal;
    for (first, second) in
        [(Signal::TERM, Signal::TERM), (Signal::INT, Signal::INT), (Signal::TERM, Signal::INT)]
    {
        let store = TestStore::new();
        let (url, taken) = hanging_worker().await;
        let mut serving = store.serve(&["--forward", &url, "--stop-within", "1h"], &[]);
        assert_eq!(deliver(serving.address, "kept").await.status, 200);
        let _worker = taken.await.unwrap();
        // The program `timeout` sends its signal twice, which counts as one request to stop.
        serving.signal(first);
        serving.logged("stopping").await;
        serving.signal(second);
        tokio::time::sleep(std::time::Duration::from_millis(600)).await;
        assert!(!serving.log().contains("stopped at once"), "{}", serving.log());
        serving.signal(second);
        let (status, _) = serving.wait();
        assert_eq!(status.code(), Some(0), "{}", serving.log());
        assert!(serving.log().contains("stopped at once"), "{}", serving.log());
        assert_eq!(store.keys(), ["kept"]);
    }
}

/// Connections that are open during the stop: an idle connection, an incomplete request, and a
/// worker that hangs.
#[cfg(unix)]
#[tokio::test]
async fn clean_stop_leaves_one_complete_file() {
    let (url, _taken) = hanging_worker().await;
    for (round, more) in [&[][..], &["--forward", &url], &[]].into_iter().enumerate() {
        let store = TestStore::new();
        let mut serving = store.serve(&[&["--stop-within", "300ms"], more].concat(), &[]);
        let _idle = TcpStream::connect(serving.address).await.unwrap();
        let mut cut_off = TcpStream::connect(serving.address).await.unwrap();
        let whole = request("/", "", "never", &body("m-1"));
        cut_off.write_all(&whole.as_bytes()[..whole.len() - 5]).await.unwrap();
        let large = body(&"m".repeat(200)).replace("hé", &"z".repeat(50_000));
        for number in 0..40 {
            let whole = request("/", "", &format!("k{number}"), &large);
            assert_eq!(exchange(serving.address, whole.as_bytes()).await.status, 200);
        }
        serving.terminate();
        assert_eq!(serving.wait().0.code(), Some(0), "{}", serving.log());
        let left: Vec<_> = std::fs::read_dir(store.folder())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(left, ["inbox.sqlite"], "{round}: {}", serving.log());
        let copy = rusqlite::Connection::open(&store.path).unwrap();
        let count = "SELECT count(*) FROM events";
        let kept: i64 = copy.query_row(count, [], |row| row.get(0)).unwrap();
        assert_eq!(kept, 40, "{round}");
    }
}

/// `nohup` ignores SIGHUP, and a shell ignores SIGINT for background jobs.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn ignored_signal_does_not_stop_server() {
    use rustix::process::Signal;
    for (name, ignored, other) in
        [("HUP", Signal::HUP, Signal::INT), ("INT", Signal::INT, Signal::TERM)]
    {
        let store = TestStore::new();
        let first = format!("trap '' {name}");
        let mut serving = store.serve_after(&first);
        serving.signal(ignored);
        // A server that handled the signal would have stopped before it answered this delivery.
        assert_eq!(deliver(serving.address, "a").await.status, 200);
        serving.signal(ignored);
        assert_eq!(deliver(serving.address, "b").await.status, 200);
        serving.signal(other);
        assert_eq!(serving.wait().0.code(), Some(0));
        let log = serving.log();
        let stopping: Vec<_> = log.lines().filter(|line| line.contains("stopping")).collect();
        assert_eq!(stopping.len(), 1, "{log}");
        let by = if name == "HUP" { "SIGINT" } else { "SIGTERM" };
        assert!(stopping[0].contains(by), "{log}");
    }
}

/// In a container, the program is process 1. The kernel discards a signal to process 1 if the
/// process has no handler.
#[cfg(unix)]
#[test]
fn signal_stops_wait_for_store() {
    use std::io::{BufRead, BufReader};

    use rustix::process::{Pid, Signal};
    let address = "postgres://inbox@127.0.0.1:1/inbox";
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--store", address];
    let mut command = program(&arguments, &[("MESSAGING_WEBHOOK_HEADER_SECRET", SECRET)]);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut said = |text: &str| lines.any(|line| line.unwrap().contains(text));
    assert!(said("waiting for the store"));
    rustix::process::kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert!(said("stopped before the start"));
    assert!(child.wait().unwrap().success());
}
