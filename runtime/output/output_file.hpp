// A text file that a reader never sees half of: what is written goes to `<path>.tmp-<pid>` beside the target, which
// commit() renames to the target. Without commit() the temporary is removed and the target left alone. Where there is
// no file to replace -- "-" (standard output), anything under /dev or /proc, pipes and devices -- or if asked to
// stream, text goes to the target directly.
//
// A run of hours that may be killed writes to `<path>.part` instead, which stays where it is: the run goes on at one of
// the places that it has kept (state_file.hpp), and commit() renames the file in the end. What such a run relies on is
// on the disk, not in the memory of the operating system (fsync): the bytes that were kept before the state that counts
// them, a file before it gets its name, and the name in its folder.
//
// Every failure of the operating system becomes an OutputError with the path and the reason.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace nsmc::rt {

struct OutputError : std::runtime_error {
  OutputError(std::string where, std::string why)
      : std::runtime_error("cannot write " + where + ": " + why), path(std::move(where)), reason(std::move(why)) {}
  std::string path;
  std::string reason;  // of the operating system
};

// All of the text to an open file. Throws OutputError in the name of `path`.
void write_all(int file, std::string_view text, const std::string& path);

// What was written to an open file is on the disk, where the file system can tell. Throws OutputError.
void sync_file(int file, const std::string& path);

// False if this path names something that cannot be replaced: standard output, a device, a pipe.
bool is_replaceable(const std::string& path);

struct OutputMode {
  bool stream = false;
  bool part = false;                           // to `<path>.part`
  bool durable = false;                        // what is kept or committed outlives a loss of power; parts always are
  std::optional<std::uint64_t> go_on_at = {};  // of the part: so many bytes are kept, whatever was written after them
};

// Where the text of such a file is before it is complete.
inline std::string part_of(const std::string& path) { return path + ".part"; }

// For a program that ends in the middle of everything: removes the temporaries of all files that are open, those that
// stay apart. Their owners must not be used any more.
void remove_temporaries() noexcept;

class OutputFile {
 public:
  explicit OutputFile(std::string path, const OutputMode& mode = {});  // throws OutputError
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Text that is not written yet. Append to it, then call flush_if_full().
  std::string& buffer() { return buffer_; }
  void flush_if_full();
  void flush();

  // Writes what is buffered. The bytes of the file by then: a place to go on at.
  std::uint64_t keep();

  // Writes what is buffered, closes, and puts the file in its place.
  void commit();

  const std::string& path() const { return path_; }

 private:
  friend void remove_temporaries() noexcept;

  void open(const OutputMode& mode);
  void open_target();
  void open_temporary();
  void open_part(const std::optional<std::uint64_t>& go_on_at);
  void sync();
  void abandon() noexcept;
  [[noreturn]] void fail(int error);

  std::string path_;       // as given, for messages
  std::string target_;     // what is replaced: path_ with links resolved
  std::string temporary_;  // empty: writing to the target directly
  bool stays_ = false;     // the temporary, unless it becomes the target
  bool durable_;
  std::uint64_t bytes_ = 0;
  int file_ = -1;
  bool close_file_ = true;
  std::string buffer_;
};

}  // namespace nsmc::rt
