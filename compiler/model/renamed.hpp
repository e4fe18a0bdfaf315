// A declaration whose name was changed, or misspelt where it is declared: what is used is declared nowhere, and
// something that is called much alike is used nowhere. One report at the declaration says more than one at every use.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/symbols.hpp"

namespace nsmc {

class RenamedNames {
 public:
  explicit RenamedNames(const SourceModels& models);

  struct Suspect {
    std::string declared;
    Span place;              // of the name in its declaration
    std::vector<Span> uses;  // of the name that is declared nowhere
    bool reported = false;
  };
  // Null: the name has no such suspect. Of a name that is used once, use and declaration are equally suspect.
  Suspect* find(std::string_view unknown);

 private:
  std::map<std::string, Suspect, std::less<>> suspects_;
};

}  // namespace nsmc
