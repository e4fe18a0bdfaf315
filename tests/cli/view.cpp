// nsmc view, nsmc plot, sweep --report: pages with the right data in them, figures, and what is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

using Json = nlohmann::json;
constexpr const char* kSlider = R"(model slider "</script><!-- of the page -->"
param mu = 0.3
param m = 1 [kg]
coord x [m]
coord z [m]
initial x' = 1 [m/s]
kinetic m/2*(x'^2 + z'^2)
potential m*9.81 [m/s^2]*z
contact floor { gap z  slip x'  law unilateral  law coulomb(mu) }
output share = abs(floor.T)/(mu*floor.N + 1 [N])
draw brick = box([0.2, 0.1] [m]) at [x, z + 5 [cm]] color "red"
simulate { until 0.2 [s]  step 1e-4 [s] }
)";

std::string bytes_of(const std::string& text) {
  static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  int have = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    have += 6;
    if (have < 8) continue;
    have -= 8;
    out += static_cast<char>(bits >> have & 255);
  }
  return out;
}

template <class Number>
std::vector<Number> numbers(const std::string& text) {
  const std::string bytes = bytes_of(text);
  std::vector<Number> values(bytes.size() / sizeof(Number));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Number));
  return values;
}

struct Desk : Workplace {
  Desk() {
    write("slider.nsm", kSlider);
    write("view.html", "<html><script id=\"nsmc-data\">NSMC_DATA</script></html>");
  }

  Finished call(const Names& arguments, bool page = true) const {
    Start start;
    start.arguments = arguments;
    start.folder = path();
    start.environment["NSMC_WEB_DIR"] = page ? path() : path("nowhere");
    start.environment["DISPLAY"] = "";
    start.environment["WAYLAND_DISPLAY"] = "";
    return Process(start).wait();
  }

  Json data(const std::string& file) const {
    const std::string page = read(file), head = "<html><script id=\"nsmc-data\">", tail = "</script></html>";
    REQUIRE(page.starts_with(head));
    REQUIRE(page.ends_with(tail));
    const std::string inside = page.substr(head.size(), page.size() - head.size() - tail.size());
    CHECK(inside.find("</") == std::string::npos);  // nothing ends the script before its end
    CHECK(inside.find("<!--") == std::string::npos);
    return Json::parse(inside);
  }
};

std::vector<float> column(const Json& run, const Json& channel) {
  const auto all = numbers<float>(run["data"]);
  const std::size_t rows = run["rows"], c = channel["c"];
  return {all.begin() + static_cast<std::ptrdiff_t>(c * rows),
          all.begin() + static_cast<std::ptrdiff_t>((c + 1) * rows)};
}

}  // namespace

