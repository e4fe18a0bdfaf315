#include "compiler/lsp/checker.hpp"

#include <algorithm>
#include <exception>

#include "compiler/lsp/uris.hpp"

namespace nsmc::lsp {
namespace {

// A fault of nsmc itself is told as one, at the beginning of the text.
DiagnosticInfo fault(const std::string& path, const std::string& what) {
  DiagnosticInfo d;
  d.code = "internal";
  d.name = "internal";
  d.message = what;
  d.place.file = path;
  return d;
}

}  // namespace

void NewestFirst::put(Task task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.remove_if([&](const Task& one) { return one.path == task.path; });
    tasks_.push_front(std::move(task));
  }
  changed_.notify_one();
}

std::optional<Task> NewestFirst::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return closed_ || !tasks_.empty(); });
  if (closed_) return std::nullopt;
  Task task = std::move(tasks_.front());
  tasks_.pop_front();
  return task;
}

void NewestFirst::forget(const std::string& path) {
  const std::lock_guard lock(mutex_);
  tasks_.remove_if([&](const Task& one) { return one.path == path; });
}

void NewestFirst::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

Checker::Checker(std::vector<std::string> import_paths, std::function<void(const std::string&)> told)
    : import_paths_(std::move(import_paths)),
      told_(std::move(told)),
      naming_([this] { find_names(); }),
      deriving_([this] { find_equations(); }) {}

Checker::~Checker() {
  to_name_.close();
  to_derive_.close();
  naming_.join();
  deriving_.join();
}

void Checker::submit(Task task) {
  {
    const std::lock_guard lock(mutex_);
    wanted_.insert(task.path);
  }
  to_name_.put(std::move(task));
}

void Checker::forget(const std::string& path) {
  to_name_.forget(path);
  to_derive_.forget(path);
  const std::lock_guard lock(mutex_);
  wanted_.erase(path);
  known_.erase(path);
}

ModelOptions Checker::options_for(const Task& task, std::set<std::string>* imports) const {
  ModelOptions options;
  options.import_paths = import_paths_;
  options.files = [overlay = task.overlay, imports, disk = files_on_disk()](const std::string& path) {
    const std::string canonical = canonical_path(path);
    if (imports != nullptr) imports->insert(canonical);
    const auto open = overlay->find(canonical);
    return open != overlay->end() ? open->second->text : disk(path);
  };
  return options;
}

std::shared_ptr<const CheckedNames> Checker::look_at(const Task& task) const {
  auto checked = std::make_shared<CheckedNames>();
  checked->stamp = task.stamp;
  checked->text = task.text;
  try {
    checked->names = names_of(task.text->text, task.path, options_for(task, &checked->imports));
  } catch (const std::exception& error) {
    checked->names.file = task.path;
    checked->names.diagnostics.push_back(fault(task.path, error.what()));
  }
  return checked;
}

void Checker::find_names() {
  while (std::optional<Task> task = to_name_.take()) {
    std::shared_ptr<const CheckedNames> checked = look_at(*task);
    const bool ok = checked->names.ok;
    {
      const std::lock_guard lock(mutex_);
      if (!wanted_.contains(task->path)) continue;
      known_[task->path].names = std::move(checked);
    }
    changed_.notify_all();
    told_(task->path);
    if (ok) {
      to_derive_.put(std::move(*task));
    } else {
      to_derive_.forget(task->path);
    }
  }
}

void Checker::find_equations() {
  while (std::optional<Task> task = to_derive_.take()) {
    deriving_now_ = true;
    auto checked = std::make_shared<CheckedEquations>();
    checked->stamp = task->stamp;
    try {
      const Model model = Model::from_text(task->text->text, task->path, options_for(*task, nullptr));
      checked->diagnostics = model.diagnostics();
      checked->contacts = model.contacts();
    } catch (const std::exception& error) {
      checked->diagnostics.push_back(fault(task->path, error.what()));
    }
    deriving_now_ = false;
    {
      const std::lock_guard lock(mutex_);
      if (!wanted_.contains(task->path)) continue;
      known_[task->path].equations = std::move(checked);
    }
    told_(task->path);
  }
}

std::shared_ptr<const CheckedNames> Checker::names(const std::string& path, std::uint64_t stamp,
                                                   std::chrono::milliseconds patience) const {
  std::unique_lock lock(mutex_);
  const auto newest = [&]() -> std::shared_ptr<const CheckedNames> {
    const auto found = known_.find(path);
    return found == known_.end() ? nullptr : found->second.names;
  };
  changed_.wait_for(lock, patience, [&] {
    const auto found = newest();
    return found != nullptr && found->stamp >= stamp;
  });
  return newest();
}

std::shared_ptr<const CheckedNames> Checker::names(const std::string& path) const {
  return names(path, 0, std::chrono::milliseconds(0));
}

std::shared_ptr<const CheckedEquations> Checker::equations(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(path);
  return found == known_.end() ? nullptr : found->second.equations;
}

}  // namespace nsmc::lsp
