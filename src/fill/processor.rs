//! Does this processor have what the build was made for?
//!
//! Asked before anything else: a missing instruction would end the program without a word. The answer comes from CPUID
//! itself, since the usual detection is true by definition for features the whole build relies on.

/// The features of this build that the processor or its system lacks, by name; none if it can run.
#[cfg(target_arch = "x86_64")]
pub fn missing() -> Vec<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    let most = __cpuid(0).eax;
    let one = __cpuid(1);
    let seven = if most >= 7 { __cpuid_count(7, 0) } else { __cpuid(0x8000_0000) };
    let (ebx, ecx) = if most >= 7 { (seven.ebx, seven.ecx) } else { (0, 0) };
    let extended = if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
    // The system must save the wide registers: bits 1 and 2 of XCR0 for AVX, 5 to 7 for AVX-512.
    let saved = saved_registers(one.ecx);
    let (avx, avx512) = (saved & 0x06 == 0x06, saved & 0xe6 == 0xe6);

    macro_rules! needed {
        ($($name:literal: $has:expr,)+) => {
            [$(($name, cfg!(target_feature = $name), $has),)+]
        };
    }
    let bit = |word: u32, bit: u32| word >> bit & 1 == 1;
    let features = needed! {
        "sse4.2": bit(one.ecx, 20),
        "popcnt": bit(one.ecx, 23),
        "avx": bit(one.ecx, 28) && avx,
        "fma": bit(one.ecx, 12) && avx,
        "lzcnt": bit(extended, 5),
        "bmi1": bit(ebx, 3),
        "bmi2": bit(ebx, 8),
        "avx2": bit(ebx, 5) && avx,
        "avx512f": bit(ebx, 16) && avx512,
        "avx512dq": bit(ebx, 17) && avx512,
        "avx512bw": bit(ebx, 30) && avx512,
        "avx512vl": bit(ebx, 31) && avx512,
        "avx512vbmi": bit(ecx, 1) && avx512,
        "avx512vbmi2": bit(ecx, 6) && avx512,
        "avx512vnni": bit(ecx, 11) && avx512,
        "avx512bitalg": bit(ecx, 12) && avx512,
        "avx512vpopcntdq": bit(ecx, 14) && avx512,
    };
    features.into_iter().filter(|(_, needed, has)| *needed && !has).map(|(name, ..)| name).collect()
}

/// XCR0, or nothing where the processor or system does not know it; `ecx` is that of CPUID leaf 1.
#[cfg(target_arch = "x86_64")]
fn saved_registers(ecx: u32) -> u64 {
    #[target_feature(enable = "xsave")]
    fn read() -> u64 {
        // SAFETY: the caller has seen that the instruction is there.
        unsafe { std::arch::x86_64::_xgetbv(0) }
    }
    if ecx >> 27 & 1 == 0 {
        return 0;
    }
    // SAFETY: bit 27 says that the system has enabled XSAVE and with it XGETBV.
    unsafe { read() }
}

/// Other processors have the scalar backend, which needs nothing.
#[cfg(not(target_arch = "x86_64"))]
pub fn missing() -> Vec<&'static str> {
    Vec::new()
}
