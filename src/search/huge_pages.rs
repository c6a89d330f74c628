//! Zeroed memory in huge pages, where the system gives them: a table is read at random, and with
//! pages of 4 KiB most reads miss the cache of address translations (TLB).

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use bytemuck::Zeroable;

/// Bytes of a huge page on x86-64 and most others.
pub const SIZE: usize = 2 << 20;

/// A slice of values that begin as zeros, and need no drop.
pub struct HugePages<T: Zeroable> {
    memory: NonNull<T>,
    length: usize,
    layout: Layout,
}

// SAFETY: `HugePages` owns its memory as a `Box` does.
unsafe impl<T: Zeroable + Send> Send for HugePages<T> {}
// SAFETY: as above.
unsafe impl<T: Zeroable + Sync> Sync for HugePages<T> {}

impl<T: Zeroable> HugePages<T> {
    /// So many zeroed values, at least one; `None` if they cannot be allocated.
    pub fn new(length: usize) -> Option<HugePages<T>> {
        const { assert!(!std::mem::needs_drop::<T>()) };
        let layout = Layout::array::<T>(length).ok()?;
        if layout.size() == 0 {
            return None;
        }
        let layout = if layout.size() >= SIZE { layout.align_to(SIZE).ok()? } else { layout };
        // SAFETY: the size is not zero, checked above.
        let memory = NonNull::new(unsafe { alloc(layout) })?;
        // Before the memory is touched for the first time: pages that exist keep their size.
        advise_huge_pages(memory, layout.size());
        // SAFETY: all `layout.size()` bytes were just allocated.
        unsafe { memory.write_bytes(0, layout.size()) };
        Some(HugePages { memory: memory.cast(), length, layout })
    }

    /// One zeroed value. If it cannot be allocated the program aborts, as with a `Box`.
    pub fn of_one() -> HugePages<T> {
        HugePages::new(1).unwrap_or_else(|| handle_alloc_error(Layout::new::<T>()))
    }
}

impl<T: Zeroable> Deref for HugePages<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `new` allocated `length` values and zeroed them, which `Zeroable` makes valid;
        // the memory is given back in `drop` only.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr(), self.length) }
    }
}

impl<T: Zeroable> DerefMut for HugePages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and `&mut self` is the only reference.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_ptr(), self.length) }
    }
}

impl<T: Zeroable> Drop for HugePages<T> {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout; the values need no drop, asserted there.
        unsafe { dealloc(self.memory.cast().as_ptr(), self.layout) };
    }
}

impl<T: Zeroable> fmt::Debug for HugePages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values in huge pages", self.length)
    }
}

/// Tells the kernel that huge pages are welcome here: a hint, without which only speed is lost.
#[cfg(target_os = "linux")]
fn advise_huge_pages(memory: NonNull<u8>, size: usize) {
    if size >= SIZE {
        // SAFETY: the range was just allocated by the caller, and the advice changes nothing but
        // the size of its pages.
        let refused =
            unsafe { libc::madvise(memory.as_ptr().cast(), size, libc::MADV_HUGEPAGE) } != 0;
        log::debug!("huge pages {}", if refused { "refused" } else { "welcome" });
    }
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_: NonNull<u8>, _: usize) {}
