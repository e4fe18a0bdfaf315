// A run as data of the page: columns as float32, and its scene with the columns in it by their numbers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "nsmc/page.hpp"

namespace nsmc {

// "0.1", "1e-05"
std::string short_number(double value);

// "N" for kg m/s^2; empty for pure numbers.
std::string shown_unit(const std::string& unit);

// Units of columns for people: those that follow from the energies are those of a model with units.
std::vector<ColumnInfo> columns_with_units(const Model& model);

// All columns with those of work, which are recorded on request; empty if its contacts are too many to look at.
std::vector<std::string> columns_with_work(const Model& model);

// The columns of the scene and of what a reader would plot, if all of them would be too many; empty: all.
std::vector<std::string> columns_to_show(const Model& model, const Scene& scene,
                                         const std::vector<std::string>& wanted);

struct RunPage {
  nlohmann::ordered_json run, scene;
};
RunPage run_page(const Model& model, const ShownRun& run, const std::string& summary);

// Into `runs` of the data of a page; its scene is that of the page if this is the first one, and its own if it is
// another.
void add_to_page(nlohmann::ordered_json& data, RunPage run);

}  // namespace nsmc
