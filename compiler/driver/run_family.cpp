#include "compiler/driver/run_family.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "compiler/api/view_data.hpp"
#include "compiler/driver/usage_error.hpp"

namespace nsmc {
namespace {

constexpr std::size_t kMostMembers = 50;

}  // namespace

void give(FamilyMember& member, const std::string& name, const std::string& parameter, const std::string& setting,
          const Value& value) {
  const std::string shown = value.number() != nullptr ? short_number(*value.number()) : *value.text();
  member.label += fmt::format("{}{} = {}", member.label.empty() ? "" : ", ", name, shown);
  if (parameter.empty()) {
    member.settings[setting] = value;
  } else {
    member.overrides[parameter] = member.varied[parameter] = value;
  }
}

std::vector<FamilyMember> members_of(const Model& model, const ModelChoices& choices,
                                     const std::vector<std::string>& vary) {
  std::vector<FamilyMember> members{{"", {}, choices.settings, choices.overrides, choices.inputs}};
  if (vary.empty()) return members;
  StudyRequest study{.overrides = choices.overrides, .settings = choices.settings};
  for (const std::string& text : vary) study.axes.push_back({text, "vary"});
  for (const StudyAxis& axis : model.axes(study)) {
    std::vector<FamilyMember> all;
    if (members.size() * axis.values.size() > kMostMembers)
      throw UsageError(fmt::format("--vary: {} runs are too many for one picture, at most {} can be told apart",
                                   members.size() * axis.values.size(), kMostMembers));
    for (const FamilyMember& member : members) {
      for (const Value& value : axis.values) {
        FamilyMember& next = all.emplace_back(member);
        give(next, axis.name, axis.parameter, axis.setting, value);
      }
    }
    members = std::move(all);
  }
  return members;
}

FamilyRun run_member(const Model& model, const FamilyMember& member, const std::vector<std::string>& outputs,
                     std::size_t frames, const RunWatch& watch) {
  FamilyRun done;
  done.member = member;
  done.label = member.label;
  done.overrides = member.overrides;
  RunRequest request{
      .overrides = member.overrides, .settings = member.settings, .inputs = member.inputs, .outputs = outputs};
  request.stop = watch.stop;
  request.progress = watch.progress;
  request.event = [&done](const EventInfo& event) { done.events.push_back(event); };
  request.rows = frames;
  Run run = model.start(request, &done.rows);
  run.advance(run.until());
  done.result = run.result();
  return done;
}

}  // namespace nsmc
