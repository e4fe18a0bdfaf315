#include "runtime/output/state_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <memory>
#include <string_view>
#include <system_error>

#include "runtime/output/checksum.hpp"
#include "runtime/output/output_file.hpp"

namespace nsmc::rt {

namespace {

constexpr std::string_view first_word = "nsmc state ";
constexpr std::uint64_t format = 1;
constexpr std::size_t numbers_per_line = 8;

void append_words(std::string& out, const std::vector<std::uint64_t>& words) {
  for (std::size_t k = 0; k < words.size(); ++k) {
    fmt::format_to(std::back_inserter(out), "{:016x}{}", words[k],
                   k % numbers_per_line == numbers_per_line - 1 || k + 1 == words.size() ? '\n' : ' ');
  }
}

std::string text_of(const StateFile& state) {
  std::string out = fmt::format("{}{}\nprogram {}\nmodel {}\n", first_word, format, state.program, state.model);
  for (const auto& [name, value] : state.settings) out += fmt::format("setting {} {}\n", name, value);
  for (const auto& [name, value] : state.parameters) out += fmt::format("parameter {} {}\n", name, value);
  for (const StateFile::Output& file : state.outputs)
    out += fmt::format("output {} {} {}\n", file.bytes, file.rows, file.name);
  out += fmt::format("run {}\n", SavedRun::version);
  for (const SavedBlock& block : state.run.blocks) {
    out += fmt::format("block {} {} {}\n", block.name, block.reals.size(), block.integers.size());
    std::vector<std::uint64_t> words;
    for (const double value : block.reals) words.push_back(std::bit_cast<std::uint64_t>(value));
    append_words(out, words);
    append_words(out, block.integers);
  }
  return out;
}

// The words of a file, one after the other.
class Reader {
 public:
  Reader(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  bool at_end() const { return at_ == text_.size(); }

  std::string_view word() {
    const std::size_t end = std::min(text_.find_first_of(" \n", at_), text_.size());
    const std::string_view found = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    if (found.empty()) damaged();
    return found;
  }
  std::string_view rest_of_line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view found = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    return found;
  }
  std::uint64_t number(int base = 10) {
    const std::string_view text = word();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size()) damaged();
    return value;
  }
  std::vector<std::uint64_t> words(std::uint64_t count) {
    if (count > text_.size()) damaged();
    std::vector<std::uint64_t> values(static_cast<std::size_t>(count));
    for (std::uint64_t& value : values) value = number(16);
    return values;
  }

  [[noreturn]] void damaged() const {
    throw StateFileError(fmt::format("the state in {} is damaged: it was cut short or changed", path_));
  }

 private:
  const std::string& path_;
  std::string_view text_;
  std::size_t at_ = 0;
};

std::string whole_file(const std::string& path) {
  const auto fail = [&] {
    throw StateFileError(fmt::format("cannot read the state in {}: {}", path, std::generic_category().message(errno)));
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) fail();
  std::string text;
  char part[1 << 16];
  while (const std::size_t n = std::fread(part, 1, sizeof part, file.get())) text.append(part, n);
  if (std::ferror(file.get()) != 0) fail();
  return text;
}

// The text before the checksum, which must be right. What begins otherwise is no state, or one of another format.
std::string_view checked(const std::string& path, std::string_view text) {
  if (!text.starts_with(first_word)) throw StateFileError(fmt::format("{} is not a state of a run of nsmc", path));
  Reader head(path, text.substr(first_word.size()));
  if (const std::uint64_t found = head.number(); found != format) {
    throw StateFileError(fmt::format(
        "the state in {} has format {}, this nsmc reads format {}: it is of another version", path, found, format));
  }
  const std::size_t last = text.rfind("\nchecksum ");
  if (last == std::string_view::npos) head.damaged();
  const std::string_view body = text.substr(0, last + 1);
  if (text.substr(last + 1) != fmt::format("checksum {:016x}\n", checksum_of(body))) head.damaged();
  return body;
}

}  // namespace

void write_state_file(const std::string& path, const StateFile& state) {
  std::string text = text_of(state);
  text += fmt::format("checksum {:016x}\n", checksum_of(text));
  OutputMode mode;
  mode.durable = true;
  OutputFile file(path, mode);
  file.buffer() = std::move(text);
  file.commit();
}

StateFile read_state_file(const std::string& path) {
  const std::string text = whole_file(path);
  Reader reader(path, checked(path, text));
  reader.rest_of_line();
  StateFile state;
  while (!reader.at_end()) {
    const std::string_view kind = reader.word();
    if (kind == "program") {
      state.program = reader.rest_of_line();
    } else if (kind == "model") {
      state.model = reader.rest_of_line();
    } else if (kind == "setting") {
      const std::string_view name = reader.word();
      state.settings.emplace_back(name, reader.rest_of_line());
    } else if (kind == "parameter") {
      const std::string_view name = reader.word();
      state.parameters.emplace_back(name, reader.rest_of_line());
    } else if (kind == "output") {
      StateFile::Output& output = state.outputs.emplace_back();
      output.bytes = reader.number();
      output.rows = reader.number();
      output.name = reader.rest_of_line();
    } else if (kind == "run") {
      if (const std::uint64_t version = reader.number(); version != SavedRun::version) {
        throw StateFileError(
            fmt::format("the run in {} was saved by another version of nsmc, {}", path, state.program));
      }
    } else if (kind == "block") {
      SavedBlock& block = state.run.blocks.emplace_back();
      block.name = reader.word();
      const std::uint64_t n_reals = reader.number(), n_integers = reader.number();
      for (const std::uint64_t word : reader.words(n_reals)) block.reals.push_back(std::bit_cast<double>(word));
      block.integers = reader.words(n_integers);
    } else {
      reader.damaged();
    }
  }
  return state;
}

}  // namespace nsmc::rt
