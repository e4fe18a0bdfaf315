// nsmc studio as others see it: who is let in, which files can be reached, what a run does when its page is gone.
#ifdef NSMC_HTTPLIB
#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <httplib.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <thread>
#include <vector>

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
    Start start;
    start.arguments = {"studio", ".", "--no-open"};
    start.folder = place.path();
    start.output = "said";
    start.seconds = 120;
    process.emplace(start);
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

  int get_file(const std::string& name) const {
    return status_of("/api/file?name=" + httplib::detail::encode_query_param(name), headers());
  }
  // As if it were new, or in the place of the text with this version.
  int put_file(const std::string& name, const std::string& text = "coord x\n", const std::string& version = {}) const {
    httplib::Headers with = headers();
    if (!version.empty()) with.emplace("X-Nsmc-Version", version);
    const auto answer =
        client().Put(("/api/file?name=" + httplib::detail::encode_query_param(name)).c_str(), with, text, "text/plain");
    REQUIRE(answer);
    return answer->status;
  }
  struct Begun {
    int status = 0, pieces = 0;
  };
  // A run whose page goes away after so many pieces of the answer; 0: after its first line.
  Begun begin_run(const std::string& body, int pieces = 0) const {
    Begun begun;
    httplib::Client page = client();
    httplib::Request post;
    post.method = "POST";
    post.path = "/api/run";
    post.headers = headers();
    post.body = body;
    post.response_handler = [&](const httplib::Response& response) {
      begun.status = response.status;
      return pieces > 0;
    };
    post.content_receiver = [&](const char*, std::size_t, std::uint64_t, std::uint64_t) {
      return ++begun.pieces < pieces;
    };
    httplib::Response response;
    httplib::Error error;
    page.send(post, response, error);
    return begun;
  }
  json check(const std::string& name, const std::string& text) const {
    const auto answer = client().Post(("/api/check?name=" + name).c_str(), headers(), text, "text/plain");
    REQUIRE(answer);
    REQUIRE(answer->status == 200);
    return json::parse(answer->body);
  }

  Workplace place;
  std::optional<Process> process;
  int port = 0;
  std::string token;
};

// A connection on which bytes are sent as they are.
class Wire {
 public:
  explicit Wire(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0);
    const timeval wait{30, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
  }
  ~Wire() { close(socket_); }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  void say(const std::string& text) const { send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }
  // All that comes until the other side ends the connection; nothing if it does not in half a minute.
  std::optional<std::string> heard() const {
    std::string text;
    char bytes[4096];
    for (;;) {
      const ssize_t got = recv(socket_, bytes, sizeof bytes, 0);
      if (got < 0 && errno != ECONNRESET) return std::nullopt;
      if (got <= 0) return text;
      text.append(bytes, static_cast<std::size_t>(got));
    }
  }

 private:
  int socket_;
};

std::string raw_status(int port, const std::string& request) {
  const Wire wire(port);
  wire.say(request);
  const auto answer = wire.heard();
  REQUIRE(answer.has_value());
  return answer->substr(0, answer->find('\r'));
}

}  // namespace

TEST_CASE("studio: without its pages it says what it needs") {
  const Workplace place;
  Start start;
  start.arguments = {"studio", place.path(), "--no-open"};
  start.folder = place.path();
  start.environment["NSMC_WEB_DIR"] = place.path();
  const Finished finished = Process(start).wait();
  CHECK(finished.code == 4);
  CHECK(contains(finished.err, "npm"));
  CHECK(finished.out.empty());
}

TEST_CASE("studio: it listens on the loopback interface alone") {
  const Studio studio;
  std::ostringstream port;
  port << std::uppercase << std::hex << std::setw(4) << std::setfill('0') << studio.port;
  int listening = 0;
  for (const char* list : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream file(list);
    std::string line;
    while (std::getline(file, line)) {
      std::istringstream words(line);
      std::string number, local, remote, state;
      words >> number >> local >> remote >> state;
      if (state != "0A" || !local.ends_with(":" + port.str())) continue;
      ++listening;
      CHECK(local == "0100007F:" + port.str());
    }
  }
  CHECK(listening == 1);
}

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
  // Another port of this machine is another origin; "null" is that of files and of sandboxes.
  for (const char* origin : {"http://127.0.0.1:1", "null", "https://127.0.0.1"})
    CHECK(studio.status_of(files, {{"X-Nsmc-Token", studio.token}, {"Origin", origin}}) == 403);
  CHECK(studio.status_of(files, {{"X-Nsmc-Token", studio.token}, {"Host", "127.0.0.1:1"}}) == 403);
  const std::string port = std::to_string(studio.port), here = "http://127.0.0.1:" + port;
  CHECK(studio.status_of(files, {{"X-Nsmc-Token", studio.token}, {"Origin", here}}) == 200);
  CHECK(contains(raw_status(studio.port, "GET " + files + " HTTP/1.0\r\nX-Nsmc-Token: " + studio.token + "\r\n\r\n"),
                 "403"));
  // What a page of another origin would ask first is not granted.
  const auto preflight = studio.client().Options(files.c_str(), {{"Origin", "http://evil.example"}});
  REQUIRE(preflight);
  CHECK(preflight->status == 403);
  CHECK(!preflight->has_header("Access-Control-Allow-Origin"));
}

