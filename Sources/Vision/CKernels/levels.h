// What every kernel is compiled for.
//
// KERNEL makes a version for CPUs with AVX-512 (BW), one for those with AVX2, and the baseline. The first call takes the
// best one that the CPU has. Versions are named by what they need: one for a CPU's name (arch=haswell) would run on
// that CPU only, and clang with assertions, as Debian has it, stops at the levels of the psABI (arch=x86-64-v3). Other
// architectures have one version, and so has ThreadSanitizer, which starts after a program has chosen.
//
// Products and sums are not fused, so that all versions give the same bits.
#pragma once
#pragma STDC FP_CONTRACT OFF

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_ONE_VERSION
#endif
#endif

#if defined(__x86_64__) && defined(__linux__) && !defined(HAS_ONE_VERSION)
#define KERNEL __attribute__((target_clones("avx512bw", "avx2", "default")))
#else
#define KERNEL
#endif

// A kernel's inner part, made part of each of its versions.
#define INNER static inline __attribute__((always_inline))
