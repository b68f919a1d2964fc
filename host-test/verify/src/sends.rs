//! Sending processes, killed over and over.
