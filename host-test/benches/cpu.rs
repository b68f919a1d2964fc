//! CPU time of processes, in hundredths of a second, from `/proc`.

/// Returns the fields of `/proc/PID/stat` after the program name, which may contain any character.
fn stat(process: u32) -> Option<Vec<u64>> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, numbers) = stat.rsplit_once(") ")?;
    Some(numbers.split_whitespace().map(|field| field.parse().unwrap_or(0)).collect())
}

/// Returns the CPU time of a process, and the CPU time of its ended children, each in hundredths of
/// a second.
pub fn own_and_ended(process: u32) -> (u64, u64) {
    let fields = stat(process).unwrap_or_default();
    let at = |number: usize| fields.get(number).copied().unwrap_or(0);
    (at(11) + at(12), at(13) + at(14))
}

/// Returns the CPU time of a process and all its children, in hundredths of a second.
pub fn of_family(parent: u32) -> u64 {
    let (own, ended) = own_and_ended(parent);
    let children: u64 = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|process| stat(*process).is_some_and(|fields| fields[1] == u64::from(parent)))
        .map(|process| own_and_ended(process).0)
        .sum();
    own + ended + children
}

/// Returns the process ID of the main process of a PostgreSQL server.
pub fn postmaster(server: &messaging_postgres::server::Server) -> u32 {
    let text = std::fs::read_to_string(server.folder().join("data/postmaster.pid")).unwrap();
    text.lines().next().unwrap().trim().parse().unwrap()
}
