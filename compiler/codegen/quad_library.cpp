#include "compiler/codegen/quad_library.hpp"

#include "runtime/kernel_abi.hpp"

// Declared here by their names in the libraries: of the headers, that of glibc names them for some compilers only, and
// what LLVM calls for + and < has none.
#define NSMC_OF_ONE(name) extern "C" nsm_quad nsmc_##name(nsm_quad) __asm__(#name)
#define NSMC_OF_TWO(name) extern "C" nsm_quad nsmc_##name(nsm_quad, nsm_quad) __asm__(#name)
#define NSMC_COMPARISON(name) extern "C" int nsmc_##name(nsm_quad, nsm_quad) __asm__(#name)

NSMC_OF_TWO(__addtf3);
NSMC_OF_TWO(__subtf3);
NSMC_OF_TWO(__multf3);
NSMC_OF_TWO(__divtf3);
NSMC_OF_TWO(powf128);
NSMC_OF_TWO(atan2f128);
NSMC_OF_TWO(hypotf128);
NSMC_OF_ONE(sqrtf128);
NSMC_OF_ONE(sinf128);
NSMC_OF_ONE(cosf128);
NSMC_OF_ONE(tanf128);
NSMC_OF_ONE(asinf128);
NSMC_OF_ONE(acosf128);
NSMC_OF_ONE(atanf128);
NSMC_OF_ONE(sinhf128);
NSMC_OF_ONE(coshf128);
NSMC_OF_ONE(tanhf128);
NSMC_OF_ONE(expf128);
NSMC_OF_ONE(logf128);
NSMC_COMPARISON(__eqtf2);
NSMC_COMPARISON(__netf2);
NSMC_COMPARISON(__lttf2);
NSMC_COMPARISON(__letf2);
NSMC_COMPARISON(__gttf2);
NSMC_COMPARISON(__getf2);
NSMC_COMPARISON(__unordtf2);
extern "C" nsm_quad nsmc_widen(double) __asm__("__extenddftf2");
extern "C" double nsmc_round(nsm_quad) __asm__("__trunctfdf2");

namespace nsmc {

std::span<const LibraryFunction> quad_library_functions() {
#define NSMC_FUNCTION(name) \
  { #name, reinterpret_cast < void*>(&nsmc_##name) }
  static const LibraryFunction functions[] = {
      NSMC_FUNCTION(__addtf3),
      NSMC_FUNCTION(__subtf3),
      NSMC_FUNCTION(__multf3),
      NSMC_FUNCTION(__divtf3),
      NSMC_FUNCTION(powf128),
      NSMC_FUNCTION(atan2f128),
      NSMC_FUNCTION(hypotf128),
      NSMC_FUNCTION(sqrtf128),
      NSMC_FUNCTION(sinf128),
      NSMC_FUNCTION(cosf128),
      NSMC_FUNCTION(tanf128),
      NSMC_FUNCTION(asinf128),
      NSMC_FUNCTION(acosf128),
      NSMC_FUNCTION(atanf128),
      NSMC_FUNCTION(sinhf128),
      NSMC_FUNCTION(coshf128),
      NSMC_FUNCTION(tanhf128),
      NSMC_FUNCTION(expf128),
      NSMC_FUNCTION(logf128),
      NSMC_FUNCTION(__eqtf2),
      NSMC_FUNCTION(__netf2),
      NSMC_FUNCTION(__lttf2),
      NSMC_FUNCTION(__letf2),
      NSMC_FUNCTION(__gttf2),
      NSMC_FUNCTION(__getf2),
      NSMC_FUNCTION(__unordtf2),
      {"__extenddftf2", reinterpret_cast<void*>(&nsmc_widen)},
      {"__trunctfdf2", reinterpret_cast<void*>(&nsmc_round)},
  };
  return functions;
}

}  // namespace nsmc
