// The tokens of one declaration, as the stream that the generated parser reads. Refilled for every declaration, so
// that memory follows the longest declaration and not the file.
#pragma once

#include <antlr4-runtime.h>

#include <memory>
#include <string>
#include <vector>

#include "compiler/syntax/tokens.hpp"

namespace nsmc {

class DeclarationTokens final : public antlr4::TokenStream {
 public:
  explicit DeclarationTokens(antlr4::TokenSource* source) : source_(source), end_(antlr4::Token::EOF) {}

  std::vector<TokenPtr> tokens;
  TokenPtr following;  // the first token after the declaration, EOF at the end of the file

  // The token at `index`, or the one that follows the declaration.
  const LexerToken& at(std::size_t index) const { return index < tokens.size() ? *tokens[index] : *following; }
  bool begins_line(std::size_t index) const { return index == 0 || tokens[index - 1]->getLine() < at(index).getLine(); }

  antlr4::Token* LT(ssize_t k) override {
    const ssize_t index = static_cast<ssize_t>(position_) + (k > 0 ? k - 1 : k);
    if (k == 0 || index < 0) return nullptr;
    return index < static_cast<ssize_t>(tokens.size()) ? tokens[static_cast<std::size_t>(index)].get() : &end_;
  }
  std::size_t LA(ssize_t k) override {
    const antlr4::Token* token = LT(k);
    return token ? token->getType() : static_cast<std::size_t>(antlr4::Token::INVALID_TYPE);
  }
  antlr4::Token* get(std::size_t index) const override { return tokens.at(index).get(); }
  void consume() override {
    if (position_ < tokens.size()) ++position_;
  }
  ssize_t mark() override { return 0; }
  void release(ssize_t) override {}
  std::size_t index() override { return position_; }
  void seek(std::size_t index) override { position_ = index; }
  std::size_t size() override { return tokens.size(); }
  antlr4::TokenSource* getTokenSource() const override { return source_; }
  // Texts come from the source by span; the parser asks for these only to word errors, which we word ourselves.
  std::string getSourceName() const override { return {}; }
  std::string getText(const antlr4::misc::Interval&) override { return {}; }
  std::string getText() override { return {}; }
  std::string getText(antlr4::RuleContext*) override { return {}; }
  std::string getText(antlr4::Token*, antlr4::Token*) override { return {}; }

 private:
  antlr4::TokenSource* source_;
  mutable LexerToken end_;
  std::size_t position_ = 0;
};

}  // namespace nsmc