TEST_CASE("studio: what fits, what words mean and what mends a mistake are those of the library") {
  const Studio studio;
  const std::string text = "// \xc3\xbc\nparam load = 2 [kg] \"of the ball\"\ncoord z [m]\nkinetic loa/2*z'^2\n";
  const auto ask = [&](const std::string& what, const std::string& name, const std::string& at) {
    const std::string path = "/api/" + what + "?name=" + name + "&at=" + at;
    const auto answer = studio.client().Post(path.c_str(), studio.headers(), text, "text/plain");
    REQUIRE(answer);
    return std::pair(answer->status, answer->status == 200 ? json::parse(answer->body) : json());
  };
  const std::size_t written = text.find("loa/2");
  const auto [status, fitting] = ask("complete", "ball.nsm", std::to_string(written + 3));
  REQUIRE(status == 200);
  CHECK(fitting["begin"] == written);
  CHECK(fitting["end"] == written + 3);
  bool found = false;
  for (const json& item : fitting["items"]) {
    if (item["text"] != "load") continue;
    found = true;
    CHECK(item["kind"] == "parameter");
    CHECK(item["doc"] == "of the ball");
  }
  CHECK(found);
  const auto [known, explained] = ask("explain", "ball.nsm", std::to_string(text.find("load") + 1));
  REQUIRE(known == 200);
  CHECK(explained["title"] == "parameter load = 2 [kg]");
  CHECK(ask("explain", "ball.nsm", "0").second.is_null());
  const json fix = studio.check("ball.nsm", text)["diagnostics"][0]["fixes"][0];
  CHECK(fix == json{{"title", "write load"}, {"begin", written}, {"end", written + 3}, {"text", "load"}});
  for (const char* what : {"complete", "explain"}) {
    CHECK(ask(what, "../ball.nsm", "0").first == 403);
    for (const char* at : {"", "-1", "x", "1x", "99999", "99999999999999999999"})
      CHECK(ask(what, "ball.nsm", at).first == 400);
    CHECK(studio.client()
              .Post(("/api/" + std::string(what) + "?name=ball.nsm&at=0").c_str(), {}, text, "text/plain")
              ->status == 403);
  }
}

TEST_CASE("studio: no name leads out of the folder") {
  const Studio studio;
  const Workplace elsewhere;
  elsewhere.write("other.nsm", "coord other\n");
  std::filesystem::create_symlink("/etc", studio.place.path("outside"));
  std::filesystem::create_symlink(elsewhere.path(), studio.place.path("elsewhere"));
  std::filesystem::create_symlink(elsewhere.path("other.nsm"), studio.place.path("other.nsm"));
  std::filesystem::create_symlink("secret.txt", studio.place.path("link.nsm"));
  std::filesystem::create_symlink("/etc/passwd", studio.place.path("passwd.nsm"));
  std::filesystem::create_directory(studio.place.path("folder.nsm"));
  CHECK(studio.get_file("ball.nsm") == 200);
  const std::string above = "../" + std::filesystem::path(elsewhere.path()).filename().string() + "/other.nsm";
  for (const std::string& name : {std::string("../ball.nsm"),
                                  above,
                                  elsewhere.path("other.nsm"),
                                  std::string("elsewhere/other.nsm"),
                                  std::string("other.nsm"),
                                  std::string("/etc/passwd"),
                                  std::string("/etc/x.nsm"),
                                  std::string("secret.txt"),
                                  std::string("outside/x.nsm"),
                                  std::string("passwd.nsm"),
                                  std::string(".hidden.nsm"),
                                  std::string("a/../../x.nsm"),
                                  std::string("a/./../ball.nsm"),
                                  std::string("folder.nsm"),
                                  std::string(),
                                  std::string("."),
                                  std::string("ball.nsm\0.nsm", 13),
                                  std::string("//etc/x.nsm"),
                                  std::string("%2e%2e%2fball.nsm/../x.nsm"),
                                  std::string("/examples/../../README.md"),
                                  std::string("/examples//etc/passwd"),
                                  std::string("/examples/../models/tippe_top.nsm")}) {
    CHECK_MESSAGE(studio.get_file(name) == 403, name);
    CHECK_MESSAGE(studio.put_file(name) == 403, name);
  }
  // Names in the address itself are no files at all.
  for (const char* path : {"/ball.nsm", "/../ball.nsm", "/%2e%2e/%2e%2e/etc/passwd", "/api/file/../../etc/passwd"})
    CHECK_MESSAGE(studio.status_of(path, studio.headers()) >= 400, path);
  CHECK(elsewhere.read("other.nsm") == "coord other\n");
  CHECK(studio.get_file("missing.nsm") == 404);
  CHECK(studio.put_file("new.nsm") == 200);
  CHECK(studio.place.read("new.nsm") == "coord x\n");
  CHECK(studio.get_file("/examples/tippe_top.nsm") == 200);
  CHECK(studio.put_file("/examples/tippe_top.nsm") == 403);
  // A folder of the user may be called like that.
  std::filesystem::create_directory(studio.place.path("examples"));
  CHECK(studio.put_file("examples/tippe_top.nsm") == 200);
  CHECK(studio.place.read("examples/tippe_top.nsm") == "coord x\n");
}