TEST_CASE("view: a page with the run in it") {
  const Desk desk;
  const Finished view = desk.call({"view", "slider.nsm", "--frames", "100"});
  INFO(view.err);
  CHECK(view.code == 0);
  CHECK(view.out.find("written     slider.html") != std::string::npos);
  const Json page = desk.data("slider.html");
  CHECK(page["format"] == 1);
  CHECK(page["model"]["planar"] == true);
  CHECK(page["model"]["doc"] == "</script><!-- of the page -->");
  CHECK(page["model"]["sources"][0]["text"] == kSlider);
  CHECK(page["model"]["latex"].get<std::string>().find("documentclass") != std::string::npos);
  CHECK(page["model"]["latex"].get<std::string>().find('$' + std::string("1")) == std::string::npos);
  REQUIRE(page["runs"].size() == 1);
  const Json& run = page["runs"][0];
  CHECK(run["rows"] == 101);
  const auto t = numbers<double>(run["t"]);
  REQUIRE(t.size() == 101);
  CHECK(t[50] == doctest::Approx(0.1));
  // The brick is where the slider is: x = v t - mu g t^2/2 until it rests.
  const Json& brick = page["scene"]["items"][0];
  CHECK(brick["kind"] == "polygon");
  CHECK(brick["color"] == "red");
  const auto x = column(run, brick["position"][0]), z = column(run, brick["position"][1]);
  CHECK(x[50] == doctest::Approx(0.1 - 0.3 * 9.81 * 0.005).epsilon(1e-3));
  CHECK(z[50] == doctest::Approx(0.05));
  CHECK(run["columns"][brick["position"][0]["c"].get<std::size_t>()]["name"] == "x");
  for (const Json& column : run["columns"]) {
    if (column["name"] == "energy") CHECK(column["unit"] == "J");
    if (column["name"] == "share") CHECK(column["unit"] == "");
  }
  // Where the energy went: m v^2/2, to friction.
  const Json& columns = run["columns"];
  const auto taken =
      std::find_if(columns.begin(), columns.end(), [](const Json& c) { return c["name"] == "floor.dissipated"; });
  REQUIRE(taken != columns.end());
  CHECK((*taken)["unit"] == "J");
  const auto work = column(run, Json{{"c", taken - columns.begin()}});
  const auto energy = std::find_if(columns.begin(), columns.end(), [](const Json& c) { return c["name"] == "energy"; });
  const auto left = column(run, Json{{"c", energy - columns.begin()}});
  CHECK(work[0] == 0);
  CHECK(work[100] > 0);
  CHECK(work[100] == doctest::Approx(left[0] - left[100]).epsilon(1e-2));
  CHECK(run["columns"][brick["position"][1]["c"].get<std::size_t>()]["hidden"] == true);
  // The set of Coulomb's law: one shape, of the size of mu N.
  const Json& law = page["scene"]["contacts"][0]["laws"][1];
  REQUIRE(law["sets"].size() == 1);
  const Json& shape = law["sets"][0]["boundary"];
  REQUIRE(shape["points"].size() == 2);
  CHECK(shape["points"][0][0].get<double>() * column(run, shape["scale"])[50] ==
        doctest::Approx(0.3 * 9.81).epsilon(1e-4));
  CHECK(law["units"][0] == "N");
  CHECK(column(run, law["force"][0])[50] == doctest::Approx(-0.3 * 9.81).epsilon(1e-4));
  // The block slides from the start on, and so do its force and the set.
  CHECK(column(run, law["force"][0])[0] == doctest::Approx(-0.3 * 9.81).epsilon(1e-4));
  CHECK(column(run, shape["scale"])[0] == column(run, shape["scale"])[1]);
}

