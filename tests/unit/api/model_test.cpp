// The library: a model as values, also with errors; runs and studies; what does not fit.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <string>

#include "nsmc/nsmc.hpp"

using namespace nsmc;

namespace {

constexpr const char* kBall = R"(model ball "a ball that bounces"
param m = 0.1 [kg]
param e = 0.8 "restitution"
param g = 9.81 [m/s^2]
param weight = m*g
coord z [m] = 1 "height"
kinetic m/2*z'^2
potential m*g*z
contact table { gap z  law unilateral(e) }
output twice = 2*z
simulate { until 1 [s]  step 1 [ms]  method moreau }
)";

constexpr const char* kBeads = R"(param n = 3
coord z[i in 1..n] [m] = 1 [m]*i
kinetic 0.5 [kg]*z[i]'^2 for i in 1..n
simulate { until 0.1  step 0.01 }
)";

std::string refusal(const auto& action) {
  try {
    action();
  } catch (const SettingError& error) {
    return error.setting + "|" + error.what();
  }
  return "";
}

bool same_bits(const Table& a, const Table& b) {
  return a.t == b.t && a.columns == b.columns && a.names() == b.names();
}

}  // namespace

TEST_CASE("model: what is in it") {
  const Model model = Model::from_text(kBall);
  REQUIRE(model.ok());
  CHECK(model.diagnostics().empty());
  CHECK(model.name() == "ball");
  CHECK(model.doc() == "a ball that bounces");
  const auto parameters = model.parameters();
  REQUIRE(parameters.size() == 4);
  CHECK(parameters[1].name == "e");
  CHECK(parameters[1].doc == "restitution");
  CHECK(parameters[1].unit == "1");
  CHECK(parameters[3].value == doctest::Approx(0.981));
  CHECK(parameters[3].expression == "m*g");
  CHECK(parameters[3].place.line == 5);
  CHECK(parameters[3].place.file == "model.nsm");
  REQUIRE(model.coordinates().size() == 1);
  CHECK(model.coordinates()[0].initial == 1);
  CHECK(model.coordinates()[0].unit == "m");
  CHECK(model.velocities()[0].name == "z'");
  REQUIRE(model.contacts().size() == 1);
  CHECK(model.contacts()[0].laws[0].name == "unilateral");
  CHECK(model.contacts()[0].laws[0].forces[0].first == "N");
  CHECK(model.outputs()[0].name == "twice");
  std::string columns;
  for (const ColumnInfo& column : model.columns()) columns += column.name + " ";
  CHECK(columns ==
        "z z' table.gap table.N energy twice table.dissipated energy_damped energy_supplied energy_balance ");
  for (const SettingInfo& setting : model.settings()) {
    if (setting.name == "step") CHECK(*setting.written->number() == 1e-3);
    if (setting.name == "method") CHECK(*setting.written->text() == "moreau");
    if (setting.name == "omega") CHECK_FALSE(setting.written);
  }
  CHECK(model.emit("equations").find("h") != std::string::npos);
  CHECK(refusal([&] { model.emit("stone"); }) == "stage|there is no stage 'stone'");
}

TEST_CASE("model: one with errors has diagnostics and symbols, and nothing runs") {
  const Model model = Model::from_text("param m = 1 [kg]\ncoord z [m] = 1\nkinetic m*zz'^2\nparam ( \n", "bad.nsm");
  CHECK_FALSE(model.ok());
  CHECK(model.parameters().empty());
  const auto diagnostics = model.diagnostics();
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].code == "N0104");
  CHECK(diagnostics[0].error);
  CHECK(diagnostics[0].place.file == "bad.nsm");
  CHECK(diagnostics[0].place.line == 4);
  CHECK(model.diagnostics_text().find("bad.nsm:4:") != std::string::npos);
  CHECK_THROWS_AS(model.run(), ModelError);
  try {
    model.run();
  } catch (const ModelError& error) {
    CHECK(error.what() == diagnostics[0].message);
    REQUIRE(error.diagnostics.size() == 1);
    CHECK(error.diagnostics[0].place.line == 4);
    CHECK(error.text == model.diagnostics_text());
  }
  CHECK_THROWS_AS(model.study({.axes = {{"m=1,2"}}, .measures = {"z"}}), ModelError);
  bool found = false;
  for (const SymbolInfo& symbol : model.symbols()) {
    if (symbol.name != "m") continue;
    found = true;
    CHECK(symbol.kind == "parameter");
    CHECK(symbol.declared.line == 1);
    REQUIRE(symbol.uses.size() == 1);
    CHECK(symbol.uses[0].line == 3);
    CHECK(symbol.value == 1);
    CHECK(symbol.unit == "kg");
  }
  CHECK(found);
}

