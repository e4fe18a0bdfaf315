// nsmc studio as others see it: who is let in, which files can be reached, what a run does when its page is gone.
#ifdef NSMC_HTTPLIB
#include <doctest/doctest.h>
#include <httplib.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "tests/cli/program.hpp"

namespace {

using nlohmann::json;
using nsmc::test::contains;
using nsmc::test::Finished;
using nsmc::test::Process;
using nsmc::test::Start;
using nsmc::test::Workplace;
using namespace std::chrono_literals;

constexpr const char* kBall =
    "param e = 0.5 in 0..1\nparam m = 2 [kg]\ncoord z [m] = 1\nkinetic m/2*z'^2\npotential m*9.81 [m/s^2]*z\n"
    "contact floor { gap z  law unilateral(e) }\nsimulate { until 1 [s]  step 1 [ms] }\n";
// A run of minutes.
constexpr const char* kLong = "coord z [m] = 1\nkinetic 1 [kg]/2*z'^2\nsimulate { until 1e6 [s]  step 0.1 [ms] }\n";

// A studio under way, and what its address says.
class Studio {
 public:
  Studio() {
    place.write("ball.nsm", kBall);
    place.write("secret.txt", "nobody reads this");
    process.emplace(
        Start{.arguments = {"studio", ".", "--no-open"}, .folder = place.path(), .output = "said", .seconds = 120});
    for (int i = 0; i < 400 && port == 0; ++i) {
      std::this_thread::sleep_for(25ms);
      std::ifstream said(place.path("said"));
      std::string line;
      if (!std::getline(said, line) || said.eof()) continue;
      const std::size_t at = line.find("127.0.0.1:"), mark = line.find("/?token=");
      REQUIRE(mark != std::string::npos);
      port = std::stoi(line.substr(at + 10, mark - at - 10));
      token = line.substr(mark + 8);
    }
    REQUIRE(port > 0);
  }

  httplib::Client client() const {
    httplib::Client to("127.0.0.1", port);
    to.set_read_timeout(30);
    return to;
  }
  httplib::Headers headers() const { return {{"X-Nsmc-Token", token}}; }
  int status_of(const std::string& path, const httplib::Headers& with) const {
    const httplib::Result answer = client().Get(path.c_str(), with);
    REQUIRE(answer);
    return answer->status;
  }

  Workplace place;
  std::optional<Process> process;
  int port = 0;
  std::string token;
};

}  // namespace

TEST_CASE("studio: only who has the token, this host and this origin is let in") {
  const Studio studio;
  CHECK(studio.token.size() == 32);
  const std::string files = "/api/files", page = "/?token=" + studio.token;
  CHECK(studio.status_of(files, studio.headers()) == 200);
  CHECK(studio.status_of(page, {}) == 200);
  CHECK(studio.status_of("/", {}) == 403);
  CHECK(studio.status_of("/view", {}) == 403);
  CHECK(studio.status_of(files, {}) == 403);
  CHECK(studio.status_of(files, {{"X-Nsmc-Token", std::string(32, '0')}}) == 403);
  // A token in the address of anything but a page would end up in logs.
  CHECK(studio.status_of(files + "?token=" + studio.token, {}) == 403);
  // A page of another name that resolves to this machine, and a page of another origin.
  CHECK(studio.status_of(files, {{"X-Nsmc-Token", studio.token}, {"Host", "evil.example"}}) == 403);
  CHECK(studio.status_of(files, {{"X-Nsmc-Token", studio.token}, {"Origin", "http://evil.example"}}) == 403);
  const std::string here = "http://127.0.0.1:" + std::to_string(studio.port);
  CHECK(studio.status_of(files, {{"X-Nsmc-Token", studio.token}, {"Origin", here}}) == 200);
}

