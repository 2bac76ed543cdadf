//! What this CPU can do: whether it has the instructions that the program was built with, and which of several builds is
//! the best for it.

use std::env;

/// Names a build to run, for people who compare them; that of the program itself, or of none, is no other one.
#[cfg(unix)]
const CHOICE: &str = "OUTFLANK_LEVEL";

/// Returns the level of the instructions that this program was built with, as compilers name it.
pub(crate) const fn level() -> &'static str {
    if !cfg!(target_arch = "x86_64") {
        env::consts::ARCH
    } else if cfg!(all(
        target_feature = "avx512bw",
        target_feature = "avx512dq",
        target_feature = "avx512vl"
    )) {
        "x86-64-v4"
    } else if cfg!(all(
        target_feature = "avx2",
        target_feature = "bmi2",
        target_feature = "lzcnt"
    )) {
        "x86-64-v3"
    } else if cfg!(all(target_feature = "sse4.2", target_feature = "popcnt")) {
        "x86-64-v2"
    } else {
        "x86-64"
    }
}

/// Goes on as the best build for this CPU, if this is the program of a release that holds several:
/// `libexec/outflank/LEVEL/outflank` beside its folder. Returns if this one is the best.
pub(crate) fn run_best_build() {
    #[cfg(unix)]
    if let Some(build) = best_build() {
        use std::os::unix::process::CommandExt as _;
        let mut arguments = env::args_os();
        let mut command = std::process::Command::new(build);
        if let Some(name) = arguments.next() {
            command.arg0(name);
        }
        // A build that cannot be started is no reason not to work.
        let _cannot_start = command.args(arguments).exec();
    }
}

#[cfg(unix)]
fn best_build() -> Option<std::path::PathBuf> {
    let program = env::current_exe().ok()?;
    let builds = program.parent()?.parent()?.join("libexec/outflank");
    let choice = env::var(CHOICE).ok();
    ["x86-64-v4", "x86-64-v3"]
        .into_iter()
        .filter(|level| {
            choice
                .as_ref()
                .map_or_else(|| can_run(level), |choice| choice == level)
        })
        .map(|level| builds.join(level).join("outflank"))
        .find(|build| build.is_file())
}

/// Reports whether this CPU has all instructions of a level.
#[cfg(all(unix, target_arch = "x86_64"))]
fn can_run(level: &str) -> bool {
    let has_v3 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe");
    let has_v4 = has_v3
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    if level == "x86-64-v4" { has_v4 } else { has_v3 }
}

/// Reports whether this CPU has all instructions of a level: other architectures have none of these.
#[cfg(all(unix, not(target_arch = "x86_64")))]
fn can_run(_level: &str) -> bool {
    false
}

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

#[cfg(all(test, unix))]
mod tests {
    #[test]
    fn the_cpu_that_runs_the_tests_can_run_the_build() {
        assert_eq!(super::missing_features(), Vec::<&str>::new());
    }

    #[test]
    fn a_program_without_other_builds_beside_it_is_the_best() {
        assert_eq!(super::best_build(), None);
    }
}
