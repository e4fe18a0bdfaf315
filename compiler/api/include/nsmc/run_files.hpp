// Files of a run while it goes: rows, events of method event, contact problems. They are named in a RunRequest (or as
// the recorder), are opened once nothing speaks against the run any more, and appear whole when commit() is called;
// without it what was there stays.
//
// A run of hours has files with FileMode::part: they stay as PATH.part if the process is killed, and go on at the place
// that a saved state remembers: run.save({rows.keep(), events.keep()}), then FileMode::from of SavedState::files().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nsmc/run.hpp"

namespace nsmc {

struct FileMode {
  bool stream = false;             // rows go out as they come, and nothing is replaced in the end
  bool part = false;               // the file is PATH.part until commit()
  std::optional<KeptFile> from{};  // go on with a part, at this place
};

// Rows as comma-separated text, the time first. A path of "-" is standard output. Throws FileError; SettingError
// "outputs" if a part that it goes on with has other columns.
class RowFile final : public Recorder {
 public:
  explicit RowFile(std::string path, FileMode mode = {});
  ~RowFile() override;

  void begin(const std::vector<std::string>& columns) override;
  void record(double t, std::span<const double> columns) override;

  KeptFile keep();  // all that was recorded until now is in the file
  void commit();
  std::uint64_t rows() const { return rows_; }

 private:
  struct Writer;
  std::string path_;
  FileMode mode_;
  std::uint64_t rows_;
  std::unique_ptr<Writer> writer_;
};

// Events likewise: time, contact, kind, and the velocities of the contact before and after, as many as the largest
// contact of the model has; those that a contact does not have are empty. Throws FileError.
class EventFile final : public EventRecorder {
 public:
  explicit EventFile(std::string path, FileMode mode = {});
  ~EventFile() override;

  void begin(std::size_t velocities) override;
  void record(const EventInfo& event) override;

  KeptFile keep();
  void commit();
  std::uint64_t rows() const { return rows_; }

 private:
  struct File;
  std::string path_;
  FileMode mode_;
  std::uint64_t rows_;
  std::size_t velocities_ = 0;
  std::unique_ptr<File> file_;
};

struct ContactProblemChoice {
  std::string directory;
  std::uint64_t count = 20;              // at most, so that memory and files are bounded
  std::optional<std::uint64_t> every{};  // every Nth, the first ones; absent: the hardest, by iterations of the solver
};

// Contact problems of a run, kept while it goes and written at its end, as text that `build/bench/contact_problems`
// reads: unilateral contacts with Coulomb friction in space.
class ContactProblemFiles {
 public:
  ContactProblemFiles(ContactProblemChoice choice, std::string model);
  ~ContactProblemFiles();

  // All files or, with a FileError, none: MODEL-NUMBER.dat with the number of the problem in the run.
  void write() const;

  std::uint64_t seen() const;      // problems of the run
  std::size_t kept() const;        // those that are written
  std::uint64_t left_out() const;  // those that would have been, and are not within the format
  std::string outside() const;     // what the format is, and a contact that is not within it
  const std::string& directory() const;

  struct Impl;
  Impl& impl() { return *impl_; }  // for nsmc itself

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace nsmc
