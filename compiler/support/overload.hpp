// One visitor out of several lambdas, for std::visit.
#pragma once

namespace nsmc {

template <class... Ts>
struct Overload : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overload(Ts...) -> Overload<Ts...>;

}  // namespace nsmc