TEST_CASE("view: several runs, each with its own label, and a set of another shape in every row") {
  const Desk desk;
  desk.write("odd.nsm", R"(coord x
coord y
coord z
initial x' = 1
kinetic (x'^2 + y'^2 + z'^2)/2
potential 10*z
contact c { gap z  slip [x', y']  law unilateral  law friction(ellipse(0.3*N, 0.1*N*(1 + t))) }
simulate { until 0.1  step 0.01 }
)");
  CHECK(desk.call({"view", "slider.nsm", "--vary", "mu=0.1,0.2", "--quiet", "-o", "two.html"}).code == 0);
  const Json page = desk.data("two.html");
  REQUIRE(page["runs"].size() == 2);
  CHECK(page["runs"][1]["label"] == "mu = 0.2");
  CHECK(page["runs"][1]["overrides"]["mu"] == "0.2");
  CHECK(desk.call({"view", "odd.nsm", "--quiet", "-o", "odd.html"}).code == 0);
  const Json odd = desk.data("odd.html");
  const Json& shape = odd["scene"]["contacts"][0]["laws"][1]["sets"][0]["boundary"];
  REQUIRE(shape.contains("frames"));
  const std::size_t rows = odd["runs"][0]["rows"], n = shape["n"];
  const auto points = numbers<float>(shape["frames"]);
  REQUIRE(points.size() == rows * n * 2);
  float widest = 0;
  for (std::size_t i = 0; i < n; ++i) widest = std::max(widest, points[((rows - 1) * n + i) * 2 + 1]);
  CHECK(widest == doctest::Approx(0.1 * 10 * 1.1).epsilon(0.02));
}

TEST_CASE("view: events, runs that fail, and what is refused") {
  const Desk desk;
  const Finished missing = desk.call({"view", "slider.nsm"}, false);
  CHECK(missing.code == 4);
  CHECK(missing.err.find("npm") != std::string::npos);
  CHECK(!desk.has("slider.html"));
  CHECK(desk.call({"view", "slider.nsm", "--vary", "mu=0:1:51"}).code == 2);
  CHECK(desk.call({"view", "slider.nsm", "--vary", "nu=1"}).code == 2);
  desk.write("ball.nsm",
             "coord z = 1\nkinetic z'^2/2\npotential 10*z\ncontact c { gap z  law unilateral(0.5) }\n"
             "simulate { until 1  step 0.01 }");
  CHECK(desk.call({"view", "ball.nsm", "--method", "event", "--quiet"}).code == 0);
  const Json page = desk.data("model.html");
  REQUIRE(!page["runs"][0]["events"].empty());
  CHECK(page["runs"][0]["events"][0]["kind"] == "impact");
  CHECK(page["runs"][0]["events"][0]["t"].get<double>() == doctest::Approx(std::sqrt(0.2)).epsilon(1e-6));
}

TEST_CASE("sweep --report: the table as a page") {
  const Desk desk;
  const Finished sweep = desk.call({"sweep", "slider.nsm", "--vary", "mu=0.1,0.2", "--vary", "m=1,-1", "--measure",
                                    "max(x)", "-o", "t.csv", "--report", "t.html", "--quiet"});
  INFO(sweep.err);
  CHECK(sweep.code == 0);
  const Json study = desk.data("t.html")["study"];
  CHECK(study["axes"][1]["unit"] == "kg");
  CHECK(study["axes"][0]["values"] == Json({0.1, 0.2}));
  REQUIRE(study["rows"].size() == 4);
  CHECK(study["measures"][0] == Json{{"name", "max(x)"}, {"unit", "m"}});
  CHECK(study["rows"][0]["values"][0].get<double>() == doctest::Approx(0.2 - 0.1 * 9.81 * 0.02).epsilon(1e-2));
  CHECK(study["rows"][1]["failed"] == true);
  CHECK(desk.call({"sweep", "slider.nsm", "--vary", "mu=0.1", "--measure", "x", "--report", "t.html"}, false).code ==
        4);
}

TEST_CASE("sweep --report --curves: the page has the runs, those that failed apart") {
  const Desk desk;
  const Finished sweep = desk.call({"sweep", "slider.nsm", "--vary", "mu=0.1,0.2", "--vary", "m=1,-1", "--measure",
                                    "max(x)", "-o", "t.csv", "--report", "t.html", "--curves", "--quiet"});
  INFO(sweep.err);
  CHECK(sweep.code == 0);
  const Json page = desk.data("t.html");
  const Json& rows = page["study"]["rows"];
  REQUIRE(rows.size() == 4);
  REQUIRE(page["runs"].size() == 2);
  CHECK(!rows[1].contains("run"));
  CHECK(rows[2]["run"] == 1);
  CHECK(page["runs"][1]["label"] == "mu = 0.2, m = 1");
  CHECK(!page["scene"]["items"].empty());
  const auto x = column(page["runs"][1], page["scene"]["items"][0]["position"][0]);
  CHECK(*std::max_element(x.begin(), x.end()) == doctest::Approx(rows[2]["values"][0].get<double>()).epsilon(1e-3));
  CHECK(desk.call({"sweep", "slider.nsm", "--vary", "mu=0:1:201", "--measure", "x", "--report", "t.html", "--curves"})
            .code == 2);
  CHECK(desk.call({"sweep", "slider.nsm", "--vary", "mu=0,1", "--measure", "x", "--curves"}).code == 2);
}

TEST_CASE("plot: several models and tables, powers of ten, columns that cannot be drawn") {
  const Desk desk;
  desk.write("other.nsm", desk.read("slider.nsm"));
  CHECK(desk.call({"run", "slider.nsm", "-o", "rows.csv", "--quiet"}).code == 0);
  const Finished three = desk.call({"plot", "slider.nsm", "other.nsm", "rows.csv", "-y", "x", "-o", "three.svg"});
  INFO(three.err);
  CHECK(three.code == 0);
  for (const char* label : {">slider<", ">other<", ">rows<", ">x [m]<"}) {
    INFO(label);
    CHECK(desk.read("three.svg").find(label) != std::string::npos);
  }
  CHECK(
      desk.call({"sweep", "slider.nsm", "--vary", "mu=0.01:1:5:log", "--measure", "max(x)", "-o", "table.csv"}).code ==
      0);
  const std::vector<std::string> named{"plot", "slider.nsm", "other.nsm", "-y", "x",
                                       "-o",   "named.svg",  "--title",   "Two"};
  const auto with = [&](const std::string& labels) {
    std::vector<std::string> call = named;
    call.insert(call.end(), {"--label", labels});
    return desk.call(call);
  };
  CHECK(with("one run,another one").code == 0);
  for (const char* label : {">one run<", ">another one<", ">Two<"}) {
    INFO(label);
    CHECK(desk.read("named.svg").find(label) != std::string::npos);
  }
  const Finished few = with("one run");
  CHECK(few.code == 2);
  CHECK(few.err.find("--label: 1 for 2 curves") != std::string::npos);
  // A table of a sweep has no time: its first axis goes across.
  CHECK(desk.call({"plot", "table.csv", "-y", "max(x)", "--log", "x", "-o", "sweep.svg"}).code == 0);
  CHECK(desk.read("sweep.svg").find(">mu<") != std::string::npos);
  CHECK(desk.read("sweep.svg").find("0.01<") != std::string::npos);
  const Finished words = desk.call({"plot", "table.csv", "-y", "status"});
  CHECK(words.code == 2);
  CHECK(words.err.find("the column status has no numbers") != std::string::npos);
  const Finished missing = desk.call({"plot", "slider.nsm", "table.csv", "-y", "x"});
  CHECK(missing.code == 2);
  CHECK(missing.err.find("table has no column t") != std::string::npos);
  const Finished unknown = desk.call({"plot", "rows.csv", "-y", "florr.N"});
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find("-y: nothing is called 'florr.N'; did you mean 'floor.N'?") != std::string::npos);
  CHECK(desk.call({"plot", "table.csv", "-y", "mu", "--log", "z"}).code == 2);
  CHECK(desk.call({"plot", "table.csv", "rows.csv", "-y", "mu", "--vary", "mu=1"}).code == 2);
  CHECK(desk.call({"plot", "slider.nsm", "other.nsm", "--set-of", "floor"}).code == 2);
}

