// draw NAME = KIND(...) at p: what a model in generalised coordinates shows. A drawing is checked like everything else
// and becomes the values of an item of the scene (typed_scene.hpp), or the frame of a contact's forces.
#pragma once

#include <utility>

#include "compiler/model/arguments.hpp"
#include "compiler/model/known_words.hpp"

namespace nsmc {

class Arrays;
class Calls;

// An item of the scene as nodes.
struct Drawing {
  std::string name, kind, doc, color, text;           // name: with '@' if it is an array
  std::vector<std::pair<std::string, NodeId>> parts;  // by their roles, vectors of space with 3 components
  Instances instances;
  std::vector<std::pair<std::uint32_t, At>> bodies;  // the body, if it is on one, and which of an array
  std::optional<std::uint32_t> contact;              // of a reaction: whose forces act there
  bool planar = false;
  Span span;
};

class Drawings : Part {
 public:
  Drawings(Core& core, Expressions& expressions, Calls& calls, Arrays& arrays, Arguments& arguments)
      : Part(core), expressions_(expressions), calls_(calls), arrays_(arrays), arguments_(arguments) {}

  static std::vector<KnownWord> words();  // kinds of drawings, colours
  void elaborate(const ast::Draw& draw, const std::string& doc);
  std::vector<Drawing>& all() { return drawings_; }

  // A vector of the plane or of space as one of space.
  NodeId in_space(NodeId vector, Span span);
  // The unit quaternion that turns the third axis into this direction, of any length, or about it.
  NodeId turned_to(NodeId direction, Span span);
  NodeId turned_by(NodeId angle, Span span);
  NodeId after(NodeId second, NodeId first, Span span);  // the product of quaternions

 private:
  struct KindRow;
  static const std::vector<KindRow>& kinds();

  // The declaration, and where it stands.
  struct Sketch {
    const ast::Draw& draw;
    const Scope& scope;
    const KindRow* kind = nullptr;
    Options options{};
    std::uint32_t dim = 3;
    Drawing drawing{};
  };
  // Each fills in a part of it; false after a report.
  bool find_kind(Sketch& sketch);
  bool find_color(Sketch& sketch);
  bool find_place(Sketch& sketch);
  bool find_direction(Sketch& sketch);
  bool find_measures(Sketch& sketch);
  bool find_points(Sketch& sketch);
  bool find_reaction(Sketch& sketch);
  Result turned(const Sketch& sketch);
  Result measure(const Sketch& sketch, const char* name, std::uint32_t rows, std::optional<double> fallback);
  Result length(const ast::Expr& expr, const Scope& scope, std::uint32_t rows, const std::string& what);
  NodeId axis(std::uint32_t which, Span span);
  void add(Sketch& sketch, std::string role, NodeId value);

  Expressions& expressions_;
  Calls& calls_;
  Arrays& arrays_;
  Arguments& arguments_;
  std::vector<Drawing> drawings_;
  std::map<std::string, Span, std::less<>> names_;
  std::map<std::uint32_t, Span> reactions_;  // by contact
};

}  // namespace nsmc
