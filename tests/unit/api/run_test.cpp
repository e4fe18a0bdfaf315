// A run in the hand of the caller is the run of one go, bit for bit, also where it was saved, written and read again.
#include <doctest/doctest.h>

#include <Eigen/LU>
#include <atomic>
#include <fstream>
#include <limits>
#include <string>

#include "nsmc/nsmc.hpp"
#include "nsmc/step_numbers.hpp"
#include "tests/temporary_folder.hpp"

using namespace nsmc;

namespace {

constexpr const char* kSlider = R"(param m = 1 [kg]
param e = 0.5
param mu = 0.3
coord x [m] = 0
coord z [m] = 0.01
initial x' = 0.2 [m/s]
kinetic m/2*(x'^2 + z'^2)
potential m*9.81 [m/s^2]*z
contact floor { gap z  slip x'  law unilateral(e)  law coulomb(mu) }
simulate { until 0.2 [s]  step 1 [ms] }
)";

}  // namespace

TEST_CASE("run in hand: steps, saved and resumed, are those of one go, by every method") {
  const Model model = Model::from_text(kSlider);
  const test::TemporaryFolder folder;
  for (const char* method : {"moreau", "rk", "event", "lie"}) {
    CAPTURE(method);
    const RunRequest request{.settings = {{"method", method}}};
    Table whole;
    model.run(request, whole);
    Run first = model.start(request);
    CHECK(first.step());
    CHECK(first.steps() == 1);
    CHECK(first.coordinates() == 2);
    CHECK(first.velocities() == 2);
    CHECK(first.advance(0.1));
    CHECK(first.t() == doctest::Approx(0.1));
    CHECK(first.value("z") == whole.column("z")[100]);
    CHECK(first.value("floor.N") == whole.column("floor.N")[100]);
    first.save().write(folder / "state");
    Table rest;
    Run second = model.resume(SavedState::read(folder / "state"), {}, &rest);
    second.advance(1);
    CHECK(second.is_over());
    CHECK(second.result().end == RunEnd::finished);
    CHECK(second.result().method == method);
    for (const std::string& name : whole.names()) {
      CAPTURE(name);
      CHECK(second.value(name) == whole.column(name).back());
      CHECK(rest.column(name).back() == whole.column(name).back());
    }
  }
}

TEST_CASE("run in hand: parameters between steps, closed contacts, and what does not fit") {
  const Model model = Model::from_text(kSlider);
  Run run = model.start();
  CHECK(run.closed().empty());
  run.advance(0.15);
  CHECK(run.closed() == std::vector<std::string>{"floor"});
  const double before = run.value("x'");
  run.set({{"mu", 0}});
  run.advance(0.18);
  CHECK(run.value("x'") == doctest::Approx(before));
  CHECK_THROWS_AS(run.value("y"), SettingError);
  CHECK_THROWS_AS(run.set({{"nu", 0}}), SettingError);
  const Model other = Model::from_text(std::string(kSlider) + "output twice = 2*x\n");
  CHECK_THROWS_AS(other.resume(run.save()), SettingError);
}

TEST_CASE("run in hand: the numbers of the step, as matrices") {
  const Model model = Model::from_text(kSlider, "slider.nsm", {.overrides = {{"m", 4}}});
  Run run = model.start({.endless = true});
  std::optional<StepNumbers> at = step_numbers(run);
  REQUIRE(at);
  CHECK(at->velocities == std::vector<std::string>{"x'", "z'"});
  CHECK(at->M() == 4 * Eigen::Matrix2d::Identity());
  CHECK(at->h() == Eigen::Vector2d(0, -4 * 9.81));
  CHECK(at->gaps == std::vector<double>{0.01});
  CHECK(at->closed.empty());
  CHECK(at->G().size() == 0);
  CHECK(run.until() == std::numeric_limits<double>::infinity());
  REQUIRE(run.advance(0.3));  // beyond the end that the model has
  at = step_numbers(run);
  REQUIRE(at);
  CHECK(at->t == doctest::Approx(0.3));
  CHECK(at->contacts == std::vector<std::string>{"floor"});
  CHECK(at->closed == std::vector<std::size_t>{0});
  CHECK(at->rows == std::vector<std::string>{"floor.N", "floor.T"});
  CHECK(at->gamma()(0) == doctest::Approx(run.value("z'")));
  // The definitions, from the parts.
  CHECK(at->G().isApprox(at->V().transpose() * at->M().inverse() * at->W()));
  CHECK(at->c().size() == 2);
  CHECK(at->Lambda()(0) == doctest::Approx(4 * 9.81 * 1e-3));
  CHECK(at->rank == 2);
  CHECK(at->smallest_eigenvalue == doctest::Approx(0.25));
  CHECK(at->largest_eigenvalue == doctest::Approx(0.25));
}