TEST_CASE("studio: a model imports what is below its folder and nothing else") {
  const Studio studio;
  const Workplace elsewhere;
  elsewhere.write("other.nsm", "param hidden_name = 12345\n");
  studio.place.write("part.nsm", "param a = 1\n");
  std::filesystem::create_symlink(elsewhere.path("other.nsm"), studio.place.path("linked.nsm"));
  const auto with = [](const std::string& import) {
    return "import \"" + import + "\"\ncoord x\nkinetic x'^2/2\nsimulate { until 1 step 0.1 }\n";
  };
  CHECK(studio.check("ball.nsm", with("part.nsm"))["ok"] == true);
  const std::string above = "../" + std::filesystem::path(elsewhere.path()).filename().string() + "/other.nsm";
  for (const std::string& import : {above, elsewhere.path("other.nsm"), std::string("linked.nsm")}) {
    const json answer = studio.check("ball.nsm", with(import));
    CHECK_MESSAGE(answer["ok"] == false, import);
    CHECK_MESSAGE(!contains(answer.dump(), "hidden_name"), import);
    CHECK_MESSAGE(!contains(answer.dump(), "12345"), import);
  }
  // What is imported may change while the text that imports it does not.
  studio.place.write("part.nsm", "param b = 1 +\n");
  CHECK(studio.check("ball.nsm", with("part.nsm"))["ok"] == false);
}

TEST_CASE("studio: a file that was changed by others is not overwritten") {
  const Studio studio;
  const auto answer = studio.client().Get("/api/file?name=ball.nsm", studio.headers());
  REQUIRE(answer);
  const std::string version = answer->get_header_value("X-Nsmc-Version");
  CHECK(studio.put_file("ball.nsm", "coord mine\n") == 412);  // as if it were new
  CHECK(studio.put_file("ball.nsm", "coord mine\n", version) == 200);
  CHECK(studio.place.read("ball.nsm") == "coord mine\n");
  CHECK(studio.put_file("ball.nsm", "coord late\n", version) == 412);
  CHECK(studio.place.read("ball.nsm") == "coord mine\n");
}

TEST_CASE("studio: requests are bounded, and their length is known beforehand") {
  const Studio studio;
  const auto large =
      studio.client().Put("/api/file?name=large.nsm", studio.headers(), std::string(3 << 20, 'x'), "text/plain");
  CHECK((!large || large->status == 413));
  CHECK(studio.put_file("large.nsm", std::string((1 << 20) + 1, 'x')) == 413);
  const std::string head = "PUT /api/file?name=large.nsm HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(studio.port) +
                           "\r\nConnection: close\r\nX-Nsmc-Token: " + studio.token + "\r\n";
  CHECK(contains(raw_status(studio.port, head + "Transfer-Encoding: chunked\r\n\r\n5\r\ncoord\r\n0\r\n\r\n"), "411"));
  CHECK(contains(raw_status(studio.port, head + "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\ncoord"), "411"));
  CHECK(contains(raw_status(studio.port, head + "\r\n"), "411"));
  CHECK(contains(raw_status(studio.port, head + "Content-Length: -1\r\n\r\n"), "411"));
  CHECK(contains(raw_status(studio.port, "GET /" + std::string(100000, 'x') + " HTTP/1.1\r\n\r\n"), "414"));
  CHECK(!studio.place.has("large.nsm"));
  CHECK(studio.status_of("/api/files", studio.headers()) == 200);
}

