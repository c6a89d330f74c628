//! Zeroed memory in huge pages, where the system gives them: a table is read at random, and with
//! pages of 4 KiB most reads miss the cache of address translations (TLB).
//!
//! On Linux large blocks come from the kernel and go back to it. From the allocator of glibc, freed
//! blocks would stay with the process: tens of megabytes after some changes of Hash and Threads.
//!
//! Windows gives large pages only to users who hold the right "Lock pages in memory"
//! (`SeLockMemoryPrivilege`), and only to programs that switch it on.

use std::alloc::Layout;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use bytemuck::Zeroable;

/// Bytes of a huge page on x86-64 and most others.
#[cfg(all(any(target_os = "linux", windows), not(miri)))]
const SIZE: usize = 2 << 20;

/// The largest alignment a type may have: Windows guarantees no more for large blocks.
const ALIGNMENT: usize = 64 << 10;

/// A slice of values, zeroed at the start, that need no drop.
pub(crate) struct HugePages<T: Zeroable> {
    memory: NonNull<T>,
    length: usize,
    layout: Layout,
}

// SAFETY: `HugePages` owns its memory as a `Box` does.
unsafe impl<T: Zeroable + Send> Send for HugePages<T> {}
// SAFETY: as above.
unsafe impl<T: Zeroable + Sync> Sync for HugePages<T> {}

impl<T: Zeroable> HugePages<T> {
    /// Allocates `length` zeroed values, at least one; `None` if the system has no memory for them.
    pub(crate) fn new(length: usize) -> Option<HugePages<T>> {
        const { assert!(!std::mem::needs_drop::<T>() && align_of::<T>() <= ALIGNMENT) };
        let layout = Layout::array::<T>(length).ok()?;
        if layout.size() == 0 {
            return None;
        }
        // SAFETY: the size is not zero, and the alignment at most `ALIGNMENT`, both checked above.
        let memory = unsafe { system::allocate(layout) }?;
        // SAFETY: all `layout.size()` bytes were just allocated.
        unsafe { memory.write_bytes(0, layout.size()) };
        Some(HugePages { memory: memory.cast(), length, layout })
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
        unsafe { system::free(self.memory.cast(), self.layout) };
    }
}

impl<T: Zeroable> fmt::Debug for HugePages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values in huge pages", self.length)
    }
}

/// Takes blocks of a huge page or more from the kernel.
#[cfg(all(target_os = "linux", not(miri)))]
mod system {
    use std::alloc::{Layout, alloc, dealloc};
    use std::ptr::{NonNull, null_mut};

    use super::SIZE;

    /// Allocates memory of this layout, uninitialised; `None` if the system has none. Blocks of at
    /// least [`SIZE`] bytes are aligned to huge pages.
    ///
    /// # Safety
    ///
    /// The size is not zero, and the alignment is at most [`SIZE`].
    pub(crate) unsafe fn allocate(layout: Layout) -> Option<NonNull<u8>> {
        if layout.size() < SIZE {
            // SAFETY: the caller guarantees that the size is not zero.
            return NonNull::new(unsafe { alloc(layout) });
        }
        map(layout.size().checked_next_multiple_of(SIZE)?)
    }

    /// Gives memory back.
    ///
    /// # Safety
    ///
    /// It comes from [`allocate`] with this layout, and is not used any more.
    pub(crate) unsafe fn free(memory: NonNull<u8>, layout: Layout) {
        if layout.size() < SIZE {
            // SAFETY: the caller guarantees that it was allocated, by `alloc` for this size.
            unsafe { dealloc(memory.as_ptr(), layout) };
        } else {
            // SAFETY: the caller guarantees that it was allocated, by `map` for this size.
            unsafe { libc::munmap(memory.as_ptr().cast(), layout.size().next_multiple_of(SIZE)) };
        }
    }

