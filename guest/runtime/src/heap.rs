//! The heap of a component. Most calls need a few kilobytes and free all of them. Their blocks come
//! from an arena: a block costs a few instructions and no extra bytes. Blocks that do not fit in
//! the arena come from a general allocator, which uses the rest of the module's initial pages, then
//! grows the memory.

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

/// An arena, and a general allocator for blocks that do not fit.
pub struct Heap {
    arena: Arena,
    /// The general allocator. Its code is one sixth the size of wasi-libc's malloc, with equal
    /// overhead: one word per block. It merges freed blocks with their neighbors.
    rest: TalcSyncCell<Pages, WasmBinning>,
}

impl Heap {
    /// Creates an empty heap.
    pub const fn new() -> Self {
        Self { arena: Arena::new(), rest: TalcSyncCell::new_wasm(Pages { end: None }) }
    }
}

// SAFETY: each block comes from one of two allocators and returns to the same allocator. The
// address of a block shows if it belongs to the arena.
unsafe impl GlobalAlloc for Heap {
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match self.arena.alloc(layout) {
            Some(block) => block,
            // SAFETY: the caller upholds the contract of this function.
            None => unsafe { self.rest.alloc(layout) },
        }
    }

    #[inline(never)]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match self.arena.offset(block) {
            Some(offset) => self.arena.dealloc(offset, layout.size()),
            // SAFETY: the caller upholds the contract of this function.
            None => unsafe { self.rest.dealloc(block, layout) },
        }
    }

    #[inline(never)]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let Some(offset) = self.arena.offset(block) else {
            // SAFETY: the caller upholds the contract of this function.
            return unsafe { self.rest.realloc(block, layout, size) };
        };
        if self.arena.resize(offset, layout.size(), size) {
            return block;
        }
        // SAFETY: the caller's size is valid for this alignment. The old and the new block do not
        // overlap. The copied length is at most the size of each block.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                new.copy_from_nonoverlapping(block, layout.size().min(size));
                self.arena.dealloc(offset, layout.size());
            }
            new
        }
    }
}

/// Size of the arena in bytes, enough for most calls. With this arena, the module has as many
/// memory pages as without it.
const ARENA_BYTES: usize = 16 * 1024;
/// Alignment of the arena. Blocks with a larger alignment come from the general allocator.
const ARENA_ALIGN: usize = 8;

/// An arena of consecutive blocks. Freeing the last block makes its space reusable. Freeing the
/// only remaining block makes the whole arena reusable.
struct Arena {
    bytes: UnsafeCell<Aligned>,
    /// Offset after the last block.
    end: Cell<usize>,
    /// Number of live blocks.
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
        let offset = self.end.get().next_multiple_of(layout.align());
        let end = offset.saturating_add(layout.size());
        if end > ARENA_BYTES {
            return None;
        }
        self.end.set(end);
        self.blocks.set(self.blocks.get().wrapping_add(1));
        Some(self.bytes.get().cast::<u8>().wrapping_add(offset))
    }

    /// Returns the offset of a block in the arena; `None` if the block is outside the arena.
    fn offset(&self, block: *mut u8) -> Option<usize> {
        let offset = block.addr().wrapping_sub(self.bytes.get().addr());
        (offset < ARENA_BYTES).then_some(offset)
    }

    fn dealloc(&self, offset: usize, size: usize) {
        let blocks = self.blocks.get().wrapping_sub(1);
        self.blocks.set(blocks);
        if blocks == 0 {
            self.end.set(0);
        } else if offset.wrapping_add(size) == self.end.get() {
            self.end.set(offset);
        }
    }

    /// Resizes a block in place. Returns false if the new size does not fit.
    fn resize(&self, offset: usize, old: usize, size: usize) -> bool {
        let is_last = offset.wrapping_add(old) == self.end.get();
        let end = offset.saturating_add(size);
        if is_last && end <= ARENA_BYTES {
            self.end.set(end);
            return true;
        }
        size <= old
    }
}

const PAGE_BYTES: usize = 64 * 1024;
/// Upper bound for the overhead of the allocator, in bytes.
const OVERHEAD_BYTES: usize = 1024;

unsafe extern "C" {
    /// First byte after stack and data, from the linker.
    static __heap_base: u8;
}

/// Source of memory pages. `end` is the end of the heap; `None` before the first block.
#[derive(Debug)]
pub struct Pages {
    end: Option<NonNull<u8>>,
}

// SAFETY: `acquire` allocates nothing.
unsafe impl Source for Pages {
    fn acquire<B: Binning>(talc: &mut Talc<Self, B>, layout: Layout) -> Result<(), ()> {
        let base = (&raw const __heap_base).cast_mut();
        let needed = layout.size().saturating_add(layout.align()).saturating_add(OVERHEAD_BYTES);
        // Uses the initial pages first, because a new page costs the host more than a call of
        // `handle-event`.
        let fits =
            talc.source.end.is_none() && memory_bytes().saturating_sub(base.addr()) >= needed;
        if !fits && memory_grow::<0>(needed.div_ceil(PAGE_BYTES)) == usize::MAX {
            return Err(());
        }
        let size = memory_bytes().saturating_sub(base.addr());
        // SAFETY: only this heap uses the memory from `__heap_base`, and nothing else in the module
        // grows the memory.
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
