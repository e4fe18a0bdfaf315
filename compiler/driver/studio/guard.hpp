// Who may ask the studio, and for which files. The studio listens on the loopback interface alone, but every page that
// a browser shows may send requests there: they need the token of this studio, the name of its own address in Host,
// and, where a browser says where a request comes from, the studio's own origin.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace nsmc::studio {

// 128 random bits in hexadecimal digits.
std::string make_token();

class Guard {
 public:
  Guard(int port, std::string token) : port_(port), token_(std::move(token)) {}

  const std::string& token() const { return token_; }
  std::string address() const;  // for the browser, with the token

  // By the headers Host and Origin (absent: empty), and the token that came with the request.
  bool admits(const std::string& host, const std::string& origin, const std::string& token) const;

 private:
  int port_;
  std::string token_;
};

// A folder that nothing leads out of.
class Folder {
 public:
  // `root` exists.
  explicit Folder(const std::filesystem::path& root) : root_(std::filesystem::canonical(root)) {}

  const std::filesystem::path& root() const { return root_; }

  // The file of that name below the folder, which may not be there yet; nothing for absolute names, names with "..",
  // hidden files, whatever does not end in .nsm, links that lead out, and what is there and not a regular file.
  std::optional<std::filesystem::path> model(const std::string& name) const;

  // The models below the folder, by name with '/', sorted; hidden folders and links are left out, at most `most`.
  std::vector<std::string> models(std::size_t most = 500) const;

 private:
  std::filesystem::path root_;
};

}  // namespace nsmc::studio