TEST_CASE("model: imports come from where the caller says") {
  ModelOptions options;
  options.files = files_in_memory({{"parts/mass.nsm", "param m = 3 [kg]\n"}});
  const std::string text = "import \"parts/mass.nsm\"\ncoord z [m] = 1\nkinetic m/2*z'^2\n";
  const Model model = Model::from_text(text, "main.nsm", options);
  REQUIRE_MESSAGE(model.ok(), model.diagnostics_text());
  CHECK(model.parameters()[0].value == 3);
  CHECK(model.parameters()[0].place.file == "parts/mass.nsm");
  options.files = files_in_memory({});
  const Model alone = Model::from_text(text, "main.nsm", options);
  REQUIRE(alone.diagnostics().size() == 1);
  CHECK(alone.diagnostics()[0].message == "cannot read parts/mass.nsm: No such file or directory");
  CHECK_THROWS_AS(Model::open("no such file.nsm"), FileError);
}

TEST_CASE("model: imports stay below the folders that the caller names") {
  const std::string text = "import \"../shared/mass.nsm\"\ncoord z [m] = 1\nkinetic m/2*z'^2\n";
  ModelOptions options;
  options.files = files_in_memory({{"shared/mass.nsm", "param m = 3 [kg]\n"}});
  const Model outside = Model::from_text(text, "mine/main.nsm", options);
  REQUIRE(outside.diagnostics().size() == 1);
  CHECK(outside.diagnostics()[0].code == "N0007");
  options.import_paths = {"shared"};
  CHECK(Model::from_text(text, "mine/main.nsm", options).ok());
  // And they are looked for in them.
  const std::string short_name = "import \"mass.nsm\"\ncoord z [m] = 1\nkinetic m/2*z'^2\n";
  CHECK(Model::from_text(short_name, "mine/main.nsm", options).ok());
  // Pipes and devices are no files.
  CHECK_THROWS_WITH_AS(Model::open("/dev/null"), "cannot read /dev/null: not a regular file", FileError);
}

TEST_CASE("run: settings, overrides, columns, and what does not fit") {
  const Model model = Model::from_text(kBall);
  Table table;
  const RunResult result =
      model.run({.overrides = {{"e", 0}}, .settings = {{"until", "500[ms]"}, {"every", 100}}, .outputs = {"z"}}, table);
  CHECK(result.end == RunEnd::finished);
  CHECK(result.summary.steps == 500);
  CHECK(result.until == 0.5);
  CHECK(result.method == "moreau");
  CHECK(table.names() == std::vector<std::string>{"z"});
  CHECK(table.rows() == 6);
  CHECK(std::abs(table.column("z").back()) < 1e-2);

  const auto refused = [&](const RunRequest& request) { return refusal([&] { model.run(request); }); };
  CHECK(refused({.settings = {{"omega", 3}}}) == "omega|omega must lie between 0 and 2");
  CHECK(refused({.settings = {{"max_iterations", 1.5}}}) ==
        "max_iterations|max_iterations must be a whole number between 1 and 1e9");
  CHECK(refused({.settings = {{"inner_steps", 2}}}) ==
        "inner_steps|`inner_steps` belongs to `method` lie, this run is by moreau");
  CHECK(refused({.settings = {{"until", "3[kg]"}}}) == "until|`until`: '3[kg]' is mass [kg], expected [s]");
  CHECK(refused({.settings = {{"untill", 3}}}) == "untill|there is no setting 'untill'; did you mean 'until'?");
  CHECK(refused({.settings = {{"solver", "sorr"}}}).starts_with("solver|`solver`: there is no solver 'sorr'"));
  CHECK(refused({.overrides = {{"ee", 1}}}) == "ee|`set` ee=1: the model has no parameter 'ee'; did you mean 'e'?");
  CHECK(refused({.overrides = {{"m", "1[m]"}}}) == "m|`set` m: '1[m]' is length [m], expected [kg]");
  CHECK(refused({.outputs = {"y"}}).starts_with("y|`outputs`: nothing is called 'y'"));
  CHECK_THROWS_AS(table.column("y"), SettingError);
}

