//! Checks that this processor has the features for which the program was built.
//!
//! `main` checks this before anything else, since a missing instruction ends the program without a
//! message. The answer comes from CPUID itself: `is_x86_feature_detected!` is true by definition
//! for features that the whole build relies on. The code here works on single words, and tests bits
//! with hand-written instructions that even the oldest processors have. Left to itself, the
//! compiler might use the very registers and instructions that may be missing.

/// The features a build may rely on, in the order of the bits of [`missing`].
const NAMES: [&str; 17] = [
    "sse4.2",
    "popcnt",
    "lzcnt",
    "bmi1",
    "bmi2",
    "avx",
    "fma",
    "avx2",
    "avx512f",
    "avx512dq",
    "avx512bw",
    "avx512vl",
    "avx512vbmi",
    "avx512vbmi2",
    "avx512vnni",
    "avx512bitalg",
    "avx512vpopcntdq",
];

/// The features this build relies on, one bit for each name.
const NEEDED: u32 = cfg!(target_feature = "sse4.2") as u32
    | (cfg!(target_feature = "popcnt") as u32) << 1
    | (cfg!(target_feature = "lzcnt") as u32) << 2
    | (cfg!(target_feature = "bmi1") as u32) << 3
    | (cfg!(target_feature = "bmi2") as u32) << 4
    | (cfg!(target_feature = "avx") as u32) << 5
    | (cfg!(target_feature = "fma") as u32) << 6
    | (cfg!(target_feature = "avx2") as u32) << 7
    | (cfg!(target_feature = "avx512f") as u32) << 8
    | (cfg!(target_feature = "avx512dq") as u32) << 9
    | (cfg!(target_feature = "avx512bw") as u32) << 10
    | (cfg!(target_feature = "avx512vl") as u32) << 11
    | (cfg!(target_feature = "avx512vbmi") as u32) << 12
    | (cfg!(target_feature = "avx512vbmi2") as u32) << 13
    | (cfg!(target_feature = "avx512vnni") as u32) << 14
    | (cfg!(target_feature = "avx512bitalg") as u32) << 15
    | (cfg!(target_feature = "avx512vpopcntdq") as u32) << 16;

/// The features of this build that the processor or its operating system lacks, one bit for each of
/// `NAMES`.
#[inline(never)]
pub fn missing() -> u32 {
    without(NEEDED, present())
}

/// SIMD instructions that this processor has but the fills of this build do not use, such as in a
/// build for any x86-64.
pub fn unused() -> Option<&'static str> {
    /// The parts of AVX-512 that select `mod avx512`: VBMI2, VNNI and VPOPCNTDQ.
    const AVX512: u32 = 1 << 13 | 1 << 14 | 1 << 16;
    const AVX2: u32 = 1 << 7;
    let has = |features: u32| cfg!(target_arch = "x86_64") && without(features, present()) == 0;
    let lacks = |features: u32| without(features, NEEDED) != 0;
    match () {
        () if has(AVX512 | AVX2) && lacks(AVX512) => Some("AVX-512"),
        () if has(AVX2) && lacks(AVX2) => Some("AVX2"),
        () => None,
    }
}

/// The bits of `all` that are not in `some`. Written by hand, because with BMI1 the compiler would
/// use `andn`.
#[inline(always)]
fn without(all: u32, some: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut rest = some;
        // SAFETY: changes nothing but the register of `rest` and the flags.
        unsafe {
            std::arch::asm!(
                "not {rest:e}", "and {rest:e}, {all:e}",
                rest = inout(reg) rest, all = in(reg) all, options(pure, nomem, nostack)
            );
        }
        rest
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        all & !some
    }
}

/// One bit of a word. Written by hand, because the compiler would use `shrx` with BMI2, and might
/// vectorise several tests.
#[inline(always)]
fn bit(word: u32, index: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut bit = word;
        // SAFETY: changes nothing but the registers named here and the flags.
        unsafe {
            std::arch::asm!(
                "shr {bit:e}, cl", "and {bit:e}, 1",
                bit = inout(reg) bit, in("ecx") index, options(pure, nomem, nostack)
            );
        }
        bit
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        word >> index & 1
    }
}

#[cfg(target_arch = "x86_64")]
fn present() -> u32 {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    let one = __cpuid(1).ecx;
    let (ebx, ecx) = if __cpuid(0).eax >= 7 {
        let seven = __cpuid_count(7, 0);
        (seven.ebx, seven.ecx)
    } else {
        (0, 0)
    };
    let extended =
        if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
    // The operating system must save the wide registers: bits 1 and 2 of XCR0 for AVX, and 5 to 7
    // as well for AVX-512.
    let saved = saved_registers(one);
    let avx = u32::from(saved & 0x06 == 0x06);
    let avx512 = u32::from(saved & 0xe6 == 0xe6);

    let small = bit(one, 20)
        | bit(one, 23) << 1
        | bit(extended, 5) << 2
        | bit(ebx, 3) << 3
        | bit(ebx, 8) << 4;
    let wide = bit(one, 28) << 5 | bit(one, 12) << 6 | bit(ebx, 5) << 7;
    let widest = bit(ebx, 16) << 8
        | bit(ebx, 17) << 9
        | bit(ebx, 30) << 10
        | bit(ebx, 31) << 11
        | bit(ecx, 1) << 12
        | bit(ecx, 6) << 13
        | bit(ecx, 11) << 14
        | bit(ecx, 12) << 15
        | bit(ecx, 14) << 16;
    small | (wide * avx) | (widest * avx512)
}

/// XCR0, or 0 if processor or system lack it; `ecx` comes from CPUID leaf 1.
#[cfg(target_arch = "x86_64")]
fn saved_registers(ecx: u32) -> u64 {
    #[target_feature(enable = "xsave")]
    fn read() -> u64 {
        // SAFETY: `read` is called only after bit 27 of `ecx` was seen to be set.
        unsafe { std::arch::x86_64::_xgetbv(0) }
    }
    if ecx >> 27 & 1 == 0 {
        return 0;
    }
    // SAFETY: bit 27 (OSXSAVE), checked above, says that XSAVE and with it XGETBV are enabled.
    unsafe { read() }
}

/// On other processors builds have the scalar backend, which needs no features.
#[cfg(not(target_arch = "x86_64"))]
fn present() -> u32 {
    !0
}

/// Writes one line with the names of the missing features, for the user. Errors of the writer are
/// ignored.
#[cold]
#[inline(never)]
pub fn write_missing(missing: u32, out: &mut dyn std::io::Write) {
    let _ = out.write_all(b"freshet: this build needs a processor with");
    for (index, name) in NAMES.iter().enumerate() {
        if bit(missing, index as u32) != 0 {
            let _ = out.write_all(b" ");
            let _ = out.write_all(name.as_bytes());
        }
    }
    let _ = out.write_all(b"\n");
}
