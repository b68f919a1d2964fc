//! The heap: what the linker left of the pages that the module begins with, and
//! further pages when those are used up.

use core::alloc::Layout;
use core::arch::wasm32::{memory_grow, memory_size};
use core::ptr::NonNull;

use talc::base::Talc;
use talc::base::binning::Binning;
use talc::cell::TalcSyncCell;
use talc::source::Source;
use talc::wasm::WasmBinning;

/// A sixth of the code of wasi-libc's malloc, and as sparing: a block costs one word
/// beside its bytes, and what is freed becomes one with its neighbours.
pub type Heap = TalcSyncCell<Pages, WasmBinning>;

/// An empty heap.
pub const fn new() -> Heap {
    Heap::new_wasm(Pages { end: None })
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
