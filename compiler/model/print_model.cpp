// The typed model as text, expressions in infix; for `nsmc emit --stage model` and tests.
#include <fmt/core.h>

#include "compiler/model/typed_model.hpp"

namespace nsmc {
namespace {

class Printer {
 public:
  explicit Printer(const TypedModel& model) : model_(model) {}

  std::string text(NodeId id) const {
    left_ = 150;
    return node_text(id, 0);
  }

 private:
  std::string node_text(NodeId id, int depth) const {
    // Shared nodes print in full; the bounds on depth and number keep expansions readable and the output small.
    constexpr int kDeepest = 12;
    const Node& n = model_.node(id);
    if (depth > kDeepest || left_ == 0) return "...";
    --left_;
    const auto arg = [&](std::size_t i) { return node_text(n.args[i], depth + 1); };
    const auto args = [&](std::string_view separator) {
      std::string all;
      for (std::size_t i = 0; i < n.args.size() && left_ > 0; ++i)
        all += (i == 0 ? "" : std::string(separator)) + arg(i);
      return all;
    };
    switch (n.kind) {
      case NodeKind::number: return fmt::format("{}", n.value);
      case NodeKind::parameter: return model_.parameters[n.index].name;
      case NodeKind::time: return "t";
      case NodeKind::instance:
        return n.component == 0 ? "i" : n.component == 1 ? "j" : fmt::format("self{}", n.component);
      case NodeKind::coordinate:
        return with_index(model_.coordinates[n.index].name, n.args.empty() ? "" : "[" + arg(0) + "]");
      case NodeKind::velocity:
        return with_index(model_.velocities[n.index].name, n.args.empty() ? "" : "[" + arg(0) + "]");
      case NodeKind::contact_velocity:
        return with_index(model_.contacts[n.index].name, "") + "." + kContactVelocities[n.component];
      case NodeKind::force: {
        const TypedContact& contact = model_.contacts[n.index];
        std::string name = contact.force_name(n.component);
        name = name.substr(0, name.find('['));
        return with_index(contact.name, n.args.empty() ? "" : "[" + args(",") + "]") + "." + name;
      }
      case NodeKind::energy: return "energy";
      case NodeKind::sum: return "(" + args(" + ") + ")";
      case NodeKind::product: return arg(0) + "*" + arg(1);
      case NodeKind::quotient: return arg(0) + "/(" + arg(1) + ")";
      case NodeKind::negate: return "-" + arg(0);
      case NodeKind::power: return "(" + arg(0) + ")^(" + arg(1) + ")";
      case NodeKind::call: return fmt::format("{}({})", n.function, args(", "));
      case NodeKind::partial: return fmt::format("d({})", args(", "));
      case NodeKind::derivative: return "(" + arg(0) + ")'";
      case NodeKind::vector: return "[" + args(", ") + "]";
      case NodeKind::component: return fmt::format("{}[{}]", arg(0), n.index + 1);
      case NodeKind::transpose: return "transpose(" + arg(0) + ")";
      case NodeKind::comparison: return fmt::format("{} {} {}", arg(0), n.function, arg(1));
      case NodeKind::logic:
        return n.args.size() == 1 ? "not (" + arg(0) + ")" : "(" + args(fmt::format(" {} ", n.function)) + ")";
      case NodeKind::piecewise: {
        std::string cases;
        for (std::size_t i = 0; i + 1 < n.args.size(); i += 2) cases += arg(i) + " : " + arg(i + 1) + ", ";
        return "piecewise { " + cases + "else : " + arg(n.args.size() - 1) + " }";
      }
      case NodeKind::set: return set_text(n, model_.type(id).rows, arg, args);
      case NodeKind::set_variable: return fmt::format("x{}", n.index + 1);
      case NodeKind::gauge: return "gauge(" + args(", ") + ")";
      case NodeKind::signal: return model_.signals[n.index].name;
      case NodeKind::table: return fmt::format("{}({})", model_.tables[n.index].name, args(", "));
      case NodeKind::touch: return fmt::format("touch_{}({})", n.index + 1, args(", "));
    }
    return "?";
  }

  static std::string set_text(const Node& n, std::uint32_t rows, const auto& arg, const auto& args) {
    const auto call = [&](const char* name) { return fmt::format("{}({})", name, args(", ")); };
    switch (n.set) {
      case SetKind::interval: return call("interval");
      case SetKind::ball: return fmt::format("ball({}, {})", arg(0), rows);
      case SetKind::ellipsoid: return call("ellipsoid");
      case SetKind::polygon: return call("polygon");
      case SetKind::gauge: return "gauge { " + arg(0) + " }";
      case SetKind::support: return "support { " + arg(0) + " }";
      case SetKind::contensou_parabolic: return fmt::format("contensou({}, parabolic)", args(", "));
      case SetKind::contensou_uniform: return fmt::format("contensou({}, uniform)", args(", "));
      case SetKind::superellipse: return call("superellipse");
      case SetKind::intersection: return call("intersect");
      case SetKind::union_of: return call("union");
      case SetKind::product: return "(" + args(" × ") + ")";
      case SetKind::map:
      case SetKind::scale: return arg(0) + " * " + arg(1);
      case SetKind::shift: return "(" + arg(0) + " + " + arg(1) + ")";
    }
    return "?";
  }

