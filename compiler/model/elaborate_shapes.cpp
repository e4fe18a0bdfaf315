// Shapes and contacts between them. The geometry of a pair is a function of models/std/bodies.nsm that gives gap,
// normal and the two contact points; velocities follow from the bodies at these points.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "compiler/model/elaborator.hpp"
#include "compiler/model/looking.hpp"
#include "compiler/model/placed_shape.hpp"
#include "compiler/model/shape_pairs.hpp"

namespace nsmc {
void Elaborator::elaborate_shapes() {
  for (ShapeInfo& shape : shapes_) elaborate_shape(shape);
}

void Elaborator::elaborate_shape(ShapeInfo& shape) {
  const ast::Shape& declaration = *shape.declaration;
  const ast::Expr& call = declaration.call;
  const ShapeKindRow* kind = find_shape_kind(call.text);
  const bool is_call = call.kind == ast::ExprKind::call || call.kind == ast::ExprKind::name;
  if (!is_call || kind == nullptr) {
    std::vector<std::string> names;
    for (const ShapeKindRow& k : shape_kinds()) names.emplace_back(k.name);
    std::string hint = did_you_mean(call.text, names);
    if (hint.empty()) hint = fmt::format("shapes are {}", joined(names));
    report(Kind::unknown_shape, call.span,
           is_call ? fmt::format("unknown kind of shape '{}'", call.text) : "this is not a kind of shape", hint);
    return;
  }
  shape.kind = kind->kind;
  if (shape.kind != ShapeKind::polygon) {
    const auto options = options_of(call, kind->options, "shape");
    if (!options) return;
    shape.options = *options;
  }
  const auto range = ranged(declaration.range, global_scope_);
  if (!range) return;
  shape.instances = range->instances;
  const Looking looking(looking_, shape.instances);

  std::optional<std::uint32_t> body_dim;
  if (declaration.body) {
    const auto found = globals_.find(declaration.body->name.text);
    if (found == globals_.end() || found->second.kind != SymbolKind::body) {
      std::vector<std::string> names;
      for (const BodyInfo& body : bodies_) names.push_back(body.declaration->name.text);
      std::string hint = did_you_mean(declaration.body->name.text, names);
      if (hint.empty()) hint = "a shape without 'on' is fixed in the world";
      report(Kind::unknown_body, declaration.body->name.span,
             fmt::format("'{}' is not a body", declaration.body->name.text), hint);
      return;
    }
    shape.body = found->second.index;
    const BodyInfo& body = bodies_[*shape.body];
    if (!body.known) return;
    body_dim = body.dim;
    if (!body.instances.single() && !declaration.body->index) {
      // A shape for each body of the array.
      if (declaration.range) {
        report(Kind::bad_index, declaration.body->span,
               fmt::format("'{}' is an array: say which body the shape is on", declaration.body->name.text),
               fmt::format("write: on {}[{}]", declaration.body->name.text, declaration.range->variable.text));
        return;
      }
      shape.instances = body.instances;
    } else if (body.instances.single() && (declaration.body->index || declaration.body->all)) {
      report(Kind::bad_index, declaration.body->span,
             fmt::format("'{}' is not an array, it has no index", declaration.body->name.text));
      return;
    }
  }

  // Planar or spatial: by what it says of itself, by its place, by its body.
  const auto rows_of = [&](const ast::Expr& expr) -> std::optional<std::uint32_t> {
    const Result value = expression(expr, range->scope);
    return value ? std::optional(type(*value).rows) : std::nullopt;
  };
  std::optional<std::uint32_t> dim = body_dim;
  if (kind->room == ShapeRoom::plane) dim = 2;
  if (kind->told_by != nullptr && shape.options.contains(kind->told_by)) dim = rows_of(*shape.options[kind->told_by]);
  if (!dim && declaration.at) dim = rows_of(*declaration.at);
  shape.dim = dim.value_or(3);
  const std::string& name = declaration.name.text;
  if ((shape.dim != 2 && shape.dim != 3) || (body_dim && *body_dim != shape.dim)) {
    const auto room = [](std::uint32_t n) { return n == 2 ? "the plane" : "space"; };
    const bool possible = shape.dim == 2 || shape.dim == 3;
    report(Kind::shape_mismatch, call.span,
           possible ? fmt::format("{} '{}' is a shape in {}, its body moves in {}", kind->name, name, room(shape.dim),
                                  room(*body_dim))
                    : fmt::format("'{}' must have 2 or 3 dimensions, not {}", name, shape.dim),
           !possible        ? ""
           : shape.dim == 3 ? "planar shapes are " + shapes_in(2)
                            : "spatial shapes are " + shapes_in(3));
    return;
  }
  if (kind->room == ShapeRoom::space && shape.dim != 3) {
    report(Kind::shape_mismatch, call.span,
           fmt::format("{} '{}' is a shape in space, its body moves in the plane", kind->name, name),
           "planar shapes are " + shapes_in(2));
    return;
  }

  if (shape.dim == 2 && shape.options.contains("orientation")) {
    report(Kind::unknown_argument, shape.options["orientation"]->span,
           fmt::format("a planar {} has no orientation", kind->name), "a turned one is a polygon([x, y], ...)");
    return;
  }

  // Everything is tried once, so that what is wrong is reported where the shape stands.
  const std::size_t errors = diagnostics_.error_count();
  const At at = shape.instances.single() ? At() : At(instance_node(0, declaration.name.span));
  const Looking looking_at_shape(looking_, shape.instances);
  shape.known = true;
  NodeId centre = 0, frame = 0;
  shape_pose(shape, at, centre, frame, declaration.name.span);
  if (shape.kind != ShapeKind::plane && diagnostics_.error_count() == errors) {
    ShapeInfo floor;
    ast::Shape nowhere;
    floor.declaration = &nowhere;
    floor.kind = ShapeKind::plane;
    floor.dim = shape.dim;
    floor.known = true;
    const auto points = points_of(shape, floor);
    std::vector<NodeId> numbers;
    if (!points.empty()) {
      for (const double x : points.front()) numbers.push_back(make_number(x, {}, call.span));
    }
    pair_geometry(shape, at, floor, {}, numbers, call.span);
  } else if (diagnostics_.error_count() == errors) {
    const Result normal = option(shape.options, "normal", range->scope, shape.dim, {}, std::nullopt, call.span);
    if (normal && is_zero(*normal)) {
      report(Kind::body_incomplete, shape.options["normal"]->span,
             "the normal of a plane has a direction, this is zero");
    }
  }
  shape.known = diagnostics_.error_count() == errors;
}

// Contacts without a name of their own are called like their first shape, or after both where that is ambiguous.
void Elaborator::name_contacts() {
  std::map<std::string, int> uses;
  for (const ContactSource& source : contact_sources_) {
    const auto* contact = std::get_if<ast::Contact>(&source.declaration->value);
    if (source.pair != nullptr && contact->name.text.empty()) ++uses[source.pair->first.name.text];
  }
  for (std::uint32_t c = 0; c < contact_sources_.size(); ++c) {
    const ContactSource& source = contact_sources_[c];
    const auto* contact = std::get_if<ast::Contact>(&source.declaration->value);
    if (source.pair == nullptr || !contact->name.text.empty()) continue;
    const std::string& first = source.pair->first.name.text;
    const std::string name = uses[first] == 1 ? first : first + "_" + source.pair->second.name.text;
    model_.contacts[c].name = name;
    const auto known = globals_.find(name);
    const bool taken =
        known != globals_.end() && known->second.kind != SymbolKind::shape && known->second.kind != SymbolKind::body;
    if (taken || !contact_names_.emplace(name, c).second) {
      report(Kind::contact_needs_name, source.pair->first.span,
             fmt::format("this contact is called '{}', and there is something else of that name", name),
             fmt::format("give it a name of its own: contact touch = {} on {} {{ ... }}", first,
                         source.pair->second.name.text));
    }
  }
}

std::optional<Elaborator::Side> Elaborator::side_of(const ast::Use& use) {
  Side side;
  side.all = use.all;
  if (use.index) side.indices.push_back(&*use.index);
  const auto found = globals_.find(use.name.text);
  if (found != globals_.end() && found->second.kind == SymbolKind::shape) {
    side.shape = &shapes_[found->second.index];
  } else if (found != globals_.end() && found->second.kind == SymbolKind::body) {
    std::vector<std::string> names;
    for (const ShapeInfo& shape : shapes_) {
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
    for (const ShapeInfo& shape : shapes_) names.push_back(shape.declaration->name.text);
    for (const BodyInfo& body : bodies_) names.push_back(body.declaration->name.text);
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

ContactPoints Elaborator::points_of(const ShapeInfo& a, const ShapeInfo& b) const {
  if (a.dim != b.dim) return {};
  const ShapePairRow* row = find_pair(a.kind, b.kind, a.dim);
  if (row == nullptr) return find_pair(b.kind, a.kind, a.dim) != nullptr ? points_of(b, a) : ContactPoints{};
  return row->points != nullptr ? row->points(a, b) : ContactPoints{};
}

Scope Elaborator::shape_scope(const ShapeInfo& shape, At at) const {
  Scope scope;
  scope.parent = &global_scope_;
  if (shape.declaration->range && at) scope.names[shape.declaration->range->variable.text] = *at;
  return scope;
}

Pose Elaborator::shape_pose(const ShapeInfo& shape, At at, NodeId& centre, NodeId& frame, Span span) {
  const ast::Shape& declaration = *shape.declaration;
  const Scope scope = shape_scope(shape, at);
  Pose own;
  if (shape.body) {
    const BodyInfo& body = bodies_[*shape.body];
    At which = at;
    if (declaration.body->index) {
      const Result index =
          index_node(*declaration.body->index, scope, body.instances.indices[0], body.declaration->name.text);
      which = index ? At(*index) : At();
    } else if (body.instances.single()) {
      which.reset();
    }
    own = pose(body, which, span);
  } else {
    own = world_pose(shape.dim, span);
  }
  centre = own.x;
  frame = own.R;
  if (declaration.at) {
    const Result local =
        typed_value(*declaration.at, scope, shape.dim, physical(dimensions::length), "the place of a shape");
    if (local) {
      if (shape.body && node(*local).depends.any()) {
        report(Kind::not_constant, declaration.at->span, "the place of a shape on its body is fixed");
      } else if (!shape.body && (node(*local).depends.velocity || node(*local).depends.force)) {
        report(Kind::not_constant, declaration.at->span, "a place in the world may depend on time, not on velocities");
      }
      centre = shape.body ? library("placed", {own.x, own.R, *local}, span) : *local;
      // A shape of the world that is moved as a whole.
      if (!shape.body && node(*local).depends.state) {
        Type rate = type(*local);
        for (Dimension& d : rate.dimensions) d = d / time_dimension();
        own.x = *local;
        own.v = make(NodeKind::derivative, std::move(rate), {*local}, span);
      }
    }
  }
  if (shape.options.contains("orientation") && shape.dim == 3) {
    const Result e = option(shape.options, "orientation", scope, 4, {}, std::nullopt, span);
    if (e) frame = *multiply(frame, library("quaternion_matrix", {library("normalised", {*e}, span)}, span), span);
  }
  return own;
}

// [gap, n, p1, p2]
Result Elaborator::pair_geometry(const ShapeInfo& a, At a_at, const ShapeInfo& b, At b_at,
                                 const std::vector<NodeId>& point, Span span) {
  if (a.dim != b.dim) {
    report(Kind::unsupported_pair, span,
           fmt::format("'{}' is a shape in the plane, '{}' in space: they do not touch",
                       (a.dim == 2 ? a : b).declaration->name.text, (a.dim == 2 ? b : a).declaration->name.text),
           "a plane is for planar shapes if its normal has 2 components, for others if it has 3");
    return std::nullopt;
  }
  const ShapePairRow* row = find_pair(a.kind, b.kind, a.dim);
  if (row == nullptr && find_pair(b.kind, a.kind, a.dim) != nullptr) {
    const Result swapped = pair_geometry(b, b_at, a, a_at, point, span);
    if (!swapped) return std::nullopt;
    return library(a.dim == 2 ? "pair_swapped2" : "pair_swapped", {*swapped}, span);
  }
  if (row == nullptr) {
    report(Kind::unsupported_pair, span,
           fmt::format("a contact of {} '{}' with {} '{}' is not supported", name_of(a.kind), a.declaration->name.text,
                       name_of(b.kind), b.declaration->name.text),
           "supported are, " + supported_pairs());
    return std::nullopt;
  }
  PlacedShape first(*this, a, a_at, span);
  PlacedShape second(*this, b, b_at, span);
  const Result pair = row->geometry(first, second, point);
  return first.failed() || second.failed() ? std::nullopt : pair;
}

// Two shapes of one body, or of the world, do not move against each other.
bool Elaborator::apart(const ShapeInfo& a, At a_at, const ShapeInfo& b, At b_at, const Instances& instances,
                       Span span) {
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
  const BodyInfo& body = bodies_[*a.body];
  const auto index_of = [&](const ShapeInfo& shape, At at) -> At {
    if (body.instances.single() || !shape.declaration->body->index) return at;
    const Scope scope = shape_scope(shape, at);
    return index_node(*shape.declaration->body->index, scope, body.instances.indices[0], body.declaration->name.text);
  };
  const At i = index_of(a, a_at), j = index_of(b, b_at);
  const bool own_index = i && j && node(*i).kind == NodeKind::instance && node(*j).kind == NodeKind::instance;
  if (instances.pairs && own_index) return true;  // i < j
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

std::optional<Quantities> Elaborator::pair_quantities(std::uint32_t contact, const std::vector<NodeId>& self) {
  const ContactSource& source = contact_sources_[contact];
  const auto a = side_of(source.pair->first);
  const auto b = side_of(source.pair->second);
  if (!a || !b) return std::nullopt;
  const Span span = model_.contacts[contact].span;
  const Scope scope = contact_scope(contact, self);
  std::size_t next = 0;
  const auto which = [&](const Side& side, At& at) {
    if (side.all) {
      at = self[next++];
      return true;
    }
    std::vector<NodeId> found;
    if (!find_instance(side.shape->declaration->name.text, side.indices, side.shape->instances, scope, span, found)) {
      return false;
    }
    if (!found.empty()) at = found[0];
    return true;
  };
  At a_at, b_at;
  if (!which(*a, a_at) || !which(*b, b_at)) return std::nullopt;
  if (!apart(*a->shape, a_at, *b->shape, b_at, model_.contacts[contact].instances, span)) return std::nullopt;
  const std::size_t first_point = model_.contacts[contact].instances.indices.size();
  const std::vector<NodeId> point(self.begin() + static_cast<std::ptrdiff_t>(first_point), self.end());
  const Result pair = pair_geometry(*a->shape, a_at, *b->shape, b_at, point, span);
  if (!pair) return std::nullopt;

  NodeId centre = 0, frame = 0;
  const Pose first = shape_pose(*a->shape, a_at, centre, frame, span);
  const Pose second = shape_pose(*b->shape, b_at, centre, frame, span);
  const std::uint32_t dim = a->shape->dim;
  const bool space = dim == 3;
  const NodeId n = part(*pair, 1, dim, span);
  const NodeId p1 = part(*pair, 1 + dim, dim, span);
  const NodeId p2 = part(*pair, 1 + 2 * dim, dim, span);
  const char* velocity_at = space ? "velocity_at" : "velocity_at2";
  const NodeId v = difference(library(velocity_at, {first.v, first.w, first.x, p1}, span),
                              library(velocity_at, {second.v, second.w, second.x, p2}, span), span);
  Quantities q;
  q.gap = part(*pair, 0, 1, span);
  q.normal = n;
  q.point = p1;
  q.gap_rate = library("along", {n, v}, span);
  q.slip = library(space ? "slip_of" : "slip_of2", {n, v}, span);
  const NodeId w = difference(first.w, second.w, span);
  if (space) q.spin = library("along", {n, w}, span);
  q.roll = space ? library("slip_of", {n, w}, span) : w;
  return q;
}

}  // namespace nsmc
