//! What std would bring: an allocator, a panic handler, and the function through
//! which the host allocates. Without std the component imports no standard
//! streams, terminals or exit.
#![allow(unsafe_code, reason = "each unsafe block says why")]

use core::alloc::{GlobalAlloc, Layout};
use core::ffi::c_void;

// wasi-libc: malloc, and the memcpy family that compiled code calls.
#[link(name = "c")]
unsafe extern "C" {
    fn aligned_alloc(align: usize, size: usize) -> *mut c_void;
    fn malloc(size: usize) -> *mut c_void;
    fn realloc(pointer: *mut c_void, size: usize) -> *mut c_void;
    fn free(pointer: *mut c_void);
}

/// malloc's alignment on wasm32: that of `max_align_t`.
const MALLOC_ALIGN: usize = 16;

struct Libc;

#[global_allocator]
static ALLOCATOR: Libc = Libc;

// SAFETY: malloc, aligned_alloc and realloc return null or memory of the size and
// alignment asked for, and never unwind; the component has one thread.
unsafe impl GlobalAlloc for Libc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= MALLOC_ALIGN {
            // SAFETY: any size may be asked for.
            unsafe { malloc(layout.size()).cast() }
        } else {
            // SAFETY: a layout's alignment is a power of two.
            unsafe { aligned_alloc(layout.align(), layout.pad_to_align().size()).cast() }
        }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, _: Layout) {
        // SAFETY: the caller passes a pointer that `alloc` or `realloc` returned.
        unsafe { free(pointer.cast()) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if layout.align() <= MALLOC_ALIGN {
            // SAFETY: the pointer came from malloc or realloc, and fits their alignment.
            return unsafe { realloc(pointer.cast(), size).cast() };
        }
        // SAFETY: the caller keeps `size` within what a layout may hold.
        let new = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
        if !new.is_null() {
            // SAFETY: both are at least as large as the smaller size, and distinct.
            unsafe {
                core::ptr::copy_nonoverlapping(pointer, new, layout.size().min(size));
                self.dealloc(pointer, layout);
            }
        }
        new
    }
}

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