TEST_CASE("studio: pages come as they are: compressing them would take seconds") {
  const Studio studio;
  const std::string rest = " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(studio.port) +
                           "\r\nConnection: close\r\nAccept-Encoding: gzip, br\r\nX-Nsmc-Token: " + studio.token +
                           "\r\n\r\n";
  for (const std::string& path : {"/view?token=" + studio.token, "/?token=" + studio.token, std::string("/api/files"),
                                  std::string("/api/file?name=ball.nsm")}) {
    const Wire wire(studio.port);
    wire.say("GET " + path + rest);
    const auto answer = wire.heard();
    REQUIRE(answer.has_value());
    CHECK(contains(*answer, "200 OK"));
    CHECK(!contains(*answer, "Content-Encoding"));
  }
}

TEST_CASE("studio: strangers that say nothing are cut off, and hold up nobody for long") {
  const Studio studio;
  std::vector<std::unique_ptr<Wire>> strangers;
  for (int i = 0; i < 60; ++i) {  // more than there are threads
    strangers.push_back(std::make_unique<Wire>(studio.port));
    strangers.back()->say("GET / HTTP/1.1\r\nHost: ");
  }
  CHECK(studio.status_of("/api/files", studio.headers()) == 200);
  for (const auto& stranger : strangers) CHECK(stranger->heard().has_value());
}

TEST_CASE("studio: texts are checked and run as they are written") {
  const Studio studio;
  const json good = studio.check("ball.nsm", kBall);
  CHECK(good["ok"] == true);
  CHECK(good["parameters"][0]["bounds"] == json{0, 1});
  CHECK(good["parameters"][1]["unit"] == "kg");
  const json scaled = studio.check("ball.nsm", "param a = 0 [mm]\ncoord z [m] = a\nkinetic 1 [kg]/2*z'^2\n");
  CHECK(scaled["parameters"][0]["unit"] == "mm");
  CHECK(scaled["parameters"][0]["factor"] == 1e-3);
  const json bad = studio.check("ball.nsm", "param e = 0.5\ncoord z\nkinetic z'^2/2\npotential ee*z\n");
  CHECK(bad["ok"] == false);
  REQUIRE(bad["diagnostics"].size() == 1);
  CHECK(bad["diagnostics"][0]["code"] == "N0201");
  CHECK(bad["diagnostics"][0]["place"]["line"] == 4);
  CHECK(bad["diagnostics"][0]["place"]["file"] == bad["file"]);
  CHECK(bad["diagnostics"][0]["fixes"].size() == 1);

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

TEST_CASE("studio: only so many runs are under way at a time") {
  const Studio studio;
  const std::string body = json{{"name", "ball.nsm"}, {"text", kLong}}.dump();
  const std::string request = "POST /api/run HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(studio.port) +
                              "\r\nX-Nsmc-Token: " + studio.token +
                              "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  std::vector<std::unique_ptr<Wire>> pages;
  for (int i = 0; i < 8; ++i) {
    pages.push_back(std::make_unique<Wire>(studio.port));
    pages.back()->say(request);
  }
  const auto until = [&](int wanted) {
    for (int i = 0; i < 400; ++i) {
      if (studio.begin_run(body).status == wanted) return true;
      std::this_thread::sleep_for(50ms);
    }
    return false;
  };
  CHECK(until(503));
  pages.clear();  // their pages are gone: there is room again
  CHECK(until(200));
}

TEST_CASE("studio: Ctrl-C ends it, whoever is still connected") {
  Studio studio;
  const Wire silent(studio.port), slow(studio.port), idle(studio.port);
  slow.say("GET / HTTP/1.1\r\nHo");
  idle.say("GET /?token=" + studio.token + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(studio.port) + "\r\n\r\n");
  std::this_thread::sleep_for(300ms);
  const auto begun = std::chrono::steady_clock::now();
  studio.process->send(SIGINT);
  CHECK(studio.process->wait().code == 0);
  CHECK(std::chrono::steady_clock::now() - begun < 4s);
}

TEST_CASE("studio: a run ends when its page is gone, and so does the studio when it is told to") {
  Studio studio;
  const std::string request = json{{"name", "ball.nsm"}, {"text", kLong}}.dump();
  const auto begun = std::chrono::steady_clock::now();
  CHECK(studio.begin_run(request, 3).pieces >= 3);
  // That its run has ended, too, is what the test of many runs shows: their places are free again.
  std::this_thread::sleep_for(300ms);
  studio.process->send(SIGINT);
  const Finished finished = studio.process->wait();
  CHECK(finished.code == 0);
  CHECK(std::chrono::steady_clock::now() - begun < 30s);
}
#endif
