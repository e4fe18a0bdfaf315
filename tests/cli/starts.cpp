// What a run says about its start and about contacts that a step passes, and numbers that it refuses.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

constexpr const char* kRod = R"(
param L = 2 [m]
param v = 5 [m/s]
coord x [m] = L
coord y [m]
initial x' = v
kinetic 1 [kg]/2*(x'^2 + y'^2)
potential 1 [kg]*9.81 [m/s^2]*y
constraint rod { gap sqrt(x^2 + y^2) - 1 [m] }
simulate { until 10 [ms] step 1 [ms] }
)";

constexpr const char* kBalls = R"(
param r = 1 [cm]
param d = 1.2
param e = 0
body b[i in 1..3] = rigid(mass = 10 [g], inertia = [1, 1, 1]*0.4 [g cm^2], position = [0, 0, (d*i - 0.8)*r])
shape s = sphere(radius = r) on b
contact c = s[i] on s[i + 1] for i in 1..2 { law unilateral(restitution = e) }
simulate { until 10 [ms]  step 1 [ms] }
)";

constexpr const char* kBullet = R"(
param v = 1000 [m/s]
param x0 = -1 [m]
coord x [m] = x0
initial x' = v
kinetic 1 [kg]/2*x'^2
contact wall { gap abs(x) - 1 [mm]  law unilateral }
simulate { until 10 [ms] step 1 [ms] }
)";

}  // namespace

TEST_CASE("starts: initial values that constraints move are told, with what the velocities lose") {
  const Workplace place;
  place.write("rod.nsm", kRod);
  const std::string moved = "R0101: the initial values do not fit the constraints; the run starts with x = 1, not 2";
  const std::string slowed =
      "R0103: the initial velocities do not fit the constraints; the run starts with x' = 0, not 5, "
      "which takes an energy of 12.5";
  const Finished run = place.run({"run", "rod.nsm"});
  CHECK(run.code == 0);
  CHECK(contains(run.err, "nsmc: warning " + moved));
  CHECK(contains(run.err, "nsmc: warning " + slowed));
  const Finished checked = place.run({"check", "rod.nsm"});
  CHECK(checked.code == 0);
  CHECK(contains(checked.err, "rod.nsm: warning " + moved));
  const Finished strict = place.run({"run", "rod.nsm", "--strict"});
  CHECK(strict.code == 3);
  CHECK(contains(strict.err, "ended by strict at the start: " + moved));
  const Finished fits = place.run({"run", "rod.nsm", "--strict", "--set", "L=1[m]", "--set", "v=0"});
  CHECK(fits.code == 0);
  CHECK(fits.err == "");
}

TEST_CASE("starts: energy that a constraint adds to the initial velocities is called so") {
  const Workplace place;
  place.write("motor.nsm",
              "coord x [m]\nkinetic 1 [kg]/2*x'^2\nconstraint motor { gap x - 3 [m/s]*t }\n"
              "simulate { until 1 [s]  step 0.1 [s] }\n");
  CHECK(
      contains(place.run({"run", "motor.nsm"}).err, "the run starts with x' = 3, not 0, which adds an energy of 4.5"));
}

TEST_CASE("starts: shapes that overlap are told") {
  const Workplace place;
  place.write("balls.nsm", kBalls);
  const Finished run = place.run({"run", "balls.nsm"});
  CHECK(run.code == 0);
  CHECK(contains(run.err, "R0102: contact c["));
  CHECK(contains(run.err, "] overlaps at the start, 0.008 deep (and one other)"));
  CHECK(place.run({"run", "balls.nsm", "--strict"}).code == 3);
  CHECK(place.run({"run", "balls.nsm", "--strict", "--set", "d=2"}).err == "");
}

TEST_CASE("starts: a contact that a step passes is told, with the step that would see it") {
  const Workplace place;
  place.write("bullet.nsm", kBullet);
  for (const char* method : {"moreau", "rk", "lie"}) {
    for (const char* x0 : {"x0=-0.9", "x0=-0.7123"}) {
      CAPTURE(method);
      CAPTURE(x0);
      const Finished run = place.run({"run", "bullet.nsm", "--method", method, "--set", x0});
      CHECK(run.code == 0);
      CHECK(contains(run.err, "R0310: contact wall was passed within a step 1 time, 0.001 deep"));
      CHECK(contains(run.err, "a step of 2e-06 would see it"));
      CHECK(place.run({"run", "bullet.nsm", "--method", method, "--set", x0, "--strict"}).code == 3);
      // With that step it is stopped.
      const Finished fine = place.run({"run", "bullet.nsm", "--method", method, "--set", x0, "--step", "9e-7",
                                       "--until", "2e-3", "-o", "out.csv", "--every", "100", "--strict"});
      CHECK(fine.err == "");
      CHECK(fine.code == 0);
      CHECK(read_csv(place.read("out.csv")).columns.at("x").back() < 0);
    }
  }
  CHECK(place.run({"run", "bullet.nsm", "--method", "event", "--strict"}).err == "");
}

TEST_CASE("starts: a corner that dips as it turns and a ball that comes back have passed nothing") {
  const Workplace place;
  // Below the line for a part of a step, in a motion that steps resolve.
  place.write("wheel.nsm", R"(
coord phi [rad] = -1e-3
initial phi' = 1 [rad/s]
kinetic 1 [kg m^2]/2*phi'^2
contact dip { gap 1 [m]*(1 - cos(phi - 0.5e-3)) - 1e-7 [m]  law unilateral }
simulate { until 3 [ms] step 1 [ms] }
)");
  CHECK(place.run({"run", "wheel.nsm", "--method", "lie", "--strict"}).err == "");
  // Stopped and sent back in one step, and still below the surface at its end.
  place.write("back.nsm", R"(
coord x [m] = -2.3e-3
initial x' = 1 [m/s]
kinetic 1 [kg]/2*x'^2
contact wall { gap abs(x) - 1 [mm]  law unilateral(restitution = 0.3) }
simulate { until 5 [ms] step 1 [ms] }
)");
  const Finished back = place.run({"run", "back.nsm", "--strict", "-o", "back.csv"});
  CHECK(back.err == "");
  CHECK(read_csv(place.read("back.csv")).columns.at("x'").back() == doctest::Approx(-0.3));
}

