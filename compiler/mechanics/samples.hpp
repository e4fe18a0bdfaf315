// Points at which properties of sets and laws are tried with numbers: always the same ones.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace nsmc {

using Point = std::vector<double>;

std::string point_text(const Point& x);  // "(1, -0.5)"
Point scaled(const Point& x, double factor);
double norm(const Point& x);

// Unit vectors all around, the axes first: functions go wrong there more often than elsewhere.
std::vector<Point> directions(std::size_t dim);

struct Smallest {
  Point direction;  // empty: no value was a number
  double value = 0;
};

// The smallest value of f over the directions, refined around the smallest of the samples: a fault that is narrower
// than the distance of two samples, or shallow, is found where the samples lean towards it.
Smallest smallest_over_directions(std::size_t dim, const std::function<double(const Point&)>& f);

}  // namespace nsmc
