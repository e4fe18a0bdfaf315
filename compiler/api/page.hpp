// The data of a page, and a page with them in it (docs/viewing.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "nsmc/model.hpp"

namespace nsmc {

// Stands in the built page of web/ where its data belong.
inline constexpr std::string_view kPageData = "NSMC_DATA";

// What the page says of a model: name, sources, equations, parameters, gravity.
nlohmann::ordered_json page_model(const Model& model, const Overrides& overrides, const Scene& scene = {});

// `data` between format and program, as text.
std::string page_text(nlohmann::ordered_json data);

// The page with that text in its place.
std::string filled_page(const std::string& page, nlohmann::ordered_json data);

}  // namespace nsmc