TEST_CASE("starts: what check says of the start, as JSON and as a failure, too") {
  const Workplace place;
  place.write("rod.nsm", kRod);
  CHECK(place.run({"check", "rod.nsm", "--strict"}).code == 3);
  const Finished json = place.run({"check", "rod.nsm", "--json"});
  CHECK(json.code == 0);
  CHECK(contains(json.out, R"("code": "R0101")"));
  CHECK(contains(json.out, R"("code": "R0103")"));
  place.write("good.nsm", kBall);
  CHECK(place.run({"check", "good.nsm", "--strict"}).code == 0);
  CHECK(contains(place.run({"check", "good.nsm", "--json"}).out, R"("start": [])"));
  place.write("contra.nsm",
              "coord x [m] = 1\nkinetic 1 [kg]/2*x'^2\nconstraint a { gap x - 1 [m] }\nconstraint b { gap x - 2 [m] }\n"
              "simulate { until 1 [s]  step 1 [ms] }\n");
  const Finished contra = place.run({"check", "contra.nsm"});
  CHECK(contra.code == 3);
  CHECK(contains(contra.err, "contra.nsm: no run: the constraints a and b contradict each other"));
  CHECK(contains(place.run({"check", "contra.nsm", "--json"}).out, "contradict each other"));
}

TEST_CASE("starts: warnings of a model are failures with --strict, before the run") {
  const Workplace place;
  place.write("balls.nsm", kBalls);
  const std::vector<std::string> model{"balls.nsm", "--strict", "--set", "d=2"};
  const auto with = [&](std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), model.begin(), model.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return place.run(arguments);
  };
  CHECK(with({"run"}, {}).code == 0);
  const Finished lively = with({"run"}, {"--set", "e=2", "-o", "out.csv"});
  CHECK(lively.code == 3);
  CHECK(contains(lively.err, "warning[N0617]"));
  CHECK(contains(lively.err, "ended by strict before the start"));
  CHECK(!place.has("out.csv"));
  const std::vector<std::string> study{"--list", "r=1[cm],2[cm]", "--measure", "steps", "-o", "table.csv"};
  CHECK(with({"sweep"}, study).code == 0);
  std::vector<std::string> lively_study = study;
  lively_study.insert(lively_study.end(), {"--set", "e=2"});
  CHECK(with({"sweep"}, lively_study).code == 3);
}

TEST_CASE("starts: a sweep says in its column status what was doubtful") {
  const Workplace place;
  place.write("rod.nsm", kRod);
  const Finished sweep = place.run({"sweep", "rod.nsm", "--list", "L=1,2", "--set", "v=0", "--measure", "x"});
  CHECK(sweep.code == 0);
  const std::vector<std::string> table = lines(sweep.out);
  REQUIRE(table.size() == 3);
  CHECK(contains(table[1], ",ok"));
  CHECK(contains(table[2], "R0101: the initial values do not fit the constraints; the run starts with x = 1, not 2"));
  CHECK(contains(sweep.err, "warned      of 1 run"));
  CHECK(place.run({"sweep", "rod.nsm", "--list", "L=2,3", "--measure", "x", "--strict"}).code == 3);
}

TEST_CASE("starts: lengths and restitutions that no shape and no law has are refused, given by --set, too") {
  const Workplace place;
  place.write("balls.nsm", kBalls);
  const auto with = [&](const std::string& set) {
    return place.run({"run", "balls.nsm", "--set", "d=2", "--set", set});
  };
  Finished run = with("r=-0.02");
  CHECK(run.code == 1);
  CHECK(contains(run.err, "N0812"));
  CHECK(contains(run.err, "the radius of 's' is -0.02, it must not be negative"));
  run = with("e=-0.5");
  CHECK(run.code == 1);
  CHECK(contains(run.err, "N0616"));
  run = with("e=2");
  CHECK(run.code == 0);
}

TEST_CASE("starts: a file has a name, and is not behind a link to nothing") {
  const Workplace place;
  place.write("ball.nsm", kBall);
  CHECK(place.run({"run", "ball.nsm", "-o", ""}).code == 2);
  std::filesystem::create_symlink("nothing.csv", place.path("link.csv"));
  const Finished run = place.run({"run", "ball.nsm", "-o", "link.csv"});
  CHECK(run.code == 4);
  CHECK(contains(run.err, "it is a link to a file that does not exist"));
  CHECK(std::filesystem::is_symlink(place.path("link.csv")));
  CHECK(!place.has("nothing.csv"));
}

TEST_CASE("starts: an output that does not exist is answered with the nearest names, not with all") {
  const Workplace place;
  place.write("many.nsm", R"(
body b[i in 1..500] = rigid(mass = 1 [kg], inertia = [1, 1, 1] [kg m^2], position = [i, 0, 0] [m])
output height = b[1].position[3]
simulate { until 1 [s]  step 1 [s] }
)");
  const Finished run = place.run({"run", "many.nsm", "--outputs", "altitude_of_b"});
  CHECK(run.code == 2);
  CHECK(run.err.size() < 600);
  CHECK(contains(run.err, "of 6505 columns the nearest are "));
  CHECK(contains(run.err, "height"));
}