    /// Maps whole huge pages, aligned to their size.
    fn map(size: usize) -> Option<NonNull<u8>> {
        let (access, kind) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        let larger = size.checked_add(SIZE)?;
        // SAFETY: a new mapping, for which the system finds addresses that nothing else has.
        let start = unsafe { libc::mmap(null_mut(), larger, access, kind, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        let start = start.cast::<u8>();
        let lead = start.align_offset(SIZE);
        let memory = start.wrapping_add(lead);
        for (surplus, length) in [(start, lead), (memory.wrapping_add(size), SIZE - lead)] {
            if length > 0 {
                // SAFETY: both ends belong to the mapping just made, and nobody knows them.
                unsafe { libc::munmap(surplus.cast(), length) };
            }
        }
        // Must come before the first access: pages that exist already keep their size. It is only a
        // hint; without it the program is slower, not wrong.
        // SAFETY: the rest of the mapping, and the advice changes nothing but the size of its pages.
        let refused = unsafe { libc::madvise(memory.cast(), size, libc::MADV_HUGEPAGE) } != 0;
        log::info!("huge pages {}", if refused { "refused" } else { "requested" });
        NonNull::new(memory)
    }
}

/// Takes blocks of a large page or more from the system.
#[cfg(all(windows, not(miri)))]
mod system {
    use std::alloc::{Layout, alloc, dealloc};
    use std::ptr::{NonNull, null, null_mut};
    use std::sync::LazyLock;

    use windows_sys::Win32::Foundation::{CloseHandle, ERROR_SUCCESS, GetLastError};
    use windows_sys::Win32::Security::{
        AdjustTokenPrivileges, LookupPrivilegeValueW, SE_LOCK_MEMORY_NAME, SE_PRIVILEGE_ENABLED,
        TOKEN_ADJUST_PRIVILEGES, TOKEN_PRIVILEGES,
    };
    use windows_sys::Win32::System::Memory::{
        GetLargePageMinimum, MEM_COMMIT, MEM_LARGE_PAGES, MEM_RELEASE, MEM_RESERVE, PAGE_READWRITE,
        VirtualAlloc, VirtualFree,
    };
    use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

    use super::SIZE;

    /// Allocates memory of this layout, uninitialised; `None` if the system has none. Blocks of at
    /// least [`SIZE`] bytes are aligned to 64 KiB, and to large pages if they consist of them.
    ///
    /// # Safety
    ///
    /// The size is not zero, and the alignment is at most 64 KiB.
    pub(crate) unsafe fn allocate(layout: Layout) -> Option<NonNull<u8>> {
        if layout.size() < SIZE {
            // SAFETY: the caller guarantees that the size is not zero.
            return NonNull::new(unsafe { alloc(layout) });
        }
        static LARGE_PAGE: LazyLock<Option<usize>> = LazyLock::new(large_page);
        let kind = MEM_RESERVE | MEM_COMMIT;
        let large = LARGE_PAGE.and_then(|page| {
            let size = layout.size().checked_next_multiple_of(page)?;
            // SAFETY: a new block, for which the system finds addresses that nothing else has.
            let start =
                unsafe { VirtualAlloc(null(), size, kind | MEM_LARGE_PAGES, PAGE_READWRITE) };
            NonNull::new(start.cast())
        });
        log::info!("large pages {}", if large.is_some() { "in use" } else { "refused" });
        large.or_else(|| {
            // SAFETY: as above.
            let start = unsafe { VirtualAlloc(null(), layout.size(), kind, PAGE_READWRITE) };
            NonNull::new(start.cast())
        })
    }

    /// Gives memory back.
    ///
    /// # Safety
    ///
    /// It comes from [`allocate`] with this layout, and is not used any more.
    pub(crate) unsafe fn free(memory: NonNull<u8>, layout: Layout) {
        if layout.size() < SIZE {
            // SAFETY: the caller guarantees that it was allocated, by `alloc` for this size.
            unsafe { dealloc(memory.as_ptr(), layout) };
        } else {
            // SAFETY: the caller guarantees that it was allocated, by `VirtualAlloc`.
            unsafe { VirtualFree(memory.as_ptr().cast(), 0, MEM_RELEASE) };
        }
    }

    /// The size of a large page, if the processor has them and the user may use them.
    fn large_page() -> Option<usize> {
        // SAFETY: no conditions.
        let size = unsafe { GetLargePageMinimum() };
        (size > 0 && may_lock_memory()).then_some(size)
    }

    /// Switches on the right to lock pages in memory, and says whether the user holds it.
    fn may_lock_memory() -> bool {
        let mut token = null_mut();
        // SAFETY: `token` can be written.
        let opened =
            unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES, &mut token) };
        if opened == 0 {
            return false;
        }
        let mut rights = TOKEN_PRIVILEGES { PrivilegeCount: 1, ..Default::default() };
        rights.Privileges[0].Attributes = SE_PRIVILEGE_ENABLED;
        // SAFETY: the name ends with a zero, and the number of the right can be written.
        let known = unsafe {
            LookupPrivilegeValueW(null(), SE_LOCK_MEMORY_NAME, &mut rights.Privileges[0].Luid)
        };
        // The call succeeds even if the user lacks the right; then the last error is not ERROR_SUCCESS.
        // SAFETY: the token is open, and `rights` has as many rights as it says.
        let held = known != 0
            && unsafe { AdjustTokenPrivileges(token, 0, &rights, 0, null_mut(), null_mut()) } != 0
            // SAFETY: no conditions.
            && unsafe { GetLastError() } == ERROR_SUCCESS;
        // SAFETY: opened above, and not used any more.
        unsafe { CloseHandle(token) };
        held
    }
}

/// Takes all memory from Rust's allocator.
#[cfg(any(not(any(target_os = "linux", windows)), miri))]
mod system {
    use std::alloc::{Layout, alloc, dealloc};
    use std::ptr::NonNull;

    /// Allocates memory of this layout, uninitialised; `None` if the system has none.
    ///
    /// # Safety
    ///
    /// The size is not zero.
    pub(super) unsafe fn allocate(layout: Layout) -> Option<NonNull<u8>> {
        // SAFETY: the caller guarantees that the size is not zero.
        NonNull::new(unsafe { alloc(layout) })
    }

    /// Gives memory back.
    ///
    /// # Safety
    ///
    /// It comes from [`allocate`] with this layout, and is not used any more.
    pub(super) unsafe fn free(memory: NonNull<u8>, layout: Layout) {
        // SAFETY: the caller guarantees that it was allocated with this layout.
        unsafe { dealloc(memory.as_ptr(), layout) };
    }
}
