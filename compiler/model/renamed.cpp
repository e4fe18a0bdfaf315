#include "compiler/model/renamed.hpp"

#include "compiler/support/diagnostics.hpp"

namespace nsmc {

RenamedNames::RenamedNames(const SourceModels& models) {
  const SymbolTable table = declared_symbols(models);
  std::map<std::string, std::vector<Span>, std::less<>> unknown;
  for (const SymbolTable::Unknown& use : table.unknown) unknown[use.name].push_back(use.place);
  std::vector<std::string> unused;
  for (const Symbol& symbol : table.symbols) {
    const bool value = symbol.kind == Symbol::Kind::parameter || symbol.kind == Symbol::Kind::let ||
                       symbol.kind == Symbol::Kind::coordinate || symbol.kind == Symbol::Kind::velocity;
    if (value && !symbol.local && !symbol.library && symbol.uses.empty()) unused.push_back(symbol.name);
  }
  for (auto& [name, uses] : unknown) {
    const auto near = nearest(name, unused);
    if (near) suspects_[name] = {*near, table.find(*near)->declared, std::move(uses)};
  }
}

RenamedNames::Suspect* RenamedNames::find(std::string_view unknown) {
  const auto found = suspects_.find(unknown);
  return found == suspects_.end() ? nullptr : &found->second;
}

}  // namespace nsmc
