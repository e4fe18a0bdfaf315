// Studies: what measures gather, the threads, the journal and the table.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "hand_models.hpp"
#include "runtime/output/checksum.hpp"
#include "runtime/study/journal.hpp"
#include "runtime/study/measure.hpp"
#include "runtime/study/study_table.hpp"
#include "runtime/study/worker_pool.hpp"
#include "tests/temporary_folder.hpp"

using namespace nsmc::rt;
using nsmc::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A measure of column 0 over these points.
std::optional<double> measured(const Measure& measure, const std::vector<std::pair<double, double>>& points) {
  const models::Model model = models::bouncing_ball();
  const double p[] = {1, 9.81, 0};
  const System system(model.table, p);
  MeasureRecorder recorder(system, std::span(&measure, 1));
  std::vector<double> row(system.n_columns(), 0);
  for (const auto& [t, x] : points) {
    row[measure.column] = x;
    recorder.record(t, row);
  }
  return recorder.values(Summary{})[0];
}

}  // namespace

TEST_CASE("measures: end, least, greatest and mean of a broken line") {
  const std::vector<std::pair<double, double>> line{{0, 1}, {1, 3}, {1.5, -1}, {2, 0}};
  CHECK(measured({MeasureKind::end}, line) == 0);
  CHECK(measured({MeasureKind::min}, line) == -1);
  CHECK(measured({MeasureKind::max}, line) == 3);
  CHECK(*measured({MeasureKind::mean}, line) == doctest::Approx((2 + 0.5 - 0.25) / 2));
  CHECK(measured({MeasureKind::mean}, {{0, 7}}) == 7);  // no step: the value itself
  // A value that is not a number is not forgotten.
  CHECK(std::isnan(*measured({MeasureKind::max}, {{0, 1}, {1, NAN}, {2, 5}})));
  CHECK(std::isnan(*measured({MeasureKind::min}, {{0, 1}, {1, NAN}, {2, -5}})));
}

TEST_CASE("measures: forces are constant over the step that ended") {
  // Columns of the ball: q, u, gap, N.
  CHECK(*measured({MeasureKind::mean, 3}, {{0, 0}, {1, 4}, {3, 1}}) == doctest::Approx((4 + 2) / 3.0));
  CHECK(*measured({MeasureKind::mean, 2}, {{0, 0}, {1, 4}, {3, 1}}) == doctest::Approx((2 + 5) / 3.0));
}

TEST_CASE("measures: times are those of the straight line between steps, or none") {
  const std::vector<std::pair<double, double>> line{{0, 1}, {1, 3}, {2, -1}};
  CHECK(*measured({MeasureKind::first_above, 0, 2}, line) == doctest::Approx(0.5));
  CHECK(*measured({MeasureKind::first_below, 0, 0}, line) == doctest::Approx(1.75));
  CHECK(*measured({MeasureKind::crossing, 0, 2}, line) == doctest::Approx(0.5));
  CHECK(*measured({MeasureKind::crossing, 0, 0}, line) == doctest::Approx(1.75));
  CHECK_FALSE(measured({MeasureKind::first_above, 0, 3}, line));
  CHECK_FALSE(measured({MeasureKind::crossing, 0, 4}, line));
  // At the start already.
  CHECK(measured({MeasureKind::first_above, 0, 0.5}, line) == 0);
  CHECK(measured({MeasureKind::first_below, 0, 1.5}, line) == 0);
  // Touching the value counts, starting from it does not.
  CHECK(measured({MeasureKind::crossing, 0, 3}, line) == 1);
  CHECK(*measured({MeasureKind::crossing, 0, 1}, line) == doctest::Approx(1.5));
  CHECK(measured({MeasureKind::crossing, 0, 1}, {{0, 1}, {1, 1}, {2, 2}}) == std::nullopt);
}

TEST_CASE("measures: what a run has to compute and to show for them") {
  const Measure of_run[] = {{MeasureKind::wall}, {MeasureKind::steps}};
  const Measure of_end[] = {{MeasureKind::end, 4}, {MeasureKind::wall}};
  const Measure of_all[] = {{MeasureKind::end, 4}, {MeasureKind::max, 1}};
  CHECK(columns_of(of_run).empty());
  CHECK(columns_of(of_end) == std::vector<std::size_t>{4});
  CHECK(columns_of(of_all) == std::vector<std::size_t>{4, 1});
  CHECK_FALSE(need_every_step(of_run));
  CHECK_FALSE(need_every_step(of_end));
  CHECK(need_every_step(of_all));
}

TEST_CASE("a pool does every piece once, on several threads") {
  std::set<std::uint64_t> seen;
  WorkerPool pool(crew_of_single_pieces(3, [](std::uint64_t index) {
    return StudyRow{index, false, true, false, {static_cast<double>(index * index)}, "ok"};
  }));
  std::uint64_t next = 0;
  while (seen.size() < 1000) {
    while (next < 1000 && pool.hungry()) pool.give(next++);
    const auto row = pool.take(std::chrono::milliseconds(1000));
    REQUIRE(row);
    CHECK(row->values[0] == static_cast<double>(row->index * row->index));
    CHECK(seen.insert(row->index).second);
  }
  CHECK(pool.outstanding() == 0);
  CHECK_FALSE(pool.take(std::chrono::milliseconds(0)));
}