  const TypedModel& model_;
  mutable int left_ = 0;  // nodes that may still be printed
};

std::string range_text(const Instances& instances) {
  std::string text;
  for (const IndexBounds& bounds : instances.indices) {
    text += fmt::format("{}{}..{}", text.empty() ? " for " : " and ", bounds.first, bounds.last);
  }
  if (!instances.points.empty()) text += fmt::format(" at {} points", instances.points.size());
  return text;
}

std::string unit(const Dimension& dimension) {
  return dimension.is_dimensionless() ? "" : " [" + dimension.text() + "]";
}

}  // namespace

std::string print(const TypedModel& model) {
  const Printer printer(model);
  std::string out = fmt::format("model {}{}\n", model.name, model.dimensional ? "" : " (in pure numbers)");
  for (const TypedParameter& p : model.parameters) {
    out += fmt::format("parameter {}{} = {}\n", p.name, unit(p.dimension), printer.text(p.value));
  }
  for (const TypedSignal& z : model.signals) {
    out += fmt::format("{} {}{}", text_of(z.kind), z.name, unit(z.dimension));
    if (z.initial) out += " = " + printer.text(*z.initial);
    if (z.rate) out += fmt::format(", {}' = {}", z.name, printer.text(*z.rate));
    out += "\n";
  }
  for (const TypedCoordinate& q : model.coordinates) {
    out += fmt::format("coordinate {}{}", with_index(q.name, "[i]"), unit(q.dimension));
    if (q.initial) out += " = " + printer.text(*q.initial);
    if (q.rate) out += fmt::format(", {}' = {}", q.name, printer.text(*q.rate));
    out += "\n";
  }
  for (const TypedVelocity& u : model.velocities) {
    out += fmt::format("velocity {}{}", with_index(u.name, "[i]"), unit(u.dimension));
    if (u.initial) out += " = " + printer.text(*u.initial);
    out += "\n";
  }
  const auto list = [&](const char* what, const std::vector<TypedTerm>& terms) {
    for (const TypedTerm& term : terms) {
      out += fmt::format("{} {}{}\n", what, printer.text(term.value), range_text(term.instances));
    }
  };
  list("kinetic", model.kinetic);
  list("potential", model.potential);
  list("dissipation", model.dissipation);
  for (const TypedForce& force : model.forces) {
    out += fmt::format("{} : {}{}\n", force.source, printer.text(force.value), range_text(force.instances));
  }
  for (const NodeId force : model.force_vectors) out += fmt::format("force {}\n", printer.text(force));
  if (model.mass) out += fmt::format("mass {}\n", printer.text(*model.mass));
  for (const TypedContact& contact : model.contacts) {
    out += fmt::format("{} {}{}\n", contact.bilateral ? "constraint" : "contact", with_index(contact.name, ""),
                       range_text(contact.instances));
    if (contact.active) out += fmt::format("  while {}\n", printer.text(*contact.active));
    if (contact.gap) out += fmt::format("  gap {}\n", printer.text(*contact.gap));
    if (contact.slip) out += fmt::format("  slip {}\n", printer.text(*contact.slip));
    if (contact.spin) out += fmt::format("  spin {}\n", printer.text(*contact.spin));
    if (contact.rolls) out += fmt::format("  roll {}\n", printer.text(*contact.roll));
    for (const TypedLaw& law : contact.laws) {
      out += fmt::format("  law {}: {} in normal_cone({}, {})", law.name, printer.text(law.left), printer.text(law.set),
                         printer.text(law.argument));
      if (law.restitution) out += " restitution " + printer.text(*law.restitution);
      out += "\n";
      for (const ForceVariable& force : law.forces) {
        out += fmt::format("    force {}[{}]{}\n", force.name, force.size, unit(contact.force_dimensions[force.first]));
      }
    }
  }
  for (const TypedTable& table : model.tables) {
    out += fmt::format("table {}", table.name);
    for (const double number : table.data) out += fmt::format(" {}", number);
    out += "\n";
  }
  for (const TypedEvent& event : model.events) {
    constexpr const char* kWords[] = {"when", "every", "stop when"};
    out += fmt::format("{} {}\n", kWords[static_cast<int>(event.kind)], printer.text(event.condition));
    for (const TypedAssignment& a : event.assignments) {
      out += fmt::format("  {} := {}\n", a.velocity ? model.velocities[a.index].name : model.signals[a.index].name,
                         printer.text(a.value));
    }
  }
  for (const TypedOutput& output : model.outputs) {
    out += fmt::format("output {}{} = {}{}\n", with_index(output.name, "[i]"),
                       unit(model.type(output.value).dimensions[0]), printer.text(output.value),
                       range_text(output.instances));
  }
  return out;
}

}  // namespace nsmc
