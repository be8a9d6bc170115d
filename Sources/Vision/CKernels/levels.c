#include "CKernels.h"

int kernel_level(void) {
#if defined(__x86_64__) && defined(__linux__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512bw")) return 4;
    if (__builtin_cpu_supports("avx2")) return 3;
    return 1;
#else
    return 0;
#endif
}