TEST_CASE("plot: a table in curves by a column, names with commas in brackets") {
  const Desk desk;
  CHECK(desk.call({"sweep", "slider.nsm", "--vary", "mu=0.1,0.2,0.3", "--vary", "m=1,2", "--measure", "max(x)", "-o",
                   "two.csv"})
            .code == 0);
  const Finished family = desk.call({"plot", "two.csv", "-y", "max(x)", "-x", "mu", "--by", "m", "-o", "family.svg"});
  INFO(family.err);
  CHECK(family.code == 0);
  const std::string svg = desk.read("family.svg");
  CHECK(svg.find(">m = 1<") != std::string::npos);
  CHECK(svg.find(">m = 2<") != std::string::npos);
  CHECK(svg.find(">m = 0.1<") == std::string::npos);
  const Finished words = desk.call({"plot", "two.csv", "-y", "max(x)", "--by", "status"});
  CHECK(words.code == 2);
  CHECK(words.err.find("--by status: the column has no numbers") != std::string::npos);
  CHECK(desk.call({"plot", "slider.nsm", "-y", "x", "--by", "m"}).code == 2);

  desk.write("pairs.nsm",
             "body ball[i in 1..3] = rigid(mass = 1 [kg], inertia = [1, 1, 1] [kg m^2], position = [0, 0, 2*i] [m])\n"
             "shape skin = sphere(radius = 1 [m]) on ball\ncontact touch = skin[*] on skin[*] { law unilateral }\n"
             "simulate { until 0.1 [s]  step 0.01 [s] }\n");
  const Finished pairs =
      desk.call({"run", "pairs.nsm", "--outputs", "touch[1,2].N,touch[2,3].N", "-o", "pairs.csv", "--quiet"});
  INFO(pairs.err);
  CHECK(pairs.code == 0);
  CHECK(desk.read("pairs.csv").starts_with("t,\"touch[1,2].N\",\"touch[2,3].N\"\n"));
  CHECK(desk.call({"plot", "pairs.nsm", "-y", "touch[1,2].N,energy", "-o", "pairs.svg"}).code == 0);
  CHECK(desk.read("pairs.svg").find(">touch[1,2].N [N]<") != std::string::npos);
}

