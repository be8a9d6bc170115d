// What every kernel is compiled for.
//
// KERNEL makes a version for each x86-64 level of the psABI: v4 (AVX-512), v3 (AVX2) and the baseline. The first
// call takes the best one that the CPU has. Other architectures have one version, and so has ThreadSanitizer, which
// starts after a program has chosen.
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
#define KERNEL __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define KERNEL
#endif

// A kernel's inner part, made part of each of its versions.
#define INNER static inline __attribute__((always_inline))
