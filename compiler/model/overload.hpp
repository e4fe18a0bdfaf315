// Several lambdas as one visitor of a variant.
#pragma once

namespace nsmc {

template <class... Ts>
struct Overload : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overload(Ts...) -> Overload<Ts...>;

}  // namespace nsmc