TEST_CASE("plot: the graph of a law stands upright where nothing slides, small forces have small units") {
  const Desk desk;
  desk.write("light.nsm",
             "param m = 1 [g]\ncoord x [m]\ncoord z [m]\ninitial x' = 2 [m/s]\nkinetic m/2*(x'^2 + z'^2)\n"
             "potential m*9.81 [m/s^2]*z\ncontact floor { gap z  slip x'  law unilateral  law coulomb(0.3) }\n"
             "simulate { until 0.4 [s]  step 1 [ms] }\n");
  CHECK(desk.call({"plot", "light.nsm", "--set-of", "floor", "-o", "light.svg"}).code == 0);
  const std::string svg = desk.read("light.svg");
  CHECK(svg.find(">-T [mN]<") != std::string::npos);
  // From (-2 m/s, -2.943 mN) to (0, -2.943), (0, 2.943) and (2, 2.943): the path of four points is level, upright,
  // level.
  const std::size_t path = svg.find("<path stroke='rgb( 31,  95, 168)'");
  REQUIRE(path != std::string::npos);
  // Its sample in the legend comes first.
  const std::size_t begin = svg.rfind('M', svg.find("'/>", path)) + 1;
  std::vector<std::pair<double, double>> corners;
  for (std::size_t at = begin; corners.size() < 4;) {
    double x = 0, y = 0;
    REQUIRE(std::sscanf(svg.c_str() + at, "%lf,%lf", &x, &y) == 2);
    corners.emplace_back(x, y);
    at = svg.find('L', at) + 1;
  }
  CHECK(corners[0].second == corners[1].second);
  CHECK(corners[1].first == corners[2].first);
  CHECK(corners[2].second == corners[3].second);
  CHECK(corners[1].second > corners[2].second + 100);
}

TEST_CASE("plot: figures with names and units, of models and tables") {
  const Desk desk;
  const Finished terminal = desk.call({"plot", "slider.nsm", "-y", "x"});
  INFO(terminal.err);
  CHECK(terminal.code == 0);
  CHECK(terminal.out.find("t [s]") != std::string::npos);
  CHECK(desk.call({"plot", "slider.nsm", "-y", "x,floor.N", "--vary", "mu=0.1,0.2", "-o", "f.svg"}).code == 0);
  const std::string svg = desk.read("f.svg");
  for (const char* text : {"x [m]", "floor.N [N]", "t [s]", "x, mu = 0.2"}) {
    INFO(text);
    CHECK(svg.find(text) != std::string::npos);
  }
  CHECK(desk.call({"plot", "slider.nsm", "--set-of", "floor", "-o", "set.svg"}).code == 0);
  CHECK(desk.read("set.svg").find("-T [N]") != std::string::npos);
  CHECK(desk.read("set.svg").find("velocity [m/s]") != std::string::npos);
  // The percussion of an impact, 420 N here, does not make a dot of a set of 3 N.
  desk.write("drop.nsm",
             "param m = 1 [kg]\ncoord x [m]\ncoord z [m] = 0.1\ninitial x' = 2 [m/s]\nkinetic m/2*(x'^2 + z'^2)\n"
             "potential m*9.81 [m/s^2]*z\ncontact floor { gap z  slip x'  law unilateral  law coulomb(0.3) }\n"
             "simulate { until 0.4 [s]  step 1 [ms] }\n");
  const Finished drop = desk.call({"plot", "drop.nsm", "--set-of", "floor"});
  CHECK(drop.out.find(" 2 |") != std::string::npos);
  CHECK(drop.out.find("00 |") == std::string::npos);
  CHECK(desk.call({"run", "slider.nsm", "-o", "rows.csv", "--quiet"}).code == 0);
  CHECK(desk.call({"plot", "rows.csv", "-y", "floor.T", "-x", "x", "-o", "table.svg"}).code == 0);
  CHECK(desk.read("table.svg").find("floor.T") != std::string::npos);
  CHECK(desk.call({"plot", "slider.nsm"}).code == 2);
  CHECK(desk.call({"plot", "slider.nsm", "-y", "q"}).code == 2);
  CHECK(desk.call({"plot", "slider.nsm", "--set-of", "wall"}).code == 2);
  CHECK(desk.call({"plot", "slider.nsm", "-y", "x", "-o", "f.gif"}).code == 2);
  CHECK(desk.files().find("tmp") == std::string::npos);
}
