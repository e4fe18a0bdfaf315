// Rows of a run in memory.
#include <algorithm>

#include "compiler/api/files.hpp"
#include "nsmc/run.hpp"
#include "runtime/output/csv_writer.hpp"

namespace nsmc {

void Table::begin(const std::vector<std::string>& columns_of_rows) {
  names_ = columns_of_rows;
  t.clear();
  columns.assign(names_.size(), {});
}

void Table::record(double time, std::span<const double> values) {
  t.push_back(time);
  for (std::size_t i = 0; i < values.size(); ++i) columns[i].push_back(values[i]);
}

const std::vector<double>& Table::column(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) throw SettingError(name, "nothing that was recorded is called '" + name + "'");
  return columns[static_cast<std::size_t>(found - names_.begin())];
}

void RowBlock::record(double time, std::span<const double> row) {
  t.push_back(time);
  values.insert(values.end(), row.begin(), row.end());
}

void RowBlock::write_csv(const std::string& path) const {
  std::vector<std::string> header{"t"};
  header.insert(header.end(), names_.begin(), names_.end());
  as_file_errors([&] {
    rt::CsvWriter writer(path, header, {{}, true});
    for (std::size_t k = 0; k < rows(); ++k)
      writer.record(t[k], std::span(values).subspan(k * names_.size(), names_.size()));
    writer.commit();
  });
}

}  // namespace nsmc
