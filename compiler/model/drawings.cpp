#include "compiler/model/drawings.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "compiler/model/arrays.hpp"
#include "compiler/model/calls.hpp"
#include "compiler/model/expressions.hpp"

namespace nsmc {

enum class DrawingForm : std::uint8_t {
  solid,     // at a place, with measures and a direction
  points,    // made of points, which are its arguments
  position,  // only a place
  contact,   // where the forces of a contact act, and their directions
};

struct Drawings::KindRow {
  const char* name;
  DrawingForm form;
  std::vector<std::string> options;
};

const std::vector<Drawings::KindRow>& Drawings::kinds() {
  static const std::vector<KindRow> kKinds{
      {"sphere", DrawingForm::solid, {"radius"}},
      {"box", DrawingForm::solid, {"size"}},
      {"cylinder", DrawingForm::solid, {"radius", "length"}},
      {"capsule", DrawingForm::solid, {"radius", "length"}},
      {"disc", DrawingForm::solid, {"radius", "thickness"}},
      {"plane", DrawingForm::solid, {"normal"}},
      {"line", DrawingForm::points, {"from", "to"}},
      {"polyline", DrawingForm::points, {}},
      {"arrow", DrawingForm::points, {"from", "to"}},
      {"text", DrawingForm::position, {}},
      {"trace", DrawingForm::position, {}},
      {"reaction", DrawingForm::contact, {"contact", "slip"}},
  };
  return kKinds;
}

namespace {

// Those of CSS that people name.
constexpr std::string_view kColors[] = {"black",  "white",  "gray",    "grey",    "silver", "red",       "maroon",
                                        "pink",   "orange", "gold",    "brown",   "yellow", "olive",     "green",
                                        "lime",   "teal",   "cyan",    "blue",    "navy",   "steelblue", "skyblue",
                                        "purple", "violet", "magenta", "crimson", "tomato", "coral",     "tan"};

bool is_color(std::string_view text) {
  if (text.starts_with('#')) {
    const std::string_view digits = text.substr(1);
    return (digits.size() == 3 || digits.size() == 6) &&
           std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
  }
  return std::find(std::begin(kColors), std::end(kColors), text) != std::end(kColors);
}

}  // namespace

std::vector<KnownWord> Drawings::words() {
  std::vector<KnownWord> words;
  for (const KindRow& kind : kinds()) words.push_back({WordGroup::drawing, kind.name, kind.options});
  for (const std::string_view color : kColors) words.push_back({WordGroup::color, std::string(color)});
  return words;
}

void Drawings::elaborate(const ast::Draw& draw, const std::string& doc) {
  // Nothing names a drawing, so that a body and its drawing may have one name; but the page lists them.
  const auto [known, fresh] = names_.emplace(draw.name.text, draw.name.span);
  if (!fresh) {
    report(Kind::duplicate_name, draw.name.span, fmt::format("there are two drawings '{}'", draw.name.text))
        .labels.push_back({known->second, "first declared here"});
    return;
  }
  const auto range = arrays_.ranged(draw.range, global_scope_);
  if (!range) return;
  const Looking looking(core_, range->instances);
  Sketch sketch{draw, range->scope};
  sketch.drawing.name = draw.name.text + (draw.range ? "@" : "");
  sketch.drawing.doc = doc;
  sketch.drawing.span = draw.name.span;
  sketch.drawing.instances = range->instances;
  if (!find_kind(sketch) || !find_color(sketch)) return;
  const DrawingForm form = sketch.kind->form;
  const bool done = form == DrawingForm::points ? find_points(sketch)
                    : form == DrawingForm::contact
                        ? find_place(sketch) && find_reaction(sketch)
                        : find_place(sketch) && find_direction(sketch) && find_measures(sketch);
  if (!done) return;
  sketch.drawing.planar = sketch.dim == 2;
  drawings_.push_back(std::move(sketch.drawing));
}

bool Drawings::find_kind(Sketch& sketch) {
  const ast::Expr& call = sketch.draw.call;
  const auto& all = kinds();
  const auto kind = std::find_if(all.begin(), all.end(), [&](const KindRow& row) { return call.text == row.name; });
  if (kind == all.end()) {
    std::vector<std::string> names;
    for (const KindRow& row : all) names.emplace_back(row.name);
    std::string hint = did_you_mean(call.text, names);
    if (hint.empty()) hint = fmt::format("drawings are {}", joined(names));
    report(Kind::bad_drawing, call.span, fmt::format("unknown kind of drawing '{}'", call.text), hint);
    return false;
  }
  sketch.kind = &*kind;
  sketch.drawing.kind = kind->name;
  const bool is_text = sketch.drawing.kind == "text";
  if (is_text != sketch.draw.text.has_value()) {
    report(Kind::bad_drawing, is_text ? call.span : sketch.draw.text->span,
           is_text ? "what is written is missing" : fmt::format("a {} has no text", call.text),
           is_text ? "write: draw label = text(\"...\") at p" : "write: draw label = text(\"...\") at p");
    return false;
  }
  if (is_text) sketch.drawing.text = sketch.draw.text->text;
  if (sketch.drawing.kind == "polyline") return true;  // its arguments are points
  auto options = arguments_.options_of(call, kind->options, "drawing");
  if (options) sketch.options = std::move(*options);
  return options.has_value();
}

bool Drawings::find_color(Sketch& sketch) {
  if (!sketch.draw.color) return true;
  sketch.drawing.color = sketch.draw.color->text;
  if (is_color(sketch.drawing.color)) return true;
  std::string hint =
      did_you_mean(sketch.drawing.color, std::vector<std::string>(std::begin(kColors), std::end(kColors)));
  if (hint.empty()) hint = "write a name, \"red\", or red, green and blue as \"#3366cc\"";
  report(Kind::bad_drawing, sketch.draw.color->span, fmt::format("'{}' is not a colour", sketch.drawing.color), hint);
  return false;
}

Result Drawings::length(const ast::Expr& expr, const Scope& scope, std::uint32_t rows, const std::string& what) {
  return arguments_.typed_value(expr, scope, rows, physical(dimensions::length), what);
}

void Drawings::add(Sketch& sketch, std::string role, NodeId value) {
  sketch.drawing.parts.emplace_back(std::move(role), value);
}

bool Drawings::find_place(Sketch& sketch) {
  const ast::Draw& draw = sketch.draw;
  if (!draw.at) {
    report(Kind::bad_drawing, draw.call.span, fmt::format("where the {} is drawn is missing", sketch.drawing.kind),
           fmt::format("write: draw {} = {}(...) at [x, y]", draw.name.text, sketch.drawing.kind));
    return false;
  }
  const Result place = expressions_.expression(*draw.at, sketch.scope);
  if (!place) return false;
  sketch.dim = type(*place).rows;
  if (sketch.dim != 2 && sketch.dim != 3) {
    report(Kind::shape_mismatch, draw.at->span,
           fmt::format("a place has 2 components in the plane or 3 in space, this is {}", shape_text(type(*place))));
    return false;
  }
  if (!length(*draw.at, sketch.scope, sketch.dim, "the place of a drawing")) return false;
  add(sketch, "position", in_space(*place, draw.at->span));
  return true;
}

NodeId Drawings::axis(std::uint32_t which, Span span) {
  std::vector<NodeId> parts(3, make_number(0, {}, span));
  parts[which] = make_number(1, {}, span);
  return stack(parts, span);
}

NodeId Drawings::in_space(NodeId vector, Span span) {
  return type(vector).rows == 2 ? stack({vector, zeros(1, span)}, span) : vector;
}

NodeId Drawings::turned_to(NodeId direction, Span span) {
  return calls_.library("rotation_to", {in_space(direction, span)}, span);
}

NodeId Drawings::turned_by(NodeId angle, Span span) { return calls_.library("rotation", {axis(2, span), angle}, span); }

NodeId Drawings::after(NodeId second, NodeId first, Span span) {
  return calls_.library("quaternion_product", {second, first}, span);
}

// An angle in the plane, a quaternion, or a rotation matrix: as a unit quaternion.
Result Drawings::turned(const Sketch& sketch) {
  const ast::Expr& expr = *sketch.draw.turned;
  const Span span = expr.span;
  const Result value = expressions_.expression(expr, sketch.scope);
  if (!value) return std::nullopt;
  const Type t = type(*value);
  const bool pure = t.kind == ValueKind::number && std::all_of(t.dimensions.begin(), t.dimensions.end(),
                                                               [](const Dimension& d) { return d.fits({}); });
  if (pure && t.size() == 1 && sketch.dim == 2) return turned_by(*value, span);
  if (pure && t.rows == 2 && t.cols == 2 && sketch.dim == 2)
    return turned_by(calls_.library("matrix_angle", {*value}, span), span);
  if (pure && t.rows == 4 && t.cols == 1 && sketch.dim == 3) return calls_.library("normalised", {*value}, span);
  if (pure && t.rows == 3 && t.cols == 3 && sketch.dim == 3) return calls_.library("matrix_quaternion", {*value}, span);
  report(Kind::bad_drawing, span,
         fmt::format("'turned' takes {}, this is {}",
                     sketch.dim == 2 ? "an angle or a rotation matrix in the plane"
                                     : "a quaternion or a rotation matrix in space",
                     pure || t.kind != ValueKind::number ? shape_text(t) : t.dimensions[0].description()),
         sketch.dim == 3 && t.size() == 1 ? "write: turned rotation([0, 0, 1], angle)" : "");
  return std::nullopt;
}

bool Drawings::find_direction(Sketch& sketch) {
  const ast::Draw& draw = sketch.draw;
  const bool solid = sketch.kind->form == DrawingForm::solid;
  const bool round = sketch.drawing.kind == "sphere";
  for (const auto* clause : {&draw.along, &draw.turned}) {
    const bool along = clause == &draw.along;
    if (!*clause || (solid && !(along && round))) continue;
    report(Kind::bad_drawing, (**clause).span, fmt::format("a {} has no direction", sketch.drawing.kind),
           fmt::format("leave out '{}'", along ? "along" : "turned"));
    return false;
  }
  if (draw.along && draw.turned) {
    report(Kind::bad_drawing, draw.turned->span, "'along' and 'turned' both say how it is turned",
           "keep one of the two");
    return false;
  }
  if (!solid) return true;
  const Span span = draw.call.span;
  // What has an axis has it along the third one in space, along the first one in the plane.
  const bool has_axis = sketch.drawing.kind == "cylinder" || sketch.drawing.kind == "capsule";
  At rest;
  if (has_axis && sketch.dim == 2) rest = turned_to(axis(0, span), span);
  if (sketch.drawing.kind == "plane") {
    if (sketch.options.contains("normal")) {
      const Result normal =
          arguments_.typed_value(*sketch.options["normal"], sketch.scope, sketch.dim, {}, "the normal");
      if (!normal) return false;
      rest = turned_to(*normal, span);
    } else if (sketch.dim == 2) {
      rest = turned_to(axis(1, span), span);
    }
  }
  if (draw.turned) {
    const Result turn = turned(sketch);
    if (!turn) return false;
    rest = rest ? after(*turn, *rest, span) : *turn;
  }
  if (draw.along) {
    const Result direction = expressions_.expression(*draw.along, sketch.scope);
    if (!direction) return false;
    const Type t = type(*direction);
    if (t.kind != ValueKind::number || t.cols != 1 || t.rows != sketch.dim) {
      report(Kind::shape_mismatch, draw.along->span,
             fmt::format("'along' takes a vector of {}, this is {}", sketch.dim, shape_text(t)));
      return false;
    }
    if (is_zero(*direction)) {
      report(Kind::bad_drawing, draw.along->span, "'along' has a direction, this is zero");
      return false;
    }
    // A box in the plane has its first edge along the direction.
    const bool first_edge = sketch.dim == 2 && !has_axis && sketch.drawing.kind != "plane";
    rest = first_edge ? turned_by(calls_.library("angle_of", {*direction}, span), span) : turned_to(*direction, span);
  }
  if (rest) add(sketch, "orientation", *rest);
  return true;
}

Result Drawings::measure(const Sketch& sketch, const char* name, std::uint32_t rows, std::optional<double> fallback) {
  const auto found = sketch.options.find(std::string_view(name));
  if (found != sketch.options.end()) return length(*found->second, sketch.scope, rows, fmt::format("the {}", name));
  if (fallback) return zeros(rows, sketch.draw.call.span);
  report(Kind::bad_drawing, sketch.draw.call.span,
         fmt::format("the {} of the {} is missing", name, sketch.drawing.kind),
         fmt::format("write: {}({} = ...)", sketch.drawing.kind, name));
  return std::nullopt;
}

bool Drawings::find_measures(Sketch& sketch) {
  for (const std::string& name : sketch.kind->options) {
    if (name == "normal") continue;
    const std::uint32_t rows = name == "size" ? sketch.dim : 1;
    const Result value =
        measure(sketch, name.c_str(), rows, name == "thickness" ? std::optional<double>(0) : std::nullopt);
    if (!value) return false;
    add(sketch, name, *value);
  }
  return true;
}

bool Drawings::find_points(Sketch& sketch) {
  const ast::Draw& draw = sketch.draw;
  for (const auto* clause : {&draw.at, &draw.along, &draw.turned}) {
    if (!*clause) continue;
    report(Kind::bad_drawing, (**clause).span, fmt::format("a {} is where its points are", sketch.drawing.kind),
           fmt::format("write: {}(p, q)", sketch.drawing.kind));
    return false;
  }
  std::vector<const ast::Expr*> points;
  for (const ast::Expr& argument : draw.call.args) points.push_back(&argument);
  if (sketch.drawing.kind != "polyline") {
    points.clear();
    for (const char* end : {"from", "to"}) {
      if (sketch.options.contains(end)) points.push_back(sketch.options[end]);
    }
  }
  if (points.size() < 2) {
    report(Kind::bad_drawing, draw.call.span, fmt::format("this {} has fewer than two points", sketch.drawing.kind),
           fmt::format("write: {}(p, q)", sketch.drawing.kind));
    return false;
  }
  const Result first = expressions_.expression(*points[0], sketch.scope);
  if (!first) return false;
  sketch.dim = type(*first).rows;
  if (sketch.dim != 2 && sketch.dim != 3) {
    report(Kind::shape_mismatch, points[0]->span,
           fmt::format("a point has 2 components in the plane or 3 in space, this is {}", shape_text(type(*first))));
    return false;
  }
  for (const ast::Expr* expr : points) {
    const Result point = length(*expr, sketch.scope, sketch.dim, "a point of a drawing");
    if (!point) return false;
    add(sketch, "point", in_space(*point, expr->span));
  }
  return true;
}

// N acts along the normal, T along the directions of positive slip: those that contacts of shapes have, or the first of
// them as given.
bool Drawings::find_reaction(Sketch& sketch) {
  const ast::Draw& draw = sketch.draw;
  const Span span = draw.call.span;
  if (draw.turned) {
    report(Kind::bad_drawing, draw.turned->span, "a reaction is not turned, it has a normal", "write: along n");
    return false;
  }
  const ast::Expr* named = sketch.options.contains("contact") ? sketch.options["contact"] : nullptr;
  // Of an array, the contact with the index of the drawing: draw push[k in 1..6] = reaction(foot[k]).
  const ast::Expr* index = nullptr;
  if (named != nullptr && named->kind == ast::ExprKind::index && named->args.size() == 2) {
    index = &named->args[1];
    named = &named->args[0];
  }
  const bool is_name = named != nullptr && named->kind == ast::ExprKind::name;
  const auto found = is_name ? globals_.find(named->text) : globals_.end();
  if (found == globals_.end() || found->second.kind != SymbolKind::contact) {
    std::vector<std::string> contacts;
    for (const auto& [name, symbol] : globals_) {
      if (symbol.kind == SymbolKind::contact) contacts.push_back(name);
    }
    report(Kind::bad_drawing, named != nullptr ? named->span : span, "a reaction is that of a contact",
           is_name ? did_you_mean(named->text, contacts) : "write: reaction(CONTACT) at p along n");
    return false;
  }
  const std::uint32_t contact = found->second.index;
  const Instances& drawn = sketch.drawing.instances;
  const Instances& there = model_.contacts[contact].instances;
  const bool own_index =
      draw.range && index != nullptr && index->kind == ast::ExprKind::name && index->text == draw.range->variable.text;
  if (drawn.indices != there.indices || !there.points.empty() || (index != nullptr) != draw.range.has_value() ||
      (draw.range && !own_index)) {
    report(Kind::bad_drawing, named->span,
           there.single()
               ? fmt::format("'{}' is one contact, and has one reaction", named->text)
               : fmt::format("'{}' is an array, whose reactions are drawn for all of its indices", named->text),
           there.single() ? fmt::format("write: draw {} = reaction({})", draw.name.text, named->text)
           : there.indices.size() == 1 && there.points.empty()
               ? fmt::format("write: draw {}[k in {}..{}] = reaction({}[k])", draw.name.text, there.indices[0].first,
                             there.indices[0].last, named->text)
               : "");
    return false;
  }
  const auto [other, fresh] = reactions_.emplace(contact, draw.name.span);
  if (!fresh) {
    report(Kind::bad_drawing, named->span, fmt::format("the reaction of '{}' is drawn twice", named->text))
        .labels.push_back({other->second, "here, too"});
    return false;
  }
  sketch.drawing.contact = contact;
  const auto direction = [&](const ast::Expr& expr, const char* what) -> Result {
    const Result value = expressions_.expression(expr, sketch.scope);
    if (!value) return std::nullopt;
    const Type t = type(*value);
    if (t.kind == ValueKind::number && t.cols == 1 && t.rows == sketch.dim && !is_zero(*value)) return value;
    report(Kind::shape_mismatch, expr.span,
           fmt::format("{} is a direction of {} components, this is {}", what, sketch.dim,
                       is_zero(*value) ? "zero" : shape_text(t)));
    return std::nullopt;
  };
  const auto unit = [&](NodeId vector) {
    return calls_.library("unit_or", {in_space(vector, span), axis(2, span)}, span);
  };
  NodeId normal = axis(sketch.dim - 1, span);
  if (draw.along) {
    const Result along = direction(*draw.along, "the normal");
    if (!along) return false;
    normal = unit(*along);
  }
  add(sketch, "point", sketch.drawing.parts.front().second);
  sketch.drawing.parts.erase(sketch.drawing.parts.begin());
  add(sketch, "normal", normal);
  NodeId tangent = sketch.dim == 3 ? calls_.library("tangent", {normal}, span)
                                   : in_space(calls_.library("tangent2", {normal}, span), span);
  if (sketch.options.contains("slip")) {
    const Result slip = direction(*sketch.options["slip"], "the slip");
    if (!slip) return false;
    tangent = unit(*slip);
  }
  add(sketch, "tangent1", tangent);
  if (sketch.dim == 3) add(sketch, "tangent2", calls_.library("second_tangent", {normal, tangent}, span));
  return true;
}

}  // namespace nsmc
