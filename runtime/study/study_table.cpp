#include "runtime/study/study_table.hpp"

namespace nsmc::rt {

StudyTable::StudyTable(std::string path, std::string header, std::function<std::string(const StudyRow&)> line)
    : path_(std::move(path)), header_(std::move(header)), line_(std::move(line)) {
  header_ += '\n';
  if (is_replaceable(path_)) {
    const OutputFile trial(path_);  // that it cannot be written is known before the runs and not after them
    return;
  }
  direct_ = std::make_unique<OutputFile>(path_);
  direct_->buffer() += header_;
  direct_->flush();
}

void StudyTable::add(const StudyRow& row) {
  if (has(row.index)) return;
  rows_[row.index] = line_(row) + "\n";
  ++n_rows_;
  if (!direct_) return;
  bool news = false;
  for (auto next = rows_.begin(); next != rows_.end() && next->first == written_; next = rows_.erase(next)) {
    direct_->buffer() += next->second;
    ++written_;
    news = true;
  }
  if (news) direct_->flush();
}

void StudyTable::finish() {
  if (!direct_) {
    OutputMode mode;
    mode.durable = true;  // the journal is removed once the table is there
    direct_ = std::make_unique<OutputFile>(path_, mode);
    direct_->buffer() += header_;
  }
  for (const auto& [index, line] : rows_) {
    direct_->buffer() += line;
    direct_->flush_if_full();
  }
  direct_->commit();
}

}  // namespace nsmc::rt
