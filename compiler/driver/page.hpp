// The page of `nsmc view` as a file: the built page of web/ with the data in it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "nsmc/model.hpp"

namespace nsmc {

// The text of the page without its data. Throws FileError where it was not built, with what that needs.
std::string page_template();

// What the page says of a model: name, sources, equations, parameters (docs/viewing.md).
nlohmann::ordered_json page_model(const Model& model, const Overrides& overrides);

// `data` between format and program; the file appears whole. Throws FileError, rt::OutputError.
void write_page(const std::string& path, const std::string& page, nlohmann::ordered_json data);

// By the desktop, if there is one: false if not.
bool open_page(const std::string& path);

}  // namespace nsmc
