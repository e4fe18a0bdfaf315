// The cache of compiled kernels that a command uses.
#pragma once

#include <optional>

#include "compiler/codegen/kernel_cache.hpp"

namespace nsmc {

// From the environment: NSMC_CACHE_DIR, else nsmc/ in XDG_CACHE_HOME, else ~/.cache/nsmc; NSMC_CACHE_MB bounds its
// size. Nothing if it is turned off or there is no place for it. Throws UsageError if the bound is not a number.
std::optional<KernelCache> kernel_cache();

}  // namespace nsmc
