// Kernels that work on several runs of one model at once, one run in each lane of a SIMD register: what a step of time
// needs, besides the kernels of kernel_abi.hpp and with the same meaning.
//
// Memory is an array of numbers, and a number is `lanes` doubles, one of each run: value i of lane l stands at
// i * lanes + l. Only the parameters of instances (`self`), which all runs have in common, are single doubles. All
// arrays of numbers are aligned to the size of a number.
#pragma once

#include <cstdint>

#include "runtime/kernel_abi.hpp"

extern "C" {

// As nsm_view; the time is a number too: lanes are not at the same time.
struct nsm_lane_view {
  const double* t;
  const double* p;
  const double* self;
  const double* q[2];
  const double* u[2];
  const double* lambda;
  double* shared;
  const double* z;
  const void* context;
};

typedef void (*nsm_lane_kernel)(const struct nsm_lane_view* view, double* out);

struct nsm_lane_block_class {
  nsm_lane_kernel kinematics;
  nsm_lane_kernel dynamics;
};

struct nsm_lane_contact_class {
  nsm_lane_kernel gap;
  nsm_lane_kernel directions;
};

// By class, in the order of the nsm_model that they belong to.
struct nsm_lane_model {
  uint32_t lanes;
  uint32_t exact;  // 1: every lane has the bits that the kernel of nsm_model computes for the same numbers
  const struct nsm_lane_block_class* block_classes;
  const struct nsm_lane_contact_class* contact_classes;
};

}  // extern "C"
