//! Replaces parts of std: an allocator, a panic handler, and the function through which the
//! host allocates. Without std the component imports no standard streams, terminals or exit.
#![allow(unsafe_code, reason = "each unsafe block says why")]

use core::alloc::{GlobalAlloc, Layout};

use crate::heap::Heap;

#[global_allocator]
static ALLOCATOR: Heap = Heap::new();

// wasi-libc, for the memcpy family that compiled code calls.
#[link(name = "c")]
unsafe extern "C" {}

/// Called by the host to place values into the component's memory (Canonical ABI,
/// `realloc`).
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
    // SAFETY: the Canonical ABI passes back what this function returned, with the
    // size and alignment it was asked for.
    let new = unsafe {
        if old_size == 0 {
            ALLOCATOR.alloc(Layout::from_size_align_unchecked(new_size, align))
        } else {
            ALLOCATOR.realloc(old, Layout::from_size_align_unchecked(old_size, align), new_size)
        }
    };
    if new.is_null() {
        // The ABI has no other way to say that memory is used up.
        core::arch::wasm32::unreachable()
    }
    new
}

/// Nothing in the component is meant to panic. If it does, it traps: the host
/// sees an error, and the instance is gone.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
