//! Replaces parts of std: an allocator, a panic handler, and the function with which the host
//! allocates. Without std, the component imports no standard streams, terminals or exit.
#![allow(unsafe_code, reason = "each unsafe block says why")]

use core::alloc::{GlobalAlloc, Layout};

use crate::heap::Heap;

#[global_allocator]
static ALLOCATOR: Heap = Heap::new();

// Links wasi-libc, because compiled code calls the memcpy family.
#[link(name = "c")]
unsafe extern "C" {}

/// Allocates memory for values from the host (Canonical ABI, `realloc`).
#[unsafe(no_mangle)]
unsafe extern "C" fn cabi_realloc(
    old: *mut u8,
    old_size: usize,
    align: usize,
    new_size: usize,
) -> *mut u8 {
    if new_size == 0 {
        return core::ptr::without_provenance_mut(align);
    }
    // SAFETY: the Canonical ABI passes back pointers from this function, with their size and
    // alignment.
    let new = unsafe {
        if old_size == 0 {
            ALLOCATOR.alloc(Layout::from_size_align_unchecked(new_size, align))
        } else {
            ALLOCATOR.realloc(old, Layout::from_size_align_unchecked(old_size, align), new_size)
        }
    };
    if new.is_null() {
        // The ABI has no error for exhausted memory.
        core::arch::wasm32::unreachable()
    }
    new
}

/// Traps after a panic, which only a bug can cause. The host gets an error and drops the instance.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
