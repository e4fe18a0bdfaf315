// Addresses of documents and paths of files.
#pragma once

#include <optional>
#include <string>

namespace nsmc::lsp {

// Of file:///...; nothing for other schemes and for what is no address.
std::optional<std::string> path_of_uri(const std::string& uri);
std::string uri_of_path(const std::string& path);

// Links followed as far as the path exists: equal for two names of one file.
std::string canonical_path(const std::string& path);

}  // namespace nsmc::lsp
