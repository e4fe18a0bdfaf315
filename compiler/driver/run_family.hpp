// The runs of a picture: one, or one for each value of what --vary names, with as many rows as are shown.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "compiler/driver/commands.hpp"
#include "compiler/driver/run_watch.hpp"
#include "nsmc/model.hpp"
#include "nsmc/page.hpp"

namespace nsmc {

struct FamilyMember {
  std::string label;    // "mu = 0.1, e = 0"; empty for a single run
  Overrides varied;     // what differs: parameters
  Settings settings;    // with what differs
  Overrides overrides;  // all parameters that were given
  Inputs inputs{};      // that follow samples
};

// All combinations; the last axis goes fastest. Throws SettingError, UsageError.
// One value more that differs: of a parameter, or else of a setting.
void give(FamilyMember& member, const std::string& name, const std::string& parameter, const std::string& setting,
          const Value& value);

std::vector<FamilyMember> members_of(const Model& model, const ModelChoices& choices,
                                     const std::vector<std::string>& vary);

struct FamilyRun : ShownRun {
  FamilyMember member;
};

// frames: how many rows there are at most, at equal distances, if neither the command nor a saved habit says otherwise
// (--record, --every). outputs: the columns; empty: all.
FamilyRun run_member(const Model& model, const FamilyMember& member, const std::vector<std::string>& outputs,
                     std::size_t frames, const RunWatch& watch);

}  // namespace nsmc
