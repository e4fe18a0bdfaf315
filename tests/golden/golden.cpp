// Goldens: for every model of models/ its stages as text (exactly) and a short run (within a tolerance), in
// tests/golden/<model>/{ast.txt, model.txt, equations.txt, run.csv}.
//
// scripts/update-goldens rewrites them (NSMC_UPDATE_GOLDENS=1); look at the difference before you commit it. A golden
// that is missing, and one whose model is gone, fail. Machines differ in their instruction sets (FMA): numbers are
// compared with
//     |a - b| <= relative * (largest |b| of the column) + absolute
// and runs are short enough not to magnify rounding errors.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

struct GoldenRun {
  const char* model;
  const char* arguments;  // of nsmc run
  double relative, absolute;
};

// The Tippe-Top up to the double contact (4.9 to 5.6 s): both contacts and their forces, at times between the impacts
// of its rocking. Tolerances of the solver of 1e-10 and 1e-12 give the same to 4e-9.
constexpr const char* kWholeTop =
    "--until 5.4 --record 0.2 --outputs inclination,spin_rate,energy,head.gap,head.N,head.T,tip.gap,tip.N,tip.T";

// A model without a line here fails. Forces that stick leaves undetermined are not recorded: they depend on how the
// solver iterates.
constexpr GoldenRun kRuns[] = {
    // Plain positions: where corrections of resting stones creep is no golden (numerics.md, positions of contacts).
    {"arch", "--until 0.05 --record 5e-3 --outputs crown,energy --no-stabilisation", 1e-6, 1e-9},
    {"block", R"(--until 0.02 --record 1e-3 --outputs "x,y,phi,x',y',phi',left.N,right.N,friction,energy")", 1e-7,
     1e-10},
    {"balance", "--until 0.5 --record 0.02", 1e-6, 1e-9},
    {"brake", "--until 3 --record 0.1", 1e-6, 1e-9},
    {"billiard", "--until 0.5 --record 0.02 --outputs object.position,cue.position,object.velocity,cue.velocity,energy",
     1e-6, 1e-9},
    {"boxes", "--until 0.05 --record 5e-3 --outputs pushed,path,energy --no-stabilisation", 1e-5, 1e-8},
    {"bouncing_ball", "--until 1.5 --step 1e-3 --record 0.05", 1e-7, 1e-10},
    {"column", "--until 0.02 --record 2e-3 --outputs top,energy", 1e-6, 1e-9},
    {"contensou_disc", "--until 2 --record 0.1", 1e-7, 1e-10},
    {"cradle", "--until 0.2 --record 5e-3", 1e-7, 1e-10},
    {"domino", "--until 0.1 --record 0.01 --outputs tilt,energy", 1e-6, 1e-9},
    {"double_pendulum", "--until 1 --record 0.05", 1e-6, 1e-9},
    {"four_bar", "--until 0.5 --record 0.02 --outputs alpha,omega,energy", 1e-6, 1e-9},
    {"free_top", "--until 2 --record 0.1", 1e-6, 1e-9},
    {"incline", "--set v0=-1 --until 0.5 --record 0.02", 1e-7, 1e-10},
    {"motor", "--until 4 --record 0.1", 1e-6, 1e-9},
    {"pendulum", "--until 2 --step 2e-3 --record 0.06", 1e-6, 1e-9},
    {"pyramid", "--until 0.1 --record 0.01 --outputs height,energy", 1e-6, 1e-9},
    {"rattleback", "--until 0.5 --record 0.025 --outputs turning,pitching,touch.N,energy", 1e-6, 1e-9},
    {"rocking_block", "--until 0.5 --record 0.02", 1e-6, 1e-9},
    {"rolling_friction", "--until 0.7 --record 0.05", 1e-6, 1e-9},
    {"rolling_sphere", "--until 0.5 --record 0.02", 1e-6, 1e-9},
    {"slider_circle", "--until 1.6 --record 0.05", 1e-6, 1e-9},
    {"slider_collinear", "--step 1e-3 --record 0.02", 1e-6, 1e-9},
    {"slider_crank", R"(--until 1.2 --record 0.04 --outputs "alpha,beta,alpha',beta',guide.gap,position,energy")", 1e-6,
     1e-9},
    {"slider_ellipse", "--step 1e-3 --record 0.02", 1e-6, 1e-9},
    {"slider_nonconvex", "--step 1e-3 --record 0.02", 1e-6, 1e-9},
    {"slider_rectangle", "--step 1e-3 --record 0.02", 1e-6, 1e-9},
    {"slider_superellipse", "--step 1e-3 --record 0.02", 1e-6, 1e-9},
    {"slider_two_set", "--step 1e-3 --record 0.02", 1e-6, 1e-9},
    {"spinning_disc", "--until 0.05 --record 5e-3", 1e-5, 1e-8},
    {"tippe_top", kWholeTop, 1e-6, 1e-9},
    {"tippe_top_cylinder", kWholeTop, 1e-6, 1e-9},
    {"tippe_top_ellipsoid", kWholeTop, 1e-6, 1e-9},
    {"tippe_top_euler", kWholeTop, 1e-6, 1e-9},
    {"two_masses", "--step 2e-3 --record 0.13", 1e-6, 1e-9},
    {"vibrating_table", "--until 0.3 --step 1e-3 --record 0.01", 1e-6, 1e-9},
    {"walker", R"(--until 3 --record 0.1 --outputs "x,y,phi,phi',energy")", 1e-6, 1e-9},
    {"woodpecker", "--until 0.1 --record 5e-3", 1e-5, 1e-8},
};

bool updating() {
  const char* wish = std::getenv("NSMC_UPDATE_GOLDENS");
  if (wish == nullptr || std::string(wish) != "1") return false;
  REQUIRE_MESSAGE(std::getenv("CI") == nullptr, "goldens are not rewritten in CI");
  return true;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(NSMC_SOURCE_DIR "/models")) {
    if (entry.path().extension() == ".nsm") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  REQUIRE_FALSE(names.empty());
  return names;
}

std::string model_file(const std::string& model) { return NSMC_SOURCE_DIR "/models/" + model + ".nsm"; }

fs::path golden_file(const std::string& model, const std::string& name) {
  return fs::path(NSMC_SOURCE_DIR "/tests/golden") / model / name;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file.good(), path.string() << " is missing; scripts/update-goldens writes it");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// What the program writes to standard output.
std::string output_of(const std::string& arguments) {
  const fs::path path = fs::temp_directory_path() / ("nsmc_golden_" + std::to_string(::getpid()));
  const std::string command = "'" NSMC_PROGRAM "' " + arguments + " > '" + path.string() + "'";
  REQUIRE_MESSAGE(std::system(command.c_str()) == 0, command);
  const std::string text = read(path);
  fs::remove(path);
  REQUIRE_FALSE(text.empty());
  return text;
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  REQUIRE_MESSAGE(file.good(), "cannot write " << path.string());
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

void compare_lines(const std::string& actual, const std::string& expected) {
  if (actual == expected) return;
  const std::vector<std::string> a = split(actual, '\n');
  const std::vector<std::string> b = split(expected, '\n');
  std::size_t line = 0;
  while (line < a.size() && line < b.size() && a[line] == b[line]) ++line;
  FAIL_CHECK("line " << line + 1 << " differs\n  golden: " << (line < b.size() ? b[line] : "(no such line)")
                     << "\n  now:    " << (line < a.size() ? a[line] : "(no such line)"));
}

const GoldenRun* run_of(const std::string& model) {
  const auto run = std::find_if(std::begin(kRuns), std::end(kRuns), [&](const auto& r) { return r.model == model; });
  return run == std::end(kRuns) ? nullptr : run;
}

std::string recorded(const GoldenRun& run, const std::string& overrides = "") {
  return output_of("run '" + model_file(run.model) + "' --quiet -o - " + run.arguments + overrides);
}

// Where two recordings differ by more than the tolerances of the run, in words.
std::vector<std::string> differences(const std::string& actual, const std::string& expected, const GoldenRun& run) {
  std::vector<std::string> found;
  const std::vector<std::string> a = split(actual, '\n');
  const std::vector<std::string> b = split(expected, '\n');
  REQUIRE(b.size() > 10);
  REQUIRE(a.size() == b.size());
  REQUIRE(a[0] == b[0]);
  const std::vector<std::string> names = split(b[0], ',');
  std::vector<std::vector<double>> now, golden;
  for (std::size_t row = 1; row < b.size(); ++row) {
    const auto numbers = [&](const std::string& line) {
      std::vector<double> values;
      for (const std::string& cell : split(line, ',')) values.push_back(std::stod(cell));
      REQUIRE(values.size() == names.size());
      return values;
    };
    now.push_back(numbers(a[row]));
    golden.push_back(numbers(b[row]));
  }
  for (std::size_t column = 0; column < names.size(); ++column) {
    double scale = 0;
    for (const std::vector<double>& row : golden) scale = std::max(scale, std::abs(row[column]));
    for (std::size_t row = 0; row < golden.size(); ++row) {
      if (std::abs(now[row][column] - golden[row][column]) <= run.relative * scale + run.absolute) continue;
      found.push_back(names[column] + " at t = " + std::to_string(golden[row][0]) + ": golden " +
                      std::to_string(golden[row][column]) + ", now " + std::to_string(now[row][column]));
    }
  }
  return found;
}

void check_stage(const std::string& stage) {
  for (const std::string& model : model_names()) {
    CAPTURE(model);
    const std::string text = output_of("emit '" + model_file(model) + "' --stage " + stage);
    const fs::path golden = golden_file(model, stage + ".txt");
    if (updating()) {
      write(golden, text);
    } else {
      compare_lines(text, read(golden));
    }
  }
}

}  // namespace

TEST_CASE("golden: the syntax tree of every model") { check_stage("ast"); }

TEST_CASE("golden: the typed model of every model") { check_stage("model"); }

TEST_CASE("golden: the equations of every model") { check_stage("equations"); }

TEST_CASE("golden: a short run of every model") {
  for (const std::string& model : model_names()) {
    CAPTURE(model);
    const GoldenRun* run = run_of(model);
    REQUIRE_MESSAGE(run != nullptr, "models/" << model << ".nsm has no line in kRuns");
    const std::string csv = recorded(*run);
    const fs::path golden = golden_file(model, "run.csv");
    if (updating()) {
      write(golden, csv);
    } else {
      for (const std::string& difference : differences(csv, read(golden), *run)) FAIL_CHECK(difference);
    }
  }
}

TEST_CASE("golden: that of the Tippe-Top changes with every datum of the top") {
  const GoldenRun& run = *run_of("tippe_top");
  const std::string golden = read(golden_file("tippe_top", "run.csv"));
  for (const char* datum : {"m=6.001e-3", "I1=8.001e-7", "I3=7.001e-7", "a1=3.001e-3", "a2=16.001e-3", "r1=15.001e-3",
                            "r2=5.001e-3", "mu=0.30001", "R=0.50001e-3"}) {
    CAPTURE(datum);
    CHECK(!differences(recorded(run, std::string(" --set ") + datum), golden, run).empty());
  }
}

TEST_CASE("golden: every golden has its model") {
  const std::vector<std::string> names = model_names();
  for (const fs::directory_entry& entry : fs::directory_iterator(NSMC_SOURCE_DIR "/tests/golden")) {
    if (!entry.is_directory()) continue;
    const std::string model = entry.path().filename().string();
    CHECK_MESSAGE(std::find(names.begin(), names.end(), model) != names.end(), "no model for tests/golden/" << model);
  }
}
