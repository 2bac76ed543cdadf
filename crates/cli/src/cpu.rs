//! Whether this CPU has the instructions that the binary was built with.

/// Returns the instruction sets of this build that the CPU lacks, empty if it can run it.
///
/// `is_x86_feature_detected!` answers yes without asking for whatever the build enables, so the CPU is asked
/// directly. [INTEL-SDM] volume 2, CPUID
#[cfg(target_arch = "x86_64")]
pub(crate) fn missing_features() -> Vec<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    let highest = __cpuid(0).eax;
    let basic = __cpuid(1);
    let extended = if highest >= 7 {
        __cpuid_count(7, 0)
    } else {
        __cpuid(0x8000_0000)
    };
    let (ebx, has_7) = (extended.ebx, highest >= 7);
    let amd = __cpuid(0x8000_0001);
    let bit = |register: u32, bit: u32| register >> bit & 1 != 0;
    let needs = [
        ("sse4.2", cfg!(target_feature = "sse4.2"), bit(basic.ecx, 20)),
        ("popcnt", cfg!(target_feature = "popcnt"), bit(basic.ecx, 23)),
        ("avx", cfg!(target_feature = "avx"), bit(basic.ecx, 28)),
        ("fma", cfg!(target_feature = "fma"), bit(basic.ecx, 12)),
        ("avx2", cfg!(target_feature = "avx2"), has_7 && bit(ebx, 5)),
        ("bmi1", cfg!(target_feature = "bmi1"), has_7 && bit(ebx, 3)),
        ("bmi2", cfg!(target_feature = "bmi2"), has_7 && bit(ebx, 8)),
        ("avx512f", cfg!(target_feature = "avx512f"), has_7 && bit(ebx, 16)),
        ("lzcnt", cfg!(target_feature = "lzcnt"), bit(amd.ecx, 5)),
    ];
    needs
        .into_iter()
        .filter(|&(_, built, has)| built && !has)
        .map(|(name, ..)| name)
        .collect()
}

/// Returns the instruction sets of this build that the CPU lacks: other architectures have none to choose.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn missing_features() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_cpu_that_runs_the_tests_can_run_the_build() {
        assert_eq!(super::missing_features(), Vec::<&str>::new());
    }
}
