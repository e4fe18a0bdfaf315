// A set of the language by itself, as a projection and what belongs to it.
//
//     const nsmc::Set set = nsmc::Set::from_text("ellipse(1, 2)");
//     std::vector<double> x{3, 1};
//     set.prox(x);   // the nearest point of the set
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nsmc/model.hpp"

namespace nsmc {

// Constant; may be used by several threads at once. Points have dim() components; another number is a SettingError.
class Set {
 public:
  // Of at most 6 dimensions, its numbers without units. definitions: declarations that the text may use, as of
  // parameters, sets, functions or imports. Throws ModelError, also for a set of more than three dimensions that is not
  // convex.
  static Set from_text(const std::string& text, const std::string& definitions = "", const ModelOptions& options = {});
  // The text may use the parameters, functions and sets of this model.
  static Set from_model(const std::string& text, const Model& model);

  std::size_t dim() const;
  // A set that is not convex is star-shaped about the origin, as reservoirs of two-set laws are. Then prox() is a
  // SettingError where several points are nearest, and exact to 1e-7; support() is that of the convex hull.
  bool convex() const;
  bool contains(std::span<const double> x) const;
  void prox(std::span<double> z) const;             // the nearest point of the set, in place
  double gauge(std::span<const double> x) const;    // inf { s >= 0 : x in s C }: at most 1 on a set with 0 inside
  double support(std::span<const double> v) const;  // max { v . x : x in C }; may be infinite
  // Points of the boundary: the two ends (dim 1), around it (dim 2; corners of a convex polygon), or the corners of
  // set_triangles(detail) (dim 3). detail: 0 few, 1 usual, 2 many. Nothing if the set has no end. SettingError beyond
  // dim 3.
  std::vector<std::vector<double>> boundary(int detail = 1) const;

  class Impl;
  explicit Set(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace nsmc