TEST_CASE("studio: no name leads out of the folder") {
  const Studio studio;
  const auto get = [&](const std::string& name) {
    return studio.status_of("/api/file?name=" + httplib::detail::encode_query_param(name), studio.headers());
  };
  const auto put = [&](const std::string& name) {
    const auto answer = studio.client().Put(("/api/file?name=" + httplib::detail::encode_query_param(name)).c_str(),
                                            studio.headers(), "coord x\n", "text/plain");
    REQUIRE(answer);
    return answer->status;
  };
  std::filesystem::create_symlink("/etc", studio.place.path("outside"));
  std::filesystem::create_symlink("secret.txt", studio.place.path("link.nsm"));
  std::filesystem::create_symlink("/etc/passwd", studio.place.path("passwd.nsm"));
  CHECK(get("ball.nsm") == 200);
  for (const char* name : {"../ball.nsm", "/etc/passwd", "/etc/x.nsm", "secret.txt", "outside/x.nsm", "passwd.nsm",
                           ".hidden.nsm", "a/../../x.nsm", "", "."}) {
    CHECK_MESSAGE(get(name) == 403, name);
    CHECK_MESSAGE(put(name) == 403, name);
  }
  CHECK(get("missing.nsm") == 404);
  CHECK(put("new.nsm") == 200);
  CHECK(studio.place.read("new.nsm") == "coord x\n");
  CHECK(put("examples/tippe_top.nsm") == 403);
  // More than a model has.
  const auto large =
      studio.client().Put("/api/file?name=large.nsm", studio.headers(), std::string(3 << 20, 'x'), "text/plain");
  CHECK((!large || large->status == 413));
  CHECK(!studio.place.has("large.nsm"));
}

TEST_CASE("studio: texts are checked and run as they are written") {
  const Studio studio;
  const auto check = [&](const std::string& text) {
    const auto answer = studio.client().Post("/api/check?name=ball.nsm", studio.headers(), text, "text/plain");
    REQUIRE(answer);
    REQUIRE(answer->status == 200);
    return json::parse(answer->body);
  };
  const json good = check(kBall);
  CHECK(good["ok"] == true);
  CHECK(good["parameters"][0]["bounds"] == json{0, 1});
  const json bad = check("param e = 0.5\ncoord z\nkinetic z'^2/2\npotential ee*z\n");
  CHECK(bad["ok"] == false);
  REQUIRE(bad["diagnostics"].size() == 1);
  CHECK(bad["diagnostics"][0]["code"] == "N0201");
  CHECK(bad["diagnostics"][0]["place"]["line"] == 4);
  CHECK(bad["diagnostics"][0]["place"]["file"] == bad["file"]);
  CHECK(bad["symbols"].size() > 1);

  const auto run = [&](const json& request) {
    const auto answer = studio.client().Post("/api/run", studio.headers(), request.dump(), "application/json");
    REQUIRE(answer);
    const std::string& body = answer->body;
    const std::size_t last = body.rfind('\n', body.size() - 2);
    return json::parse(body.substr(last == std::string::npos ? 0 : last + 1));
  };
  const json page = run({{"name", "ball.nsm"}, {"text", kBall}, {"overrides", {{"e", 0.25}}}})["page"];
  CHECK(page["format"] == 1);
  REQUIRE(page["runs"].size() == 1);
  CHECK(page["runs"][0]["rows"] > 100);
  CHECK(contains(run({{"name", "ball.nsm"}, {"text", "coord"}})["error"], "errors"));
  CHECK(contains(run({{"name", "ball.nsm"}, {"text", kBall}, {"overrides", {{"nothing", 1}}}})["error"], "nothing"));
  CHECK(contains(run({{"name", "../ball.nsm"}, {"text", kBall}})["error"], "not the name of a model"));
  CHECK(contains(run("no object")["error"], "needs the name"));
}

TEST_CASE("studio: a run ends when its page is gone, and so does the studio when it is told to") {
  Studio studio;
  const std::string request = json{{"name", "ball.nsm"}, {"text", kLong}}.dump();
  const auto begun = std::chrono::steady_clock::now();
  {
    // The page goes away after the first lines.
    int lines = 0;
    httplib::Client page = studio.client();
    httplib::Request post;
    post.method = "POST";
    post.path = "/api/run";
    post.headers = studio.headers();
    post.body = request;
    post.content_receiver = [&](const char*, std::size_t, std::uint64_t, std::uint64_t) { return ++lines < 3; };
    httplib::Response response;
    httplib::Error error;
    page.send(post, response, error);
    CHECK(lines >= 3);
  }
  // Ctrl-C waits for all that is under way: a run that had not been stopped would go on for minutes.
  std::this_thread::sleep_for(300ms);
  studio.process->send(SIGINT);
  const Finished finished = studio.process->wait();
  CHECK(finished.code == 0);
  CHECK(std::chrono::steady_clock::now() - begun < 30s);
}
#endif
