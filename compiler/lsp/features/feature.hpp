// The requests that the server answers: a row each in features.cpp, a file for each topic. An answer is a function of
// the session and the parameters; it throws Refusal, and exceptions of JSON for parameters that are not as they should
// be.
#pragma once

#include <span>
#include <string_view>

#include "compiler/lsp/session.hpp"

namespace nsmc::lsp {

struct Feature {
  std::string_view method;
  Json (*answer)(const Session& session, const Json& params);
  std::string_view capability;  // its name among those of the server; empty: it belongs to the one above
  Json (*options)();            // what is said of it there
};

std::span<const Feature> features();

Json completion(const Session& session, const Json& params);
Json completion_options();
Json signature_help(const Session& session, const Json& params);
Json signature_options();
Json hover(const Session& session, const Json& params);
Json definition(const Session& session, const Json& params);
Json references(const Session& session, const Json& params);
Json highlights(const Session& session, const Json& params);
Json prepare_rename(const Session& session, const Json& params);
Json rename(const Session& session, const Json& params);
Json rename_options();
Json document_symbols(const Session& session, const Json& params);
Json folding_ranges(const Session& session, const Json& params);
Json formatting(const Session& session, const Json& params);
Json code_actions(const Session& session, const Json& params);
Json code_action_options();
Json semantic_tokens(const Session& session, const Json& params);
Json semantic_token_options();

}  // namespace nsmc::lsp
