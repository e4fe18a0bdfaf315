#include "compiler/api/contact_problem_files.hpp"

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

void require(bool fits, const std::string& setting, const std::string& message) {
  if (!fits) throw SettingError(setting, fmt::format("`{}`{}", setting, message));
}

}  // namespace

rt::ProblemObserver& ContactProblemFiles::Impl::observe(const rt::System& of) {
  require(!choice.every || *choice.every >= 1, "dump-every", " must be at least 1");
  require(choice.count >= 1, "dump-count", " must be at least 1");
  bool some = false;
  for (std::uint32_t c = 0; c < of.model().n_contact_classes; ++c) {
    const nsm_contact_class& type = of.model().contact_classes[c];
    const std::string why = rt::outside_format(type);
    if (why.empty()) {
      some = true;
    } else if (outside.empty()) {
      outside = fmt::format("contact {}: {}", type.name, why);
    }
  }
  require(some, "dump-contact-problems",
          fmt::format(": {}; {}", kFormat, outside.empty() ? "the model has no contacts" : outside));
  std::error_code error;
  fs::create_directories(choice.directory, error);
  if (!error && !fs::is_directory(choice.directory)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw FileError(fmt::format("cannot create directory {}: {}", choice.directory, error.message()));
  return *this;
}

void ContactProblemFiles::Impl::solved(const rt::ContactProblem& problem, const rt::ContactSolution& solution) {
  if (problem.contacts.empty() || !solution.finite) return;
  ++seen;
  const bool full = kept.size() >= choice.count;
  const auto easier = [](const Kept& a, const Kept& b) {
    return a.iterations != b.iterations ? a.iterations < b.iterations : a.number > b.number;
  };
  auto easiest = kept.end();
  if (choice.every) {
    if ((seen - 1) % *choice.every != 0 || full) return;
  } else if (full) {
    easiest = std::min_element(kept.begin(), kept.end(), easier);
    if (solution.iterations <= easiest->iterations) return;
  }
  std::optional<rt::FrictionProblem> converted = rt::friction_problem_of(problem);
  if (!converted) {
    ++left_out;
    return;
  }
  if (easiest != kept.end()) kept.erase(easiest);
  kept.push_back({seen, solution.iterations, std::move(*converted)});
}

ContactProblemFiles::ContactProblemFiles(ContactProblemChoice choice, std::string model)
    : impl_(std::make_unique<Impl>()) {
  impl_->choice = std::move(choice);
  impl_->model = std::move(model);
}
ContactProblemFiles::~ContactProblemFiles() = default;

void ContactProblemFiles::write() const {
  std::vector<std::string> parts;  // complete, but not under their names yet
  const auto target = [&](const Impl::Kept& kept) {
    return (fs::path(impl_->choice.directory) / fmt::format("{}-{:06}.dat", impl_->model, kept.number)).string();
  };
  std::error_code ignored, error;
  std::size_t named = 0;
  try {
    for (const Impl::Kept& kept : impl_->kept) {
      std::ostringstream text;
      rt::write_friction_problem(text, kept.problem);
      const std::string part = target(kept) + ".part";
      replace_file(part, text.str());
      parts.push_back(part);
    }
    for (; named < impl_->kept.size(); ++named) {
      fs::rename(parts[named], target(impl_->kept[named]), error);
      if (error) throw FileError(fmt::format("cannot write {}: {}", target(impl_->kept[named]), error.message()));
    }
  } catch (const FileError&) {
    for (const std::string& part : parts) fs::remove(part, ignored);
    for (std::size_t k = 0; k < named; ++k) fs::remove(target(impl_->kept[k]), ignored);
    throw;
  }
}

std::uint64_t ContactProblemFiles::seen() const { return impl_->seen; }
std::size_t ContactProblemFiles::kept() const { return impl_->kept.size(); }
std::uint64_t ContactProblemFiles::left_out() const { return impl_->left_out; }
const std::string& ContactProblemFiles::directory() const { return impl_->choice.directory; }
std::string ContactProblemFiles::outside() const {
  return impl_->outside.empty() ? kFormat : std::string(kFormat) + "; " + impl_->outside;
}

}  // namespace nsmc
