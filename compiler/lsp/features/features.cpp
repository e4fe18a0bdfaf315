#include "compiler/lsp/features/feature.hpp"

namespace nsmc::lsp {
namespace {

Json yes() { return true; }

}  // namespace

std::span<const Feature> features() {
  static constexpr Feature kFeatures[] = {
      {"textDocument/completion", completion, "completionProvider", completion_options},
      {"textDocument/signatureHelp", signature_help, "signatureHelpProvider", signature_options},
      {"textDocument/hover", hover, "hoverProvider", yes},
      {"textDocument/definition", definition, "definitionProvider", yes},
      {"textDocument/references", references, "referencesProvider", yes},
      {"textDocument/documentHighlight", highlights, "documentHighlightProvider", yes},
      {"textDocument/rename", rename, "renameProvider", rename_options},
      {"textDocument/prepareRename", prepare_rename, "", nullptr},
      {"textDocument/documentSymbol", document_symbols, "documentSymbolProvider", yes},
      {"textDocument/foldingRange", folding_ranges, "foldingRangeProvider", yes},
      {"textDocument/formatting", formatting, "documentFormattingProvider", yes},
      {"textDocument/codeAction", code_actions, "codeActionProvider", code_action_options},
      {"textDocument/semanticTokens/full", semantic_tokens, "semanticTokensProvider", semantic_token_options},
  };
  return kFeatures;
}

}  // namespace nsmc::lsp
