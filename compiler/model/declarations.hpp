// What the files declare: every name finds its place among the global names, every declaration in the part that will
// elaborate it. Nothing is elaborated here, so that declarations may stand in any order.
#pragma once

#include "compiler/model/contacts.hpp"
#include "compiler/model/known_words.hpp"

namespace nsmc {

class Arrays;
class Bodies;
class Calls;
class Shapes;
class Signals;
class Tables;

class Declarations : Part {
 public:
  Declarations(Core& core, Calls& calls, Arrays& arrays, Bodies& bodies, Shapes& shapes, Contacts& contacts,
               Signals& signals, Tables& tables)
      : Part(core),
        calls_(calls),
        arrays_(arrays),
        bodies_(bodies),
        shapes_(shapes),
        contacts_(contacts),
        signals_(signals),
        tables_(tables) {}

  // The library, then the files of the model, whose names may take the place of the library's.
  void declare_all();

  static std::vector<KnownWord> words();  // names with a fixed meaning

 private:
  void declare(const ast::Declaration& declaration, bool library);
  void declare_name(const ast::Name& name, GlobalSymbol symbol);
  void add_parameter(const ast::Name& name, const ast::Declaration& declaration);
  void add_coordinate(const ast::Coord& coord, const ast::Declaration& declaration);
  void add_velocity(const ast::Velocity& velocity, const ast::Declaration& declaration);
  Dimension dimension_of(const std::optional<ast::Unit>& unit);

  Calls& calls_;
  Arrays& arrays_;
  Bodies& bodies_;
  Shapes& shapes_;
  Contacts& contacts_;
  Signals& signals_;
  Tables& tables_;
};

}  // namespace nsmc
