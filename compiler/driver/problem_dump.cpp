#include "compiler/driver/problem_dump.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "compiler/api/files.hpp"

namespace nsmc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "the format knows unilateral contacts with Coulomb friction in space only";

}  // namespace

ProblemDump::ProblemDump(const rt::System& system, const DumpOptions& options, std::string model)
    : system_(system), options_(options), model_(std::move(model)) {
  if (options.every && *options.every < 1) throw UsageError("--dump-every must be at least 1");
  if (options.count < 1) throw UsageError("--dump-count must be at least 1");
  bool some = false;
  for (const rt::ContactInfo& contact : system.contacts()) {
    const std::string why = rt::outside_format(*contact.type);
    if (why.empty()) {
      some = true;
    } else if (outside_.empty()) {
      outside_ = fmt::format("contact {}: {}", contact.type->name, why);
    }
  }
  if (!some) {
    throw UsageError(fmt::format("--dump-contact-problems: {}{}", kFormat,
                                 outside_.empty() ? "; the model has no contacts" : "; " + outside_));
  }
  std::error_code error;
  fs::create_directories(options.directory, error);
  if (!error && !fs::is_directory(options.directory)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw FileError(fmt::format("cannot create directory {}: {}", options.directory, error.message()));
}

void ProblemDump::solved(const rt::ContactProblem& problem, const rt::ContactSolution& solution) {
  if (problem.contacts.empty() || !solution.finite) return;
  ++seen_;
  const bool full = kept_.size() >= options_.count;
  const auto easier = [](const Kept& a, const Kept& b) {
    return a.iterations != b.iterations ? a.iterations < b.iterations : a.number > b.number;
  };
  auto easiest = kept_.end();
  if (options_.every) {
    if ((seen_ - 1) % *options_.every != 0 || full) return;
  } else if (full) {
    easiest = std::min_element(kept_.begin(), kept_.end(), easier);
    if (solution.iterations <= easiest->iterations) return;
  }
  std::optional<rt::FrictionProblem> converted = rt::friction_problem_of(problem, system_);
  if (!converted) {
    ++skipped_;
    return;
  }
  if (easiest != kept_.end()) kept_.erase(easiest);
  kept_.push_back({seen_, solution.iterations, std::move(*converted)});
}

void ProblemDump::write() const {
  std::vector<std::string> parts;  // complete, but not under their names yet
  const auto target = [&](const Kept& kept) {
    return (fs::path(options_.directory) / fmt::format("{}-{:06}.dat", model_, kept.number)).string();
  };
  std::error_code ignored, error;
  std::size_t named = 0;
  try {
    for (const Kept& kept : kept_) {
      std::ostringstream text;
      rt::write_friction_problem(text, kept.problem);
      const std::string part = target(kept) + ".part";
      replace_file(part, text.str());
      parts.push_back(part);
    }
    for (; named < kept_.size(); ++named) {
      fs::rename(parts[named], target(kept_[named]), error);
      if (error) throw FileError(fmt::format("cannot write {}: {}", target(kept_[named]), error.message()));
    }
  } catch (const FileError&) {
    for (const std::string& part : parts) fs::remove(part, ignored);
    for (std::size_t k = 0; k < named; ++k) fs::remove(target(kept_[k]), ignored);
    throw;
  }
}

std::string ProblemDump::text() const {
  std::string out =
      fmt::format("  dumped      {} of {} contact problems to {}\n", kept_.size(), seen_, options_.directory);
  if (skipped_ > 0) {
    out += fmt::format("              {} left out: {}{}\n", skipped_, kFormat, outside_.empty() ? "" : "; " + outside_);
  }
  return out;
}

}  // namespace nsmc
