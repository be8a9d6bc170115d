// What every kernel is compiled for.
//
// KERNEL makes a version for each x86-64 level of the psABI: v4 (AVX-512), v3 (AVX2) and the baseline. The first
// call takes the best one that the CPU has. Other architectures have one version.
//
// Products and sums are not fused, so that all versions give the same bits.
#pragma once
#pragma STDC FP_CONTRACT OFF

#if defined(__x86_64__) && defined(__linux__)
#define KERNEL __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define KERNEL
#endif

// A kernel's inner part, made part of each of its versions.
#define INNER static inline __attribute__((always_inline))