TEST_CASE("run in hand: a saved state has all parameters, also those of its model") {
  const Model heavy = Model::from_text(kSlider, "slider.nsm", {.overrides = {{"m", 4}, {"mu", 0.1}}});
  for (const char* method : {"moreau", "event"}) {
    CAPTURE(method);
    Run first = heavy.start({.overrides = {{"e", 0.2}}, .settings = {{"method", method}}});
    first.advance(0.12);
    const SavedState state = first.save();
    CHECK(*state.overrides().at("m").number() == 4);
    CHECK(*state.overrides().at("e").number() == 0.2);
    CHECK(*state.settings().at("method").text() == method);
    Run second = Model::from_text(kSlider).resume(state);
    // Others are those of the next step on, as if they had been set.
    Run third = Model::from_text(kSlider).resume(state, {.overrides = {{"mu", 0.2}}});
    first.advance(0.15);
    second.advance(0.15);
    CHECK(second.value("x'") == first.value("x'"));
    Run fourth = Model::from_text(kSlider).resume(state);
    fourth.set({{"mu", 0.2}});
    third.advance(0.15);
    fourth.advance(0.15);
    CHECK(third.value("x'") == fourth.value("x'"));
    CHECK(third.value("x'") < first.value("x'"));
  }
}

TEST_CASE("rows as one block are those of the table, and are written as nsmc run -o writes them") {
  const Model model = Model::from_text(kSlider);
  Table table;
  RowBlock block;
  model.run({.outputs = {"z", "floor.N"}}, table);
  model.run({.outputs = {"z", "floor.N"}}, block);
  REQUIRE(block.rows() == table.rows());
  CHECK(block.names() == table.names());
  CHECK(block.t == table.t);
  REQUIRE(block.values.size() == 2 * table.rows());
  for (std::size_t k = 0; k < table.rows(); ++k) {
    CHECK(block.values[2 * k] == table.columns[0][k]);
    CHECK(block.values[2 * k + 1] == table.columns[1][k]);
  }
  const test::TemporaryFolder folder;
  block.write_csv(folder / "rows.csv");
  std::ifstream file(folder / "rows.csv");
  std::string header, first;
  std::getline(file, header);
  std::getline(file, first);
  CHECK(header == "t,z,floor.N");
  CHECK(first == "0,0.01,0");
  CHECK_THROWS_AS(block.write_csv(folder / "nowhere/rows.csv"), FileError);
}