TEST_CASE("run: every setting of the table can be given, and fills its field") {
  const Model model = Model::from_text(kBall);
  for (const SettingInfo& setting : model.settings()) {
    CAPTURE(setting.name);
    Settings settings{{"until", 0.01}, {"method", "moreau"}};
    if (setting.name == "tableau") settings["method"] = "rk";
    if (setting.name == "inner_steps") settings["method"] = "lie";
    if (setting.name == "rtol" || setting.name == "atol" || setting.name == "form") settings["method"] = "event";
    if (setting.name == "rho") settings["solver"] = "multiplier";
    const bool small = setting.unit == "s" || setting.name == "accuracy";
    settings[setting.name] = setting.words.empty() ? Value(small ? 0.01 : 1) : Value(setting.words[0]);
    CHECK(model.run({.settings = settings}).end == RunEnd::finished);
  }
}

TEST_CASE("run: overrides that sizes of arrays depend on give another model, those that break a law an error") {
  const Model beads = Model::from_text(kBeads);
  REQUIRE_MESSAGE(beads.ok(), beads.diagnostics_text());
  Table three, five;
  beads.run({}, three);
  beads.run({.overrides = {{"n", 5}}}, five);
  CHECK(three.names().size() == 7);
  CHECK(five.names().size() == 11);
  const Model slider = Model::from_text(R"(param mu = 0.3
coord x [m]
kinetic 0.5 [kg]*x'^2
contact a { slip x'  law joint_friction(mu*10 [N]) }
simulate { until 0.1  step 0.01 }
)");
  CHECK_THROWS_WITH_AS(slider.run({.overrides = {{"mu", -0.3}}}),
                       doctest::Contains("mu is -0.3, so limit is -3 in contact 'a'"), ModelError);
  CHECK(slider.run({.overrides = {{"mu", 0.5}}}).end == RunEnd::finished);
}

TEST_CASE("run: events, progress and the wish to stop") {
  const Model model = Model::from_text(kBall);
  std::vector<EventInfo> events;
  model.run({.settings = {{"method", "event"}}, .event = [&](const EventInfo& event) { events.push_back(event); }});
  REQUIRE(!events.empty());
  CHECK(events[0].contact == "table");
  CHECK(events[0].kind == "impact");
  CHECK(events[0].t == doctest::Approx(std::sqrt(2 / 9.81)));
  CHECK(events[0].after[0] == doctest::Approx(-0.8 * events[0].before[0]));
  const std::atomic<bool> stop = true;
  CHECK(model.run({.stop = &stop}).end == RunEnd::interrupted);
}

TEST_CASE("study: rows are values, those of single runs") {
  const Model model = Model::from_text(kBall);
  const StudyResult study = model.study({.axes = {axis("e", {0.25, 0.5}), {"step=1[ms],-1[ms],2[ms]"}},
                                         .measures = {"z", "hit=time(table.N > 0)"},
                                         .settings = {{"until", 0.6}},
                                         .reproducible = true,
                                         .threads = 2});
  CHECK(study.axes == std::vector<std::string>{"e", "step"});
  CHECK(study.measures == std::vector<std::string>{"z", "hit"});
  REQUIRE(study.rows.size() == 6);
  for (const StudyRow& row : study.rows) {
    CAPTURE(row.index);
    const double e = *row.point[0].number(), step = *row.point[1].number();
    CHECK(row.failed == (step < 0));
    CHECK(row.values.size() == 2);
    if (row.failed) {
      CHECK_FALSE(row.values[0]);
      CHECK(row.status == "step must be a finite number greater than 0, this is -0.001");
      continue;
    }
    CHECK(row.status == "ok");
    Table table;
    model.run({.overrides = {{"e", e}}, .settings = {{"until", 0.6}, {"step", step}}}, table);
    CHECK(row.values[0] == table.column("z").back());
    CHECK(std::abs(*row.values[1] - std::sqrt(2 / 9.81)) < 3e-3);
  }
  CHECK(refusal([&] { model.study({.axes = {{"e=0:1:1"}}, .measures = {"z"}}); }) ==
        "e|`axis` e=0:1:1: '1' is not a number of values, a whole number from 2 on");
}

TEST_CASE("study: what can be known before the runs, and any of them") {
  const Model model = Model::from_text(kBall);
  const StudyRequest request{.axes = {axis("e", {0.25, 0.5}), {"step=1[ms],2[ms],4[ms]"}},
                             .measures = {"z"},
                             .settings = {{"until", 0.6}},
                             .reproducible = true,
                             .threads = 1};
  const Study study = model.prepare(request);
  CHECK(study.size() == 6);
  REQUIRE(study.axes().size() == 2);
  CHECK(study.axes()[0].parameter == "e");
  CHECK(study.axes()[0].setting.empty());
  CHECK(study.axes()[1].setting == "step");
  CHECK(study.axes()[1].values.size() == 3);
  CHECK(*study.point(4)[0].number() == 0.5);
  CHECK(*study.point(4)[1].number() == 2e-3);
  CHECK(study.identity() == model.prepare({.axes = {axis("e", {0.1})}, .measures = {"energy"}}).identity());
  CHECK(study.identity() != Model::from_text(std::string(kBall) + "output other = 2\n").prepare(request).identity());

  // What was done before is not done again.
  const StudyResult whole = model.study(request);
  std::vector<StudyRow> rows;
  const StudyCrew crew = study.run({4, 1}, [&](const StudyRow& row) { rows.push_back(row); });
  CHECK(crew.threads == 1);
  REQUIRE(rows.size() == 2);
  for (const StudyRow& row : rows) {
    CHECK((row.index == 4 || row.index == 1));
    CHECK(row.values == whole.rows[row.index].values);
  }
  // A recorder that cannot go on ends it.
  struct Full {};
  CHECK_THROWS_AS(study.run({0, 1, 2, 3, 4, 5}, [](const StudyRow&) { throw Full(); }), Full);
  // Stopped before it begins.
  const std::atomic<bool> stop = true;
  StudyRequest stopped = request;
  stopped.stop = &stop;
  CHECK(model.study(stopped).rows.empty());
}

TEST_CASE("study: the model is that of its first run, if this is one") {
  const Model model = Model::from_text(
      "param n = 2\ncoord x[i in 1..n] [m]\nkinetic 0.5 [kg]*x[i]'^2 for i in 1..n\n"
      "simulate { until 0.1 [s] step 10 [ms] }\n");
  REQUIRE_MESSAGE(model.ok(), model.diagnostics_text());
  CHECK(model.at_start_of({.axes = {{"n=3,4"}}}).size().coordinates == 3);
  CHECK(model.at_start_of({.axes = {{"n=1.5,4"}}}).size().coordinates == 2);
  CHECK(model.parameters({{"n", 5}})[0].value == 5);
  const Study study = model.prepare({.axes = {{"n=3,4"}}, .measures = {"energy"}});
  CHECK(study.compilations() == 2);
}

TEST_CASE("a model is shared by its copies, and a second run has the same bits") {
  const Model model = Model::from_text(kBall);
  const Model copy = model;  // NOLINT: a copy is what is tested
  Table first, second;
  model.run({}, first);
  copy.run({}, second);
  CHECK(same_bits(first, second));
}
