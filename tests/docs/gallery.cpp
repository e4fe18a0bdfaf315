// The gallery has every model, and its pictures are there and small. What fails here is mended by scripts/gallery.
#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMostBytes = 3'000'000;

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("documentation: the gallery has a picture and a paragraph of every model") {
  const fs::path docs = NSMC_SOURCE_DIR "/docs";
  const std::string gallery = text_of(docs / "gallery.md");
  REQUIRE(!gallery.empty());
  // Of the README, and of viewing.md.
  std::set<std::string> pictures{"page", "sled"};
  for (const auto& entry : fs::directory_iterator(NSMC_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".nsm") continue;
    const std::string name = entry.path().stem().string();
    CAPTURE(name);
    pictures.insert(name);
    const bool complete = gallery.find("\n## " + name + "\n") != std::string::npos &&
                          gallery.find("(gallery/" + name + ".webp)") != std::string::npos &&
                          fs::exists(docs / "gallery" / (name + ".webp"));
    CHECK_MESSAGE(complete, "docs/gallery.md lacks a model: run scripts/gallery "
                                << name << ", after a row in web/tools/moments.mjs that says what is seen when");
  }
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(docs / "gallery")) {
    bytes += entry.file_size();
    CHECK_MESSAGE(pictures.contains(entry.path().stem().string()), entry.path().filename().string()
                                                                       << " shows no model: run scripts/gallery");
  }
  CHECK_MESSAGE(bytes < kMostBytes, "the pictures of docs/gallery have " << bytes << " bytes: make them smaller");
  CHECK(text_of(NSMC_SOURCE_DIR "/README.md").find("(docs/gallery/page.webp)") != std::string::npos);
}
