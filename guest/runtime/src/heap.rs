//! The heap of a component. Most calls need a few kilobytes and give all of them back: those come
//! from an arena, in which a block costs some instructions and none of its bytes. All else comes
//! from a general allocator: what the linker left of the pages that the module begins with, and
//! further pages when those are used up.

use core::alloc::{GlobalAlloc, Layout};
use core::arch::wasm32::{memory_grow, memory_size};
use core::cell::{Cell, UnsafeCell};
use core::mem::MaybeUninit;
use core::ptr::NonNull;

use talc::base::Talc;
use talc::base::binning::Binning;
use talc::cell::TalcSyncCell;
use talc::source::Source;
use talc::wasm::WasmBinning;

/// An arena, and a general allocator for what it has no place for.
pub struct Heap {
    arena: Arena,
    /// A sixth of the code of wasi-libc's malloc, and as sparing: a block costs one word
    /// beside its bytes, and what is freed becomes one with its neighbours.
    rest: TalcSyncCell<Pages, WasmBinning>,
}

impl Heap {
    /// An empty heap.
    pub const fn new() -> Self {
        Self { arena: Arena::new(), rest: TalcSyncCell::new_wasm(Pages { end: None }) }
    }
}

// SAFETY: each block comes from one of two allocators and goes back to the same one: that of the
// arena is told by its address.
unsafe impl GlobalAlloc for Heap {
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match self.arena.alloc(layout) {
            Some(block) => block,
            // SAFETY: as of this function.
            None => unsafe { self.rest.alloc(layout) },
        }
    }

    #[inline(never)]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match self.arena.place(block) {
            Some(place) => self.arena.dealloc(place, layout.size()),
            // SAFETY: as of this function.
            None => unsafe { self.rest.dealloc(block, layout) },
        }
    }

    #[inline(never)]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let Some(place) = self.arena.place(block) else {
            // SAFETY: as of this function.
            return unsafe { self.rest.realloc(block, layout, size) };
        };
        if self.arena.resize(place, layout.size(), size) {
            return block;
        }
        // SAFETY: the caller's size is valid for this alignment; the two blocks are apart, and
        // the old one is its size long, which the new one exceeds.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                new.copy_from_nonoverlapping(block, layout.size().min(size));
                self.arena.dealloc(place, layout.size());
            }
            new
        }
    }
}

/// As much as a call usually needs, without one page of memory more than without an arena.
const ARENA_BYTES: usize = 16 * 1024;
/// Alignment of the arena. A larger one is asked of the general allocator.
const ARENA_ALIGN: usize = 8;

/// Blocks one behind the other. The place of a block is used again when it is the last one, and
/// that of all when none is left.
struct Arena {
    bytes: UnsafeCell<Aligned>,
    /// End of the last block.
    end: Cell<usize>,
    /// Number of blocks.
    blocks: Cell<usize>,
}

#[repr(align(8))]
struct Aligned(#[expect(dead_code, reason = "reached by address")] [MaybeUninit<u8>; ARENA_BYTES]);

// SAFETY: a component has one thread.
unsafe impl Sync for Arena {}

impl Arena {
    const fn new() -> Self {
        Self {
            bytes: UnsafeCell::new(Aligned([MaybeUninit::uninit(); ARENA_BYTES])),
            end: Cell::new(0),
            blocks: Cell::new(0),
        }
    }

    fn alloc(&self, layout: Layout) -> Option<*mut u8> {
        if layout.align() > ARENA_ALIGN {
            return None;
        }
        let place = self.end.get().next_multiple_of(layout.align());
        let end = place.saturating_add(layout.size());
        if end > ARENA_BYTES {
            return None;
        }
        self.end.set(end);
        self.blocks.set(self.blocks.get().wrapping_add(1));
        Some(self.bytes.get().cast::<u8>().wrapping_add(place))
    }

    /// Returns where in the arena a block is, if it is there.
    fn place(&self, block: *mut u8) -> Option<usize> {
        let place = block.addr().wrapping_sub(self.bytes.get().addr());
        (place < ARENA_BYTES).then_some(place)
    }

    fn dealloc(&self, place: usize, size: usize) {
        let blocks = self.blocks.get().wrapping_sub(1);
        self.blocks.set(blocks);
        if blocks == 0 {
            self.end.set(0);
        } else if place.wrapping_add(size) == self.end.get() {
            self.end.set(place);
        }
    }

    /// Whether a block is of another size from now on, where it is.
    fn resize(&self, place: usize, old: usize, size: usize) -> bool {
        let is_last = place.wrapping_add(old) == self.end.get();
        let end = place.saturating_add(size);
        if is_last && end <= ARENA_BYTES {
            self.end.set(end);
            return true;
        }
        size <= old
    }
}

const PAGE_BYTES: usize = 64 * 1024;
/// More than what the heap keeps for itself beside a block.
const OVERHEAD_BYTES: usize = 1024;

unsafe extern "C" {
    /// From the linker: the first byte that neither stack nor data is in.
    static __heap_base: u8;
}

/// End of the heap, once it has begun.
#[derive(Debug)]
pub struct Pages {
    end: Option<NonNull<u8>>,
}

// SAFETY: `acquire` allocates nothing.
unsafe impl Source for Pages {
    fn acquire<B: Binning>(talc: &mut Talc<Self, B>, layout: Layout) -> Result<(), ()> {
        let base = (&raw const __heap_base).cast_mut();
        let needed = layout.size().saturating_add(layout.align()).saturating_add(OVERHEAD_BYTES);
        // A further page costs the host more than a whole call of `handle-event`.
        let fits =
            talc.source.end.is_none() && memory_bytes().saturating_sub(base.addr()) >= needed;
        if !fits && memory_grow::<0>(needed.div_ceil(PAGE_BYTES)) == usize::MAX {
            return Err(());
        }
        let size = memory_bytes().saturating_sub(base.addr());
        // SAFETY: from `__heap_base` on, the memory is this heap's alone: nothing else
        // in the module grows it.
        talc.source.end = unsafe {
            match talc.source.end {
                None => talc.claim(base, size),
                Some(end) => Some(talc.extend(end, base.wrapping_add(size))),
            }
        };
        talc.source.end.map(|_| ()).ok_or(())
    }
}

fn memory_bytes() -> usize {
    memory_size::<0>().saturating_mul(PAGE_BYTES)
}
