// The page of `nsmc view` that shows runs of a model, for those who have the page of web/ and rows of their own.
//
//     const nsmc::Model seen = model.with_scene();
//     nsmc::ShownRun run{.label = "", .overrides = {}};
//     run.result = seen.run({.outputs = nsmc::columns_of_page(seen)}, run.rows);
//     std::string html = nsmc::page_of_runs(seen, {run}, page);
#pragma once

#include <string>
#include <vector>

#include "nsmc/model.hpp"

namespace nsmc {

struct ShownRun {
  std::string label;    // "mu = 0.1"; empty for a single run
  Overrides overrides;  // that were given
  Table rows;           // about a thousand, at equal distances
  std::vector<EventInfo> events;
  RunResult result;
  std::string summary;  // how it went, as text
};

// The columns that runs for a page need, if all of them would be too many; empty: all.
std::vector<std::string> columns_of_page(const Model& seen, const Overrides& overrides = {});

// `page`: the text of web/view.html as it was built. `seen`: a model with its scene. The scene is that of the first
// run, and runs of another one bring their own. Throws FileError if it is not that page.
std::string page_of_runs(const Model& seen, const std::vector<ShownRun>& runs, const std::string& page);

}  // namespace nsmc
