#include "compiler/api/load.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "compiler/api/standard_library.hpp"
#include "compiler/support/internal_check.hpp"
#include "compiler/syntax/parse.hpp"
#include "nsmc/errors.hpp"

namespace nsmc {
namespace {

namespace fs = std::filesystem;

class Loader {
 public:
  // partly: files with errors are kept as far as they could be read.
  Loader(const ModelSource& source, Sources& sources, Diagnostics& diagnostics, bool partly)
      : source_(source), sources_(sources), diagnostics_(diagnostics), partly_(partly) {}

  bool load() {
    return parse_file(source_.name, source_.text ? *source_.text : source_.files(source_.name),
                      canonical(source_.name));
  }

  std::vector<ast::Model> files;

 private:
  static std::string canonical(const std::string& path) {
    std::error_code error;
    const fs::path result = fs::weakly_canonical(path, error);
    return error ? path : result.string();
  }

  bool parse_file(const std::string& name, std::string text, const std::string& identity) {
    open_.push_back(identity);
    seen_.push_back(identity);
    const FileId id = sources_.add(name, std::move(text));
    PartlyParsed parsed = parse_partly(sources_, id, diagnostics_);
    bool ok = parsed.whole;
    if (ok || partly_) {
      const std::size_t at = files.size();
      files.push_back(std::move(parsed.model));
      for (std::size_t i = 0; i < files[at].declarations.size(); ++i) {
        const ast::Declaration& declaration = files[at].declarations[i];
        const auto* import = std::get_if<ast::Import>(&declaration.value);
        if (import == nullptr) continue;
        const std::string path = import->path;
        ok = import_file(path, declaration.span, name) && ok;
      }
    }
    open_.pop_back();
    return ok;
  }

  bool import_file(const std::string& written, Span span, const std::string& importer) {
    const std::string path = (fs::path(importer).parent_path() / written).lexically_normal().string();
    const std::string identity = canonical(path);
    if (std::find(open_.begin(), open_.end(), identity) != open_.end()) {
      diagnostics_.report(Kind::import_cycle, span, fmt::format("'{}' is imported while it is being read", written),
                          "files that need each other belong into one file");
      return false;
    }
    if (std::find(seen_.begin(), seen_.end(), identity) != seen_.end()) return true;  // imported before
    try {
      return parse_file(path, source_.files(path), identity);
    } catch (const FileError& error) {
      diagnostics_.report(Kind::import_not_found, span, error.what(),
                          "paths are relative to the file that imports; the standard library needs no import");
      return false;
    }
  }

  const ModelSource& source_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  bool partly_;
  std::vector<std::string> open_, seen_;
};

// Laws are parsed whole; of the functions for bodies a model needs a few, which are parsed when they are called.
void load_library(Sources& sources, SourceModels& models) {
  Diagnostics diagnostics;
  for (const LibraryFile& file : standard_library()) {
    const FileId id = sources.add(std::string(file.name), std::string(file.text));
    if (file.name == "std/bodies.nsm") {
      models.functions = std::make_shared<LazyFunctions>(sources, id);
      continue;
    }
    auto model = parse(sources, id, diagnostics);
    internal_check(model.has_value(), "the standard library does not parse");
    std::move(model->declarations.begin(), model->declarations.end(), std::back_inserter(models.library.declarations));
  }
}

SourceModels with_library(std::vector<ast::Model> files, Sources& sources) {
  SourceModels models;
  models.files = std::move(files);
  load_library(sources, models);
  return models;
}

}  // namespace

std::optional<SourceModels> load(const ModelSource& source, Sources& sources, Diagnostics& diagnostics) {
  Loader loader(source, sources, diagnostics, false);
  if (!loader.load()) return std::nullopt;
  return with_library(std::move(loader.files), sources);
}

SourceModels load_partly(const ModelSource& source, Sources& sources, Diagnostics& diagnostics) {
  Loader loader(source, sources, diagnostics, true);
  loader.load();
  return with_library(std::move(loader.files), sources);
}

}  // namespace nsmc
