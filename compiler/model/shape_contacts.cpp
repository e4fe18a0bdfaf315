#include "compiler/model/shape_contacts.hpp"

#include <fmt/core.h>

#include <cmath>

#include "compiler/model/arrays.hpp"
#include "compiler/model/bodies.hpp"
#include "compiler/model/calls.hpp"
#include "compiler/model/expressions.hpp"
#include "compiler/model/shapes.hpp"

namespace nsmc {

namespace {

constexpr std::size_t kMostContacts = 5'000'000;

}  // namespace

std::optional<ShapeContacts::Side> ShapeContacts::side_of(const ast::Use& use) {
  Side side;
  side.all = use.all;
  if (use.index) side.indices.push_back(&*use.index);
  const auto found = globals_.find(use.name.text);
  if (found != globals_.end() && found->second.kind == SymbolKind::shape) {
    side.shape = &shapes_.shape(found->second.index);
  } else if (found != globals_.end() && found->second.kind == SymbolKind::body) {
    std::vector<std::string> names;
    for (const ShapeInfo& shape : shapes_.all()) {
      if (shape.body != found->second.index) continue;
      side.shape = &shape;
      names.push_back(shape.declaration->name.text);
    }
    if (names.size() != 1) {
      report(Kind::unknown_shape, use.span,
             names.empty() ? fmt::format("body '{}' has no shape", use.name.text)
                           : fmt::format("body '{}' has several shapes", use.name.text),
             names.empty() ? fmt::format("give it one: shape s = sphere(radius = r) on {}", use.name.text)
                           : fmt::format("say which one touches: {}", joined(names)));
      return std::nullopt;
    }
  } else {
    std::vector<std::string> names;
    for (const ShapeInfo& shape : shapes_.all()) names.push_back(shape.declaration->name.text);
    for (const BodyEntry& body : bodies_.all()) names.push_back(body.declaration->name.text);
    report(Kind::unknown_shape, use.name.span, fmt::format("'{}' is neither a shape nor a body", use.name.text),
           did_you_mean(use.name.text, names));
    return std::nullopt;
  }
  if (!side.shape->known) return std::nullopt;
  const bool array = !side.shape->instances.single();
  if (array != (use.index || use.all)) {
    report(Kind::bad_index, use.span,
           array ? fmt::format("'{}' is an array: which of them touches?", use.name.text)
                 : fmt::format("'{}' is not an array, it has no index", use.name.text),
           array ? fmt::format("write {0}[*] for all of them, or {0}[i] with a range at the end: for i in 1..n",
                               use.name.text)
                 : "");
    return std::nullopt;
  }
  return side;
}

bool ShapeContacts::add_instances(const ast::ShapePair& shapes, const ast::Part<ast::IndexRange>& range,
                                  Instances& instances) {
  const auto a = side_of(shapes.first);
  const auto b = side_of(shapes.second);
  if (!a || !b) return false;
  if (range && (a->all || b->all)) {
    report(Kind::bad_index, range->span, "[*] means all of them: it goes without a range");
    return false;
  }
  for (const Side* side : {&*a, &*b}) {
    if (side->all) instances.indices.push_back(side->shape->instances.indices[0]);
  }
  instances.pairs = a->all && b->all && a->shape == b->shape;
  instances.points = shapes_.points_of(*a->shape, *b->shape);
  // What is enumerated has its place in memory, whether it touches or not: about 2 kB.
  if (!is_searched(instances, *a, *b) && instances.count() > kMostContacts) {
    report(Kind::too_many_contacts, shapes.first.span,
           fmt::format("that would be {} contacts{}, {} at most are possible", instances.count(),
                       instances.points.empty() ? "" : fmt::format(" ({} for each pair)", instances.points.size()),
                       kMostContacts),
           "contacts with a range are there all the time, near or far; those of a[*] on b[*] come and go");
    return false;
  }
  for (const IndexBounds& bounds : instances.indices) {
    if (bounds.count() <= kMostContacts) continue;
    report(Kind::too_many_contacts, shapes.first.span,
           fmt::format("contacts of {} shapes, {} at most are possible", bounds.count(), kMostContacts));
    return false;
  }
  return true;
}

bool ShapeContacts::is_searched(const Instances& instances, const Side& a, const Side& b) const {
  return (a.all || b.all) && instances.count() > core_.search_from;
}

std::optional<std::uint32_t> ShapeContacts::shapes_on(const Side& side, Span span) {
  TypedShapes shapes;
  At at;
  std::optional<std::int64_t> one;
  if (side.all) {
    shapes.instances = side.shape->instances;
    at = instance_node(0, span);
  } else if (!side.indices.empty()) {
    std::vector<NodeId> found;
    if (!arrays_.find_instance(side.shape->declaration->name.text, side.indices, side.shape->instances, global_scope_,
                               span, found)) {
      return std::nullopt;
    }
    at = found[0];
    one = std::llround(evaluate(*at, {}).value_or(0));
  }
  const auto known = searched_.find({side.shape, one});
  if (known != searched_.end()) return known->second;
  const Looking looking(core_, shapes.instances);
  const Result bounds = shapes_.bounds(*side.shape, at, span);
  if (!bounds) return std::nullopt;
  shapes.bounds = *bounds;
  shapes.half_space = side.shape->kind == ShapeKind::plane;
  const auto number = static_cast<std::uint32_t>(model_.shapes.size());
  model_.shapes.push_back(std::move(shapes));
  searched_[{side.shape, one}] = number;
  return number;
}

void ShapeContacts::add_family(const ast::ShapePair& shapes, std::uint32_t contact) {
  const auto a = side_of(shapes.first);
  const auto b = side_of(shapes.second);
  if (!a || !b || !is_searched(model_.contacts[contact].instances, *a, *b)) return;
  TypedFamily family;
  std::uint32_t next = 0;
  std::uint32_t n = 0;
  for (const Side* side : {&*a, &*b}) {
    const auto number = shapes_on(*side, model_.contacts[contact].span);
    if (!number) return;
    if (side->all) family.index[n] = next++;
    family.shapes[n++] = *number;
  }
  model_.contacts[contact].family = family;
}

// Two shapes of one body, or of the world, do not move against each other.
bool ShapeContacts::apart(const ShapeInfo& a, At a_at, const ShapeInfo& b, At b_at, const TypedContact& contact) {
  const Instances& instances = contact.instances;
  const Span span = contact.span;
  const bool supported =
      a.dim == b.dim && (find_pair(a.kind, b.kind, a.dim) != nullptr || find_pair(b.kind, a.kind, a.dim) != nullptr);
  if (a.body != b.body || !supported) return true;
  if (!a.body) {
    report(
        Kind::unsupported_pair, span,
        fmt::format("'{}' and '{}' are both fixed in the world", a.declaration->name.text, b.declaration->name.text),
        fmt::format("a shape moves with a body: shape {} = {}(...) on ...", a.declaration->name.text, name_of(a.kind)));
    return false;
  }
  const BodyEntry& body = bodies_.body(*a.body);
  const auto index_of = [&](const ShapeInfo& shape, At at) -> At {
    if (body.instances.single() || !shape.declaration->body->index) return at;
    const Scope scope = shapes_.shape_scope(shape, at);
    return arrays_.index_node(*shape.declaration->body->index, scope, body.instances.indices[0],
                              body.declaration->name.text);
  };
  const At i = index_of(a, a_at), j = index_of(b, b_at);
  const bool own_index = i && j && node(*i).kind == NodeKind::instance && node(*j).kind == NodeKind::instance;
  if (instances.pairs && own_index) return true;  // i < j
  if (contact.family) return true;                // the search leaves them out
  const std::size_t n = body.instances.single() ? 1 : instances.count();
  for (std::size_t k = 0; k < n; ++k) {
    const std::vector<double> self = instances.self(k);
    if (!body.instances.single() && (!i || !j || evaluate(*i, self) != evaluate(*j, self))) continue;
    report(Kind::unsupported_pair, span,
           fmt::format("'{}' and '{}' are shapes of one body, '{}'{}: they do not move against each other",
                       a.declaration->name.text, b.declaration->name.text, body.declaration->name.text,
                       body.instances.single() ? "" : " for " + instances.suffix(k)),
           body.instances.single() ? "" : "name the pairs that may touch, as in a[i] on b[i + 1] for i in 1..n-1");
    return false;
  }
  return true;
}

std::optional<Quantities> ShapeContacts::pair_quantities(const ast::ShapePair& shapes, const TypedContact& contact,
                                                         const Scope& scope, const std::vector<NodeId>& self) {
  const auto a = side_of(shapes.first);
  const auto b = side_of(shapes.second);
  if (!a || !b) return std::nullopt;
  const Span span = contact.span;
  std::size_t next = 0;
  const auto which = [&](const Side& side, At& at) {
    if (side.all) {
      at = self[next++];
      return true;
    }
    std::vector<NodeId> found;
    if (!arrays_.find_instance(side.shape->declaration->name.text, side.indices, side.shape->instances, scope, span,
                               found)) {
      return false;
    }
    if (!found.empty()) at = found[0];
    return true;
  };
  At a_at, b_at;
  if (!which(*a, a_at) || !which(*b, b_at)) return std::nullopt;
  if (!apart(*a->shape, a_at, *b->shape, b_at, contact)) return std::nullopt;
  const std::size_t first_point = contact.instances.indices.size();
  const std::vector<NodeId> point(self.begin() + static_cast<std::ptrdiff_t>(first_point), self.end());
  Quantities q;
  const Result pair = shapes_.pair_geometry(*a->shape, a_at, *b->shape, b_at, point, span, &q.measures);
  if (!pair) return std::nullopt;

  NodeId centre = 0, frame = 0;
  const Pose first = shapes_.shape_pose(*a->shape, a_at, centre, frame, span);
  const Pose second = shapes_.shape_pose(*b->shape, b_at, centre, frame, span);
  const std::uint32_t dim = a->shape->dim;
  const bool space = dim == 3;
  const NodeId n = part(*pair, 1, dim, span);
  const NodeId p1 = part(*pair, 1 + dim, dim, span);
  const NodeId p2 = part(*pair, 1 + 2 * dim, dim, span);
  const char* velocity_at = space ? "velocity_at" : "velocity_at2";
  const NodeId v = expressions_.difference(calls_.library(velocity_at, {first.v, first.w, first.x, p1}, span),
                                           calls_.library(velocity_at, {second.v, second.w, second.x, p2}, span), span);
  if (a->shape->body) q.sides[0] = {a->shape->body, shapes_.body_instance(*a->shape, a_at)};
  if (b->shape->body) q.sides[1] = {b->shape->body, shapes_.body_instance(*b->shape, b_at)};
  q.gap = part(*pair, 0, 1, span);
  q.normal = n;
  q.point = p1;
  q.gap_rate = calls_.library("along", {n, v}, span);
  q.slip = calls_.library(space ? "slip_of" : "slip_of2", {n, v}, span);
  const NodeId w = expressions_.difference(first.w, second.w, span);
  if (space) q.spin = calls_.library("along", {n, w}, span);
  q.roll = space ? calls_.library("slip_of", {n, w}, span) : w;
  return q;
}

}  // namespace nsmc
