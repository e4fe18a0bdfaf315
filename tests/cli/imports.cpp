// A model file can do nothing but compute: what it may read, and how much of it.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

namespace fs = std::filesystem;
const std::string kBody = "coord z = h\nkinetic z'^2\n";

struct Place : Workplace {
  Place() {
    fs::create_directories(path("model/parts"));
    fs::create_directories(path("shared"));
    write("secret.nsm", "param h = 5\n");
    write("model/parts/h.nsm", "param h = 1\n");
    write("shared/common.nsm", "import \"more.nsm\"\n");
    write("shared/more.nsm", "param h = 2\n");
  }

  Finished check(const std::string& import, const Names& more = {}) const {
    write("model/m.nsm", "import \"" + import + "\"\n" + kBody);
    Names arguments{"check", "model/m.nsm"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  void refused(const std::string& import, const std::string& message, const Names& more = {}) const {
    CAPTURE(import);
    const Finished run = check(import, more);
    CHECK(run.code == 1);
    CHECK(contains(run.err, message));
    CHECK_FALSE(contains(run.err, "param h = 5"));
  }
};

}  // namespace

TEST_CASE("imports stay below the folder of the model") {
  const Place place;
  CHECK(place.check("parts/h.nsm").code == 0);
  CHECK(place.check("parts/../parts/./h.nsm").code == 0);
  CHECK(place.check("../model/parts/h.nsm").code == 0);
  CHECK(place.check(place.path("model/parts/h.nsm")).code == 0);
  for (const std::string& outside : {std::string("../secret.nsm"), place.path("secret.nsm"), std::string("/etc/passwd"),
                                     std::string("parts/../../secret.nsm"), std::string("../no_such_file.nsm")})
    place.refused(outside, "error[N0007]: '" + outside + "' is outside of the folder of the model");
  // Links are followed before it is asked where they lead.
  fs::create_symlink("../secret.nsm", place.path("model/link.nsm"));
  place.refused("link.nsm", "error[N0007]");
  fs::create_directory_symlink("..", place.path("model/up"));
  place.refused("up/secret.nsm", "error[N0007]");
  fs::create_symlink("parts/h.nsm", place.path("model/inside.nsm"));
  CHECK(place.check("inside.nsm").code == 0);
  // A folder whose name begins alike is another one.
  fs::create_directories(place.path("model2"));
  place.write("model2/h.nsm", "param h = 1\n");
  place.refused("../model2/h.nsm", "error[N0007]");
  // From standard input the folder is the current one.
  Start start;
  start.arguments = {"check", "-"};
  start.folder = place.path("model");
  start.input = "import \"parts/h.nsm\"\n" + kBody;
  CHECK(Process(start).wait().code == 0);
  start.input = "import \"../secret.nsm\"\n" + kBody;
  CHECK(contains(Process(start).wait().err, "error[N0007]"));
}

TEST_CASE("--import-path: folders that imports may come from") {
  const Place place;
  place.refused("common.nsm", "error[N0005]: cannot read model/common.nsm: No such file or directory");
  CHECK(place.check("common.nsm", {"--import-path", "shared"}).code == 0);
  CHECK(place.check("../shared/common.nsm", {"--import-path", "shared"}).code == 0);
  CHECK(place.check("common.nsm", {"--import-path", "nowhere", "--import-path", place.path("shared")}).code == 0);
  place.refused("../secret.nsm", "error[N0007]", {"--import-path", "shared"});
  place.refused("../../secret.nsm", "error[N0007]", {"--import-path", "shared"});
  // Every command that takes a model has it.
  place.write("model/m.nsm", "import \"common.nsm\"\n" + kBody);
  for (const char* command : {"check", "emit", "describe", "inspect"})
    CHECK(place.run({command, "model/m.nsm", "--import-path", "shared"}).code == 0);
  CHECK(place.run({"run", "model/m.nsm", "--until", "1", "--import-path", "shared"}).code == 0);
  CHECK(
      place
          .run({"sweep", "model/m.nsm", "--until", "1", "--import-path", "shared", "--vary", "h=1,2", "--measure", "z"})
          .code == 0);
}

TEST_CASE("imports are regular files") {
  const Place place;
  REQUIRE(::mkfifo(place.path("model/pipe").c_str(), 0600) == 0);
  place.refused("pipe", "error[N0005]: cannot read model/pipe: not a regular file");
  place.refused("/dev/zero", "not a regular file", {"--import-path", "/dev"});
  place.refused("/dev/tty", "error[N0005]", {"--import-path", "/dev"});
}

TEST_CASE("depth, number and size of imports are bounded") {
  const Place place;
  for (int i = 0; i < 2000; ++i)
    place.write("model/c" + std::to_string(i) + ".nsm", "import \"c" + std::to_string(i + 1) + ".nsm\"\n");
  place.write("model/c2000.nsm", "param h = 1\n");
  place.refused("c0.nsm", "error[N0008]: imports are nested more than 64 files deep");
  CHECK(place.check("c1950.nsm").code == 0);
  std::string all;
  for (int i = 0; i < 1100; ++i) {
    place.write("model/w" + std::to_string(i) + ".nsm", "param w" + std::to_string(i) + " = 1\n");
    all += "import \"w" + std::to_string(i) + ".nsm\"\n";
  }
  place.write("model/all.nsm", all);
  place.refused("all.nsm", "error[N0008]: more than 1000 imports");
  all.clear();
  for (int i = 0; i < 5; ++i) {
    place.write("model/big" + std::to_string(i) + ".nsm", std::string(15 << 20, ' '));
    all += "import \"big" + std::to_string(i) + ".nsm\"\n";
  }
  place.write("model/all.nsm", all);
  place.refused("all.nsm", "error[N0008]: the files of the model have more than 64 MiB");
}

TEST_CASE("long lines cost no memory, and their carets are cut") {
  const Workplace place;
  place.write("zeros.nsm", std::string((16 << 20) + 1, '\0'));
  const Finished zeros = place.run({"check", "zeros.nsm"});
  CHECK(contains(zeros.err, "error[N0002]"));
  CHECK(zeros.err.size() < 1000);
  CHECK((zeros.megabytes < 200 || kSanitized));
  // A span of megabytes, and one behind megabytes.
  place.write("wide.nsm", "coord z = 1\nkinetic z'^2 " + std::string(8 << 20, ' ') + "potential é@\n");
  const Finished wide = place.run({"check", "wide.nsm"});
  CHECK(wide.code == 1);
  CHECK(wide.err.size() < 1000);
  CHECK((wide.megabytes < 400 || kSanitized));
  const Names text = lines(wide.err);
  REQUIRE(text.size() > 2);
  CHECK(text[1].find("...") == 8);
  CHECK(contains(text[1], "potential é@"));
  CHECK(text[2].ends_with("^"));
}

TEST_CASE("a model that becomes too large says where, and in bounded time") {
  const Workplace place;
  std::string matrix = "[";
  const int n = 300;
  for (int i = 0; i < n; ++i) {
    matrix += i == 0 ? "[" : ", [";
    for (int j = 0; j < n; ++j) matrix += (j == 0 ? "z*" : ", z*") + std::to_string(i * n + j + 1);
    matrix += "]";
  }
  place.write("m.nsm", "coord z = 1\nkinetic z'^2\nlet v = " + matrix + "]\nlet w = v*v*v\npotential w[1, 1]\n");
  const Finished run = place.run({"check", "m.nsm"});
  CHECK(run.code == 1);
  CHECK(contains(run.err, "m.nsm:4:9: error[N0004]: the equations of the model become too large at this place"));
  CHECK(contains(run.err, "    4 | let w = v*v*v"));
}

// One that took time with the square of its terms would be killed.
TEST_CASE("the least of thousands of terms is found in bounded time") {
  const Workplace place;
  std::string terms = "z";
  for (int i = 1; i < 5000; ++i) terms += ", z + " + std::to_string(i);
  place.write("m.nsm", "coord z = 1\nkinetic z'^2\npotential min(" + terms + ") - max(" + terms + ")\n");
  const Finished run = place.run({"check", "m.nsm"});
  CHECK_FALSE(run.killed);
  CHECK(run.code == 0);
}

TEST_CASE("polygons of very many corners are refused, where they stand or with what they touch") {
  const Workplace place;
  const auto pair_of = [&](int n, const Names& command) {
    std::string corners;
    for (int i = 0; i < n; ++i) {
      const double angle = 2 * std::numbers::pi * i / n;
      corners +=
          (i == 0 ? "[" : ", [") + std::to_string(std::cos(angle)) + ", " + std::to_string(std::sin(angle)) + "]";
    }
    place.write("m.nsm",
                "body a = planar(mass = 1, inertia = 1)\nbody b = planar(mass = 1, inertia = 1, position = [0, 4])\n"
                "shape s = polygon(" +
                    corners + ") on a\nshape r = polygon(" + corners +
                    ") on b\n"
                    "contact c = s on r { law unilateral }\n");
    return place.run(command + Names{"m.nsm"});
  };
  const Names check{"check"}, emit{"emit", "--stage", "c"};
  CHECK(pair_of(12, check).code == 0);
  const Finished corners = pair_of(300, check);
  CHECK(corners.code == 1);
  CHECK(contains(corners.err, "m.nsm:3:11: error[N0303]: a polygon has 256 corners at most, these are 300"));
  const Finished expressions = pair_of(256, check);
  CHECK(expressions.code == 1);
  CHECK(contains(expressions.err, "error[N0004]: the model expands to more than 3000000 expressions"));
  CHECK(contains(expressions.err, "note: needed here"));
  CHECK(contains(expressions.err, "    5 | contact c = s on r"));
  const Finished operations = pair_of(150, emit);
  CHECK(operations.code == 1);
  CHECK(contains(operations.err, "operations, at most 500000 can be compiled; most of them, "));
  CHECK(contains(operations.err, "_1_c\n"));
  const Finished operands = pair_of(200, emit);
  CHECK(operands.code == 1);
  CHECK(contains(operands.err, "nsmc: the expressions of the model become too large, in contact c\n"));
}