TEST_CASE("what a worker throws reaches whoever takes, and no thread is left behind") {
  WorkerPool pool(crew_of_single_pieces(2, [](std::uint64_t index) -> StudyRow {
    if (index == 7) throw std::bad_alloc();
    return {index, false, true, false, {}, "ok"};
  }));
  for (std::uint64_t k = 0; k < 20; ++k) pool.give(k);
  std::size_t rows = 0;
  const auto take_all = [&] {
    while (pool.take(std::chrono::milliseconds(5000))) ++rows;
  };
  CHECK_THROWS_AS(take_all(), std::bad_alloc);
  CHECK(rows >= 6);
  CHECK(rows < 20);
}

TEST_CASE("a journal keeps rows, whatever ends the program") {
  const TemporaryFolder folder;
  const std::string table = folder / "t.csv";
  const std::vector<std::string> study{"nsmc, a study", "--measure x"};
  {
    Journal journal(table, study, JournalUse::fresh);
    CHECK_THROWS_WITH_AS(Journal(table, study, JournalUse::resume), doctest::Contains("another sweep is writing"),
                         JournalError);
    journal.add({3, false, true, false, {1, 0.1}, "ok"});
    journal.add({0, true, true, false, {{}, {}}, "no, not \"so\""});
  }
  std::ofstream(table + ".part", std::ios::app) << "2,1,torn o";
  CHECK_THROWS_WITH_AS(Journal(table, study, JournalUse::fresh), doctest::Contains("2 finished runs"), JournalError);
  CHECK_THROWS_WITH_AS(Journal(table, {"nsmc, a study", "--measure y"}, JournalUse::resume),
                       doctest::Contains("there '--measure x', here '--measure y'"), JournalError);
  {
    Journal journal(table, study, JournalUse::resume);
    REQUIRE(journal.rows().size() == 2);
    CHECK(journal.rows()[0].index == 3);
    CHECK(journal.rows()[0].values == std::vector<std::optional<double>>{1, 0.1});
    CHECK(journal.rows()[0].converged);
    CHECK(journal.rows()[1].failed);
    CHECK(journal.rows()[1].values == std::vector<std::optional<double>>(2));
    CHECK(journal.rows()[1].status == "no, not \"so\"");
    journal.add({2, false, false, false, {1}, "x"});
  }
  const auto line = [](const std::string& row) { return fmt::format("{:016x} {}\n", checksum_of(row), row); };
  const std::string head = "# nsmc, a study\n# --measure x\n", first = line("3,1,1,0.10000000000000001,ok"),
                    second = line("0,0,,,\"no, not \"\"so\"\"\""), third = line("2,2,1,x");
  CHECK(read(table + ".part") == head + first + second + third);
  // A digit that is another one, a line that was never written, one that was cut: the others count, and what is added
  // goes behind them.
  std::string changed = second;
  changed[20] = '1';
  std::ofstream(table + ".part") << head + first + changed + std::string(50, '\0') + "\n" + third.substr(9) + third;
  {
    Journal journal(table, study, JournalUse::resume);
    REQUIRE(journal.rows().size() == 2);
    CHECK(journal.rows()[0].index == 3);
    CHECK(journal.rows()[1].index == 2);
    CHECK(journal.damaged() == 3);
    journal.add({0, false, true, false, {7}, "ok"});
  }
  CHECK(Journal(table, study, JournalUse::resume).rows().size() == 3);
  // Rows that cannot be read, as those of another version, are not thrown away by mistake either.
  std::ofstream(table + ".part") << head + changed;
  CHECK_THROWS_WITH_AS(Journal(table, study, JournalUse::fresh), doctest::Contains("1 finished runs"), JournalError);
  { const Journal journal(table, {"nsmc, another"}, JournalUse::restart); }
  CHECK_FALSE(fs::exists(table + ".part"));  // without a row there is nothing to keep
  std::ofstream(table + ".part") << "what is this\n";
  CHECK_THROWS_WITH_AS(Journal(table, study, JournalUse::resume), doctest::Contains("is not the journal"),
                       JournalError);
  CHECK(read(table + ".part") == "what is this\n");
}

TEST_CASE("a table has its rows in order, and appears at the end") {
  const TemporaryFolder folder;
  const std::string path = folder / "t.csv";
  StudyTable table(path, "a,status", [](const StudyRow& row) { return std::to_string(row.index) + "," + row.status; });
  for (const std::uint64_t index : {5U, 0U, 2U, 5U}) table.add({index, false, true, false, {}, "ok"});
  CHECK(table.rows() == 3);
  CHECK(table.has(5));
  CHECK_FALSE(table.has(1));
  CHECK_FALSE(fs::exists(path));
  table.finish();
  CHECK(read(path) == "a,status\n0,ok\n2,ok\n5,ok\n");
  CHECK_THROWS_AS(StudyTable(folder / "no/such/folder.csv", "a", {}), OutputError);
}
