#include "runtime/collision/kernel.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>

#include "runtime/collision/touch.hpp"

namespace nsmc::rt::collision {

namespace {

constexpr int most_arguments = 2 * (3 + 9 + 3);

Vec vector(const double* at) { return {at[0], at[1], at[2]}; }
Frame frame(const double* r) { return {{r[0], r[3], r[6]}, {r[1], r[4], r[7]}, {r[2], r[5], r[8]}}; }

// A solid as the arguments give it, with the row of numbers of its polytope.
struct Given {
  Given(SolidKind given, const double*& hull, const double*& arguments) : kind(given) {
    centre = vector(arguments);
    axes = frame(arguments + 3);
    const double* measures = arguments + 12;
    switch (kind) {
      case SolidKind::ball:
        write_point(own.data());
        radius = measures[0];
        break;
      case SolidKind::capsule:
        write_segment(measures[1], own.data());
        radius = measures[0];
        break;
      case SolidKind::box: write_box(vector(measures), own.data()); break;
      case SolidKind::hull:
        row = hull;
        hull += Hull(hull).size();
        break;
      case SolidKind::plane: break;
    }
    arguments = measures + measures_of(kind);
  }
  const double* numbers() const { return row != nullptr ? row : own.data(); }

  SolidKind kind;
  Vec centre{};
  Frame axes{};
  double radius = 0;
  std::array<double, box_numbers> own;
  const double* row = nullptr;
};

// What two solids in the given places are to each other, in the world.
struct Answer {
  const void* shapes = nullptr;
  int n_arguments = 0;
  std::array<double, most_arguments> arguments;
  Touch touch;
  Vec origin, centre_a, centre_b;
  double radius_a, radius_b, size;
};

// Two solids placed: scratch of a thread.
struct Scratch {
  std::optional<Placed> a, b;
};

void find(const double* shapes, const double* arguments, Answer& answer) {
  static thread_local const auto scratch = std::make_unique<Scratch>();
  const double* hull = shapes + 2;
  const Given first(static_cast<SolidKind>(shapes[0]), hull, arguments);
  const Given second(static_cast<SolidKind>(shapes[1]), hull, arguments);
  answer.origin = first.kind == SolidKind::plane ? second.centre : first.centre;
  const Vec origin = answer.origin;
  answer.centre_a = first.centre - origin;
  answer.centre_b = second.centre - origin;
  answer.radius_a = first.radius;
  answer.radius_b = second.radius;
  scratch->a.emplace(first.numbers(), first.radius, first.centre, first.axes, origin);
  if (second.kind == SolidKind::plane) {
    answer.touch = touch_plane(*scratch->a, answer.centre_b, second.axes.z);
    answer.size = scratch->a->size + first.radius;
    return;
  }
  scratch->b.emplace(second.numbers(), second.radius, second.centre, second.axes, origin);
  answer.touch = touch(*scratch->a, *scratch->b);
  answer.size = scratch->a->size + scratch->b->size + first.radius + second.radius;
}

int count_arguments(const double* shapes) {
  return 24 + measures_of(static_cast<SolidKind>(shapes[0])) + measures_of(static_cast<SolidKind>(shapes[1]));
}

const Answer& ask(const void* shapes, const double* arguments) {
  constexpr std::size_t kKept = 64;
  static thread_local const auto kept = std::make_unique<std::array<Answer, kKept>>();
  const auto* numbers = static_cast<const double*>(shapes);
  const int n = count_arguments(numbers);
  const auto bytes = static_cast<std::size_t>(n) * sizeof(double);
  std::uint64_t hash = reinterpret_cast<std::uintptr_t>(shapes);
  for (const int i : {0, 1, 2, n - 12, n - 11, n - 10}) {
    std::uint64_t bits;
    std::memcpy(&bits, arguments + i, sizeof bits);
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32u;
  }
  Answer& answer = (*kept)[hash % kKept];
  const bool known =
      answer.shapes == shapes && answer.n_arguments == n && std::memcmp(answer.arguments.data(), arguments, bytes) == 0;
  if (!known) {
    answer.shapes = nullptr;
    find(numbers, arguments, answer);
    std::memcpy(answer.arguments.data(), arguments, bytes);
    answer.n_arguments = n;
    answer.shapes = shapes;
  }
  return answer;
}

double* write(double* at, Vec v) {
  *at++ = v.x;
  *at++ = v.y;
  *at++ = v.z;
  return at;
}

// The point with this number, or none: open by the size of the two.
Point point_of(const Answer& answer, int number) {
  if (number <= answer.touch.n_points) return answer.touch.points[number - 1];
  Point point = answer.touch.points[0];
  point.gap = std::max(answer.touch.distance, 0.0) + answer.size;
  point.p1 = point.p2 + point.gap * point.n;
  return point;
}

const Answer& write_values(const void* shapes, const double* arguments, Point& point, double* out) {
  const Answer& answer = ask(shapes, arguments);
  point = point_of(answer, static_cast<int>(arguments[answer.n_arguments]));
  *out++ = point.gap;
  out = write(out, point.n);
  out = write(out, answer.origin + point.p1);
  write(out, answer.origin + point.p2);
  return answer;
}

}  // namespace

}  // namespace nsmc::rt::collision

using namespace nsmc::rt::collision;

void nsm_touch(nsm_kernel, const void* shapes, uint32_t, uint32_t, const double* arguments, double* out) {
  Point point;
  write_values(shapes, arguments, point, out);
}

void nsm_touch_slopes(nsm_kernel, const void* shapes, uint32_t, uint32_t, const double* arguments, double* out) {
  Point point;
  const Answer& answer = write_values(shapes, arguments, point, out);
  const Slopes s = slopes(point, answer.centre_a, answer.radius_a, answer.centre_b, answer.radius_b);
  std::copy(&s.of[0][0], &s.of[0][0] + 9 * 12, out + touch_values);
}
