#include "compiler/api/load.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "compiler/api/standard_library.hpp"
#include "compiler/support/internal_check.hpp"
#include "compiler/syntax/limits.hpp"
#include "compiler/syntax/parse.hpp"
#include "nsmc/errors.hpp"

namespace nsmc {
namespace {

namespace fs = std::filesystem;

class Loader {
 public:
  // partly: files with errors are kept as far as they could be read.
  Loader(const ModelSource& source, Sources& sources, Diagnostics& diagnostics, bool partly)
      : source_(source), sources_(sources), diagnostics_(diagnostics), partly_(partly) {
    roots_.push_back(canonical(folder_of(source.name)));
    for (const std::string& folder : source.import_paths) roots_.push_back(canonical(folder));
  }

  bool load() {
    return parse_file(source_.name, source_.text ? *source_.text : source_.files(source_.name),
                      canonical(source_.name));
  }

  std::vector<ast::Model> files;
  std::map<std::pair<FileId, std::string>, std::string> data;  // of tables

 private:
  static std::string canonical(const std::string& path) {
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    fs::path result = error ? fs::path(path) : fs::weakly_canonical(absolute, error);
    if (error) result = fs::path(path).lexically_normal();
    return (result.has_filename() ? result : result.parent_path()).string();
  }

  static fs::path folder_of(const std::string& file) {
    const fs::path folder = fs::path(file).parent_path();
    return folder.empty() ? fs::path(".") : folder;
  }

  // Compares canonical paths: links do not lead out of a folder.
  bool is_inside(const std::string& identity) const {
    const fs::path path(identity);
    return std::any_of(roots_.begin(), roots_.end(), [&](const fs::path& root) {
      return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
    });
  }

  bool parse_file(const std::string& name, std::string text, const std::string& identity) {
    open_.push_back(identity);
    seen_.push_back(identity);
    bytes_ += text.size();
    const FileId id = sources_.add(name, std::move(text));
    PartlyParsed parsed = parse_partly(sources_, id, diagnostics_);
    bool ok = parsed.whole;
    if (ok || partly_) {
      const std::size_t at = files.size();
      files.push_back(std::move(parsed.model));
      for (std::size_t i = 0; i < files[at].declarations.size(); ++i) {
        const ast::Declaration& declaration = files[at].declarations[i];
        if (const auto* table = std::get_if<ast::Table>(&declaration.value); table != nullptr && table->file)
          ok = read_data(*table->file, name) && ok;
        const auto* import = std::get_if<ast::Import>(&declaration.value);
        if (import == nullptr) continue;
        const std::string path = import->path;
        ok = import_file(path, declaration.span, name) && ok;
      }
    }
    open_.pop_back();
    return ok;
  }

  // Beside the file that imports, then in the folders of the caller.
  std::vector<std::string> candidates(const std::string& written, const std::string& importer) const {
    std::vector<std::string> paths{(fs::path(importer).parent_path() / written).lexically_normal().string()};
    if (fs::path(written).is_absolute()) return paths;
    for (const std::string& folder : source_.import_paths)
      paths.push_back((fs::path(folder) / written).lexically_normal().string());
    return paths;
  }

  bool refuse_too_many(Span span, const std::string& what) {
    diagnostics_.report(Kind::too_many_imports, span, what, "put what belongs together into one file");
    return false;
  }

  // The rows of a table, found as an import is.
  bool read_data(const ast::Name& file, const std::string& importer) {
    std::string trouble;
    for (const std::string& path : candidates(file.text, importer)) {
      if (!is_inside(canonical(path))) continue;
      try {
        std::string text = source_.files(path);
        bytes_ += text.size();
        if (bytes_ > max_model_bytes)
          return refuse_too_many(file.span,
                                 fmt::format("the files of the model have more than {} MiB", max_model_bytes >> 20));
        data[{file.span.file, file.text}] = std::move(text);
        return true;
      } catch (const FileError& error) {
        if (trouble.empty()) trouble = error.what();
      }
    }
    if (trouble.empty()) {
      diagnostics_.report(Kind::import_outside, file.span,
                          fmt::format("'{}' is outside of the folder of the model", file.text),
                          "a model reads files below its own folder, and of folders that --import-path names");
    } else {
      diagnostics_.report(Kind::import_not_found, file.span, trouble, "paths are relative to the file of the model");
    }
    return false;
  }

  bool import_file(const std::string& written, Span span, const std::string& importer) {
    std::string trouble;  // of the first one that may be read
    for (const std::string& path : candidates(written, importer)) {
      const std::string identity = canonical(path);
      if (!is_inside(identity)) continue;
      if (std::find(open_.begin(), open_.end(), identity) != open_.end()) {
        diagnostics_.report(Kind::import_cycle, span, fmt::format("'{}' is imported while it is being read", written),
                            "files that need each other belong into one file");
        return false;
      }
      if (std::find(seen_.begin(), seen_.end(), identity) != seen_.end()) return true;  // imported before
      std::string text;
      try {
        text = source_.files(path);
      } catch (const FileError& error) {
        if (trouble.empty()) trouble = error.what();
        continue;
      }
      // Once one of these is reached, more of them would say the same.
      if (full_) return false;
      full_ = true;
      if (open_.size() > max_import_depth)
        return refuse_too_many(span, fmt::format("imports are nested more than {} files deep", max_import_depth));
      if (seen_.size() > max_imports) return refuse_too_many(span, fmt::format("more than {} imports", max_imports));
      if (bytes_ + text.size() > max_model_bytes)
        return refuse_too_many(span,
                               fmt::format("the files of the model have more than {} MiB", max_model_bytes >> 20));
      full_ = false;
      return parse_file(path, std::move(text), identity);
    }
    if (trouble.empty()) {
      diagnostics_.report(Kind::import_outside, span,
                          fmt::format("'{}' is outside of the folder of the model", written),
                          "a model reads files below its own folder, and of folders that --import-path names");
    } else {
      diagnostics_.report(Kind::import_not_found, span, trouble,
                          "paths are relative to the file that imports; the standard library needs no import");
    }
    return false;
  }

  const ModelSource& source_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  bool partly_;
  std::vector<fs::path> roots_;  // canonical
  std::vector<std::string> open_, seen_;
  std::size_t bytes_ = 0;
  bool full_ = false;
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

SourceModels with_library(Loader loader, Sources& sources) {
  SourceModels models;
  models.files = std::move(loader.files);
  models.data = std::move(loader.data);
  load_library(sources, models);
  return models;
}

}  // namespace

std::optional<SourceModels> load(const ModelSource& source, Sources& sources, Diagnostics& diagnostics) {
  Loader loader(source, sources, diagnostics, false);
  if (!loader.load()) return std::nullopt;
  return with_library(std::move(loader), sources);
}

SourceModels load_partly(const ModelSource& source, Sources& sources, Diagnostics& diagnostics) {
  Loader loader(source, sources, diagnostics, true);
  loader.load();
  return with_library(std::move(loader), sources);
}

}  // namespace nsmc
