//! Zeroed memory in huge pages, where the system gives them: a table is read at random, and with pages of 4 KiB each look
//! costs a walk through the page tables first.

use std::alloc::{Layout, alloc, dealloc};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// A huge page on x86-64 and most others.
pub(super) const HUGE: usize = 2 << 20;

/// Types for which all bits zero are a valid value, and which need no drop.
///
/// # Safety
///
/// Both must be true.
pub unsafe trait Zeroed {}

/// A slice of zeroed values.
pub struct Pages<T: Zeroed> {
    memory: NonNull<T>,
    length: usize,
    layout: Layout,
}

// SAFETY: `Pages` owns its memory as a `Box` does.
unsafe impl<T: Zeroed + Send> Send for Pages<T> {}
// SAFETY: as above.
unsafe impl<T: Zeroed + Sync> Sync for Pages<T> {}

impl<T: Zeroed> Pages<T> {
    /// So many zeroed values; `None` where the system has no room. There must be at least one.
    pub fn new(length: usize) -> Option<Pages<T>> {
        let layout = Layout::array::<T>(length).ok()?;
        if layout.size() == 0 {
            return None;
        }
        let layout = if layout.size() >= HUGE { layout.align_to(HUGE).ok()? } else { layout };
        // SAFETY: the size is not zero.
        let memory = NonNull::new(unsafe { alloc(layout) })?;
        // Before it is touched for the first time: pages that exist keep their size.
        ask_for_huge_pages(memory, layout.size());
        // SAFETY: all of it was just allocated.
        unsafe { memory.write_bytes(0, layout.size()) };
        Some(Pages { memory: memory.cast(), length, layout })
    }

    /// One zeroed value. Without room for that the program ends, as it does where other values are made.
    pub fn of_one() -> Pages<T> {
        Pages::new(1).unwrap_or_else(|| std::alloc::handle_alloc_error(Layout::new::<T>()))
    }
}

impl<T: Zeroed> Deref for Pages<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the memory holds `length` values, all valid since zero is, and lives as long as this.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr(), self.length) }
    }
}

impl<T: Zeroed> DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and nobody else has a reference.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_ptr(), self.length) }
    }
}

impl<T: Zeroed> Drop for Pages<T> {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout; the values need no drop.
        unsafe { dealloc(self.memory.cast().as_ptr(), self.layout) };
    }
}

impl<T: Zeroed> fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values in pages", self.length)
    }
}

/// Tells the kernel that huge pages are welcome here. The one call of this program that is not portable; it is a hint, and
/// where it is refused nothing is lost but speed.
#[cfg(target_os = "linux")]
fn ask_for_huge_pages(memory: NonNull<u8>, size: usize) {
    const MADV_HUGEPAGE: i32 = 14;
    unsafe extern "C" {
        fn madvise(address: *mut u8, length: usize, advice: i32) -> i32;
    }
    if size >= HUGE {
        // SAFETY: the range was just allocated, and the advice changes nothing but the size of its pages.
        let refused = unsafe { madvise(memory.as_ptr(), size, MADV_HUGEPAGE) } != 0;
        log::debug!("huge pages {}", if refused { "refused" } else { "welcome" });
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages(_: NonNull<u8>, _: usize) {}
