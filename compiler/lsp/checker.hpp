// Texts in, what is known of them out, on threads of its own: one finds names and the errors that they tell, which
// takes milliseconds; one derives equations, which may take seconds. Of each text only the newest version is looked at,
// and the text that changed last comes first.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "compiler/lsp/documents.hpp"
#include "nsmc/editing.hpp"

namespace nsmc::lsp {

// The texts of open documents by their canonical paths; they come before the files.
using Overlay = std::map<std::string, std::shared_ptr<const Text>>;

struct Task {
  std::string path;
  std::uint64_t stamp = 0;
  std::shared_ptr<const Text> text;
  std::shared_ptr<const Overlay> overlay;
};

// What the names of a text tell.
struct CheckedNames {
  std::uint64_t stamp = 0;
  std::shared_ptr<const Text> text;
  Names names;
  std::set<std::string> imports;  // canonical paths of what was read or looked for
};

// What only equations tell, of a text whose names are right.
struct CheckedEquations {
  std::uint64_t stamp = 0;
  std::vector<DiagnosticInfo> diagnostics;  // all of them
  std::vector<ContactInfo> contacts;
};

// Tasks by path, each replaced by a newer one of the same path; the newest comes out first.
class NewestFirst {
 public:
  void put(Task task);
  std::optional<Task> take();  // waits; nothing once it is closed
  void forget(const std::string& path);
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Task> tasks_;
  bool closed_ = false;
};

class Checker {
 public:
  // `told` is called from other threads whenever something is known of the text at a path.
  Checker(std::vector<std::string> import_paths, std::function<void(const std::string& path)> told);
  ~Checker();  // waits for what is under way

  void submit(Task task);
  void forget(const std::string& path);
  // The names of a text, at once and on this thread; they are not kept.
  std::shared_ptr<const CheckedNames> look_at(const Task& task) const;
  bool is_deriving() const { return deriving_now_; }

  // The names of the text with this stamp, which are waited for; if that takes too long, those of an older one, or
  // null.
  std::shared_ptr<const CheckedNames> names(const std::string& path, std::uint64_t stamp,
                                            std::chrono::milliseconds patience) const;
  std::shared_ptr<const CheckedNames> names(const std::string& path) const;
  std::shared_ptr<const CheckedEquations> equations(const std::string& path) const;

 private:
  struct Known {
    std::shared_ptr<const CheckedNames> names;
    std::shared_ptr<const CheckedEquations> equations;
  };
  void find_names();
  void find_equations();
  ModelOptions options_for(const Task& task, std::set<std::string>* imports) const;

  std::vector<std::string> import_paths_;
  std::function<void(const std::string&)> told_;
  NewestFirst to_name_, to_derive_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::map<std::string, Known> known_;
  std::set<std::string> wanted_;  // paths that were not forgotten
  std::atomic<bool> deriving_now_ = false;
  std::thread naming_, deriving_;  // last: they use all the others
};

}  // namespace nsmc::lsp