TEST_CASE("files of rows and events go on at the place that a saved state remembers, and are those of one go") {
  const Model model = Model::from_text(kSlider);
  const test::TemporaryFolder folder;
  const auto read = [](const std::string& path) {
    return std::string(std::istreambuf_iterator<char>(std::ifstream(path).rdbuf()), {});
  };
  RunRequest request{.settings = {{"method", "event"}}};
  RowFile rows(folder / "rows.csv");
  EventFile events(folder / "events.csv");
  request.events = &events;
  model.run(request, rows);
  rows.commit();
  events.commit();
  CHECK(rows.rows() == 201);
  REQUIRE(events.rows() > 1);
  const std::string whole = read(folder / "rows.csv"), happened = read(folder / "events.csv");
  CHECK(happened.starts_with("t,contact,kind,before[1],before[2],after[1],after[2]\n"));

  const std::string state = folder / "state", to = folder / "again.csv", log = folder / "log.csv";
  {
    RowFile part(to, {.part = true});
    EventFile log_part(log, {.part = true});
    request.events = &log_part;
    Run run = model.start(request, &part);
    run.advance(0.1);
    run.save({part.keep(), log_part.keep()}).write(state);
    run.advance(0.15);  // rows beyond the saved place, as of a process that was killed
    part.keep();
  }
  CHECK(!std::ifstream(to));
  const SavedState saved = SavedState::read(state);
  REQUIRE(saved.files().size() == 2);
  CHECK(saved.files()[0].rows == 101);
  RowFile rest(to, {.part = true, .from = saved.files()[0]});
  EventFile log_rest(log, {.part = true, .from = saved.files()[1]});
  request.events = &log_rest;
  Run run = model.resume(saved, request, &rest);
  run.advance(1);
  run.result();
  rest.commit();
  log_rest.commit();
  CHECK(read(to) == whole);
  CHECK(read(log) == happened);
  CHECK(rest.rows() == rows.rows());

  // Refused before any file is touched.
  RowFile others(folder / "others.csv", {.part = true, .from = KeptFile{to, 10, 1}});
  EventFile nothing(folder / "nothing.csv");
  request.events = &nothing;
  request.settings = {{"method", "moreau"}};
  CHECK_THROWS_WITH_AS(model.run(request, others), "`events` belongs to `method` event, not to moreau", SettingError);
  CHECK(!std::ifstream(folder / "nothing.csv"));
  RowFile nowhere(folder / "nowhere/rows.csv");
  CHECK_THROWS_AS(model.run({}, nowhere), FileError);
}

TEST_CASE("contact problems of a run are files, and what they cannot be is said by name") {
  const Model model = Model::from_text(kSlider);
  const test::TemporaryFolder folder;
  ContactProblemFiles problems({.directory = folder / "problems"}, "slider");
  CHECK_THROWS_WITH_AS(model.run({.problems = &problems}),
                       doctest::Contains("`dump-contact-problems`: the format knows unilateral contacts with Coulomb"),
                       SettingError);
  const Model ball = Model::from_text(R"(param r = 1 [cm]
gravity [0, 0, -9.81] [m/s^2]
body ball = rigid(mass = 1 [kg], inertia = [1, 1, 1]*(2/5*1 [kg]*r^2), position = [0, 0, r])
shape skin = sphere(radius = r) on ball
shape floor = plane(normal = [0, 0, 1])
contact land = skin on floor { law unilateral  law coulomb(0.3) }
simulate { until 0.1 [s]  step 1 [ms] }
)");
  ContactProblemFiles kept({.directory = folder / "problems", .count = 3, .every = 2}, "ball");
  ball.run({.problems = &kept});
  CHECK(kept.kept() == 3);
  CHECK(kept.seen() >= 99);
  CHECK(kept.left_out() == 0);
  kept.write();
  for (const char* name : {"ball-000001.dat", "ball-000003.dat", "ball-000005.dat"})
    CHECK(std::ifstream(folder / (std::string("problems/") + name)));
}

TEST_CASE("a study is followed, and stopped, while no run comes to its end") {
  const Model model = Model::from_text(kSlider);
  std::atomic<bool> stop = false;
  std::uint64_t calls = 0;
  StudyRequest request{.axes = {{"e=0.1,0.2"}}, .measures = {"z"}, .settings = {{"until", 1e6}}, .stop = &stop};
  request.progress = [&](std::uint64_t rows, std::uint64_t size) {
    CHECK(rows == 0);
    CHECK(size == 2);
    if (++calls == 2) stop = true;
  };
  CHECK(model.study(request).rows.empty());
  CHECK(calls >= 2);
}
