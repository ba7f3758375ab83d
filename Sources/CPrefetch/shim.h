// What compilers offer and Swift does not.

#ifndef UPRIGHT_CPREFETCH_SHIM_H
#define UPRIGHT_CPREFETCH_SHIM_H

/// Asks the processor to bring the memory at an address near. Never fails, whatever the address.
static inline void prefetch(const void *address) { __builtin_prefetch(address); }

#endif
