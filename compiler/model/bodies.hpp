// Bodies: a body is a block of coordinates and velocities with a known kinetic energy; what it defines for others
// (poses, members, where forces act) are expressions of them, written with the functions of models/std/bodies.nsm.
#pragma once

#include "compiler/model/arguments.hpp"
#include "compiler/model/known_words.hpp"

namespace nsmc {

class Arrays;
class Calls;

struct BodyInfo {
  const ast::Body* declaration = nullptr;
  std::string doc;
  BlockKind kind{};
  std::uint32_t dim = 3;  // of the space it moves in
  Options options;
  Instances instances;
  std::uint32_t first_coordinate = 0, first_velocity = 0;
  bool known = false;
  bool failed = false;  // an error stands for it already
};

// Where a body (or the world) is and how it moves, in world coordinates.
struct Pose {
  NodeId x = 0, R = 0, v = 0, w = 0;
};

class Bodies : Part {
 public:
  Bodies(Core& core, Expressions& expressions, Calls& calls, Arrays& arrays, Arguments& arguments)
      : Part(core), expressions_(expressions), calls_(calls), arrays_(arrays), arguments_(arguments) {}

  void declare(const ast::Body& declaration, const std::string& doc);
  void allocate_bodies();
  void elaborate_bodies();
  void elaborate_gravity(const ast::Gravity& gravity);
  void elaborate_body_force(const ast::Force& force, const BodyInfo& body);

  const BodyInfo& body(std::uint32_t index) const { return bodies_[index]; }
  const std::vector<BodyInfo>& all() const { return bodies_; }
  At gravity() const { return gravity_; }
  bool known_body(const BodyInfo& body, Span span);  // false after a report
  // A body as an argument: a, bar[i + 1], or the world.
  const BodyInfo* find_body(const ast::Expr& expr, const Scope& scope, At& at, bool& world);

  Scope body_scope(const BodyInfo& body, At at) const;
  Pose pose(const BodyInfo& body, At at, Span span);
  Pose world_pose(std::uint32_t dim, Span span);
  // The pose at the start, in parameters: x and R.
  std::optional<Pose> initial_pose(const BodyInfo& body, At at, Span span);

  static std::vector<KnownWord> words();  // kinds of bodies, and what they define for others
  static std::vector<std::string> body_members(BlockKind kind);
  Result body_member(const BodyInfo& body, At at, const ast::Expr& expr, const Scope& scope);
  Result world_member(const ast::Expr& expr, const Scope& scope);

 private:
  void elaborate_body(BodyInfo& body);
  void check_positive(const BodyInfo& body, const char* option, NodeId value);
  void check_inertia(const BodyInfo& body, NodeId inertia, Span span);

  Expressions& expressions_;
  Calls& calls_;
  Arrays& arrays_;
  Arguments& arguments_;
  std::vector<BodyInfo> bodies_;
  std::optional<NodeId> gravity_;
};

}  // namespace nsmc
