// The page of `nsmc view` as a file: the built page of web/ with the data in it.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "compiler/api/page.hpp"
#include "nsmc/model.hpp"

namespace nsmc {

// The text of the page without its data. Throws FileError where it was not built, with what that needs.
std::string page_template(const std::string& name = "view.html");

// The filled page; the file appears whole. Throws FileError.
void write_page(const std::string& path, const std::string& page, nlohmann::ordered_json data);

// The models that come with nsmc, beside its pages or in the tree of its build; nothing if they are not there.
std::optional<std::filesystem::path> examples_folder();

// By the desktop, if there is one: false if not.
bool open_page(const std::string& path);

}  // namespace nsmc
