//! Prefetches: the processor starts to load a cache line that will soon be read.

/// Starts to load the cache line in which `place` begins; nothing else happens.
#[inline(always)]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let place: *const T = place;
        // SAFETY: a prefetch never faults, and the pointer comes from a reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(target_arch = "aarch64")]
    {
        let place: *const T = place;
        // SAFETY: a prefetch never faults, and changes neither registers nor memory.
        unsafe {
            std::arch::asm!(
                "prfm pldl1keep, [{place}]",
                place = in(reg) place, options(readonly, nostack, preserves_flags)
            );
        }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = place;
}
