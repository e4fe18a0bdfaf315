// nsmc view: runs a model and writes a page that shows it.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "compiler/api/view_data.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/page.hpp"
#include "compiler/driver/run_family.hpp"
#include "compiler/driver/run_summary.hpp"
#include "compiler/driver/targets.hpp"
#include "compiler/driver/terminal.hpp"

namespace nsmc {
namespace {

using Json = nlohmann::ordered_json;

// What a page may carry in numbers: 6 million of them are 32 MB as text.
constexpr std::size_t kMostNumbers = 6'000'000;
constexpr std::size_t kUsualFrames = 1000, kFewestFrames = 50;

std::size_t frames_for(const ViewOptions& options, std::size_t columns, std::size_t runs) {
  if (options.frames > 0) return options.frames;
  return std::clamp(kMostNumbers / std::max<std::size_t>(1, columns * runs), kFewestFrames, kUsualFrames);
}

}  // namespace

int view_command(ViewOptions options) {
  const std::string page = page_template();  // before a run of minutes
  const Model model = open_model(options.model.file, model_options(options.model));
  print_diagnostics(model);
  if (!model.ok()) return kModelErrors;
  if (options.output.empty()) options.output = shown_name(model.name()) + ".html";
  require_apart({{"--output", options.output}}, model);
  const Model seen = model.with_scene();
  if (!seen.ok()) {
    print_diagnostics(seen);
    return kModelErrors;
  }
  const std::vector<FamilyMember> members = members_of(seen, options.model, options.vary);
  const Scene scene = seen.scene(members.front().overrides);
  std::vector<std::string> outputs = columns_to_show(seen, scene, options.outputs);
  if (outputs.empty()) outputs = columns_with_work(seen);  // the page says where the energy went
  const std::size_t columns = outputs.empty() ? seen.columns().size() : outputs.size();
  const std::size_t frames = frames_for(options, columns, members.size());

  Json data;
  data["model"] = page_model(model, members.front().overrides, scene);
  data["scene"] = nullptr;
  data["runs"] = Json::array();
  const RunWatch watch = watch_run(options.quiet);
  int code = kDone;
  std::string text;
  for (const FamilyMember& member : members) {
    const FamilyRun run = run_member(seen, member, outputs, frames, watch);
    if (watch.progress) clear_progress_bar();
    for (const RunWarning& warning : run.result.summary.warnings)
      std::fputs(fmt::format("nsmc: warning {}: {}\n", warning.code, warning.message).c_str(), stderr);
    const std::string summary = run_summary(seen, run.result);
    if (!member.label.empty()) text += member.label + "\n";
    text += summary;
    add_to_page(data, run_page(seen, run, summary));
    if (run.result.end == RunEnd::finished) continue;
    std::fputs(fmt::format("nsmc: {}{}\n", member.label.empty() ? "" : member.label + ": ", run.result.message).c_str(),
               stderr);
    code = run.result.end == RunEnd::interrupted ? kInterrupted : kNumericalFailure;
    if (code == kInterrupted) break;
  }
  write_page(options.output, page, std::move(data));
  if (!options.quiet && options.output != "-") {
    text += fmt::format("  written     {}\n", options.output);
    write_stdout(text);
  }
  if (!options.no_open && options.output != "-") open_page(options.output);
  return code;
}

}  // namespace nsmc
