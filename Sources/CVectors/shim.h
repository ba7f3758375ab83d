// Vector operations that take one or two instructions, but that the compiler does not recognize in loops over lanes.
//
// The other architectures, and WebAssembly, get the same results from generic code.

#ifndef UPRIGHT_CVECTORS_SHIM_H
#define UPRIGHT_CVECTORS_SHIM_H

typedef short int16x8 __attribute__((ext_vector_type(8)));
typedef short int16x16 __attribute__((ext_vector_type(16)));
typedef int int32x8 __attribute__((ext_vector_type(8)));

#ifdef __SSE2__
typedef char upright_bytes __attribute__((vector_size(16)));
typedef short upright_shorts __attribute__((vector_size(16)));
typedef int upright_ints __attribute__((vector_size(16)));
#endif

/// Returns x·a + y·b in each lane.
static inline int32x8 pair_products(int16x8 x, int16x8 y, short a, short b) {
#ifdef __SSE2__
  int16x16 pairs =
      __builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
  upright_shorts factors = {a, b, a, b, a, b, a, b};
  upright_ints lower = __builtin_ia32_pmaddwd128((upright_shorts)pairs.lo, factors);
  upright_ints upper = __builtin_ia32_pmaddwd128((upright_shorts)pairs.hi, factors);
  return __builtin_shufflevector(lower, upper, 0, 1, 2, 3, 4, 5, 6, 7);
#else
  return __builtin_convertvector(x, int32x8) * (int)a + __builtin_convertvector(y, int32x8) * (int)b;
#endif
}

/// Returns the upper half of each lane.
static inline int16x8 upper_halves(int32x8 x) {
  int32x8 shifted = x >> 16;
#ifdef __SSE2__
  return __builtin_ia32_packssdw128((upright_ints)shifted.lo, (upright_ints)shifted.hi);
#else
  return __builtin_convertvector(shifted, int16x8);
#endif
}

/// Returns the first four lanes of both, interleaved.
static inline int16x8 lower_interleaved(int16x8 a, int16x8 b) {
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

/// Returns the last four lanes of both, interleaved.
static inline int16x8 upper_interleaved(int16x8 a, int16x8 b) {
  return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/// Returns one bit for each lane that is not zero, those of `a` first.
static inline unsigned nonzero_lanes(int16x8 a, int16x8 b) {
#ifdef __SSE2__
  // Saturation to bytes makes no zeros.
  upright_bytes bytes = __builtin_ia32_packsswb128(a, b);
  return ~(unsigned)__builtin_ia32_pmovmskb128(bytes == (upright_bytes){0}) & 0xFFFF;
#else
  unsigned result = 0;
  for (int lane = 0; lane < 8; lane++) {
    if (a[lane] != 0) result |= 1u << lane;
    if (b[lane] != 0) result |= 256u << lane;
  }
  return result;
#endif
}

#endif
