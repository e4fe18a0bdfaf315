#include "compiler/driver/studio/server.hpp"

#include <fmt/core.h>
#include <httplib.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/studio/connections.hpp"
#include "nsmc/errors.hpp"

namespace nsmc::studio {

namespace {

constexpr const char *json_type = "application/json", *lines_type = "application/x-ndjson",
                     *version_header = "X-Nsmc-Version";

// What is asked for is at most a model and a few numbers beside it.
constexpr std::size_t most_payload = 2 * most_bytes;

// How often a page hears of a run, and so how soon a run hears that its page is gone.
constexpr auto heartbeat = std::chrono::milliseconds(50);

// Connections at a time that are answered at once; others wait for one of them.
constexpr std::size_t most_threads = 32;
// A stranger has shown the token by then, or goes; beyond these many each new one goes at once.
constexpr auto patience = std::chrono::seconds(5);
constexpr std::size_t most_strangers = 100;
// Runs at a time, of all pages together.
constexpr int most_runs = 8;
// After Ctrl-C, how long a text that is being compiled may take, which cannot be stopped.
constexpr auto farewell = std::chrono::seconds(5);

// As it is: the library would compress what has no length known beforehand, thoroughly, which takes seconds for a page.
void give(httplib::Response& response, std::string text, const char* type) {
  if (text.empty()) return;
  const std::size_t size = text.size();
  response.set_content_provider(
      size, type, [text = std::move(text)](std::size_t from, std::size_t length, httplib::DataSink& sink) {
        return sink.write(text.data() + from, length);
      });
}

void refuse(httplib::Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(why + "\n", "text/plain; charset=utf-8");
}

// Every answer goes through here, so that trouble of any kind is an answer, too.
template <class Answer>
void answer(httplib::Response& response, Answer&& work) {
  try {
    work();
  } catch (const Refusal& refusal) {
    refuse(response, refusal.status, refusal.what());
  } catch (const FileError& error) {
    refuse(response, 404, error.what());
  } catch (const std::exception& error) {
    refuse(response, 500, error.what());
  }
}

// A run on a thread of its own, which a page follows line by line: {"progress": 0.4}, at last {"page": ...} or
// {"error": "..."}. It is stopped when nobody listens any more.
class FollowedRun {
 public:
  FollowedRun(Session& session, std::string request, const std::atomic<bool>* server_stops)
      : server_stops_(server_stops),
        place_(under_way),
        thread_([this, &session, request = std::move(request)] { run(session, request); }) {}
  ~FollowedRun() {
    stop_ = true;
    thread_.join();
  }

  // The next lines for the page; nothing more after is_over().
  std::string next() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, heartbeat, [this] { return done_; });
    if (server_stops_->load()) stop_ = true;
    if (!done_) return fmt::format("{{\"progress\":{:.4f}}}\n", part_);
    told_ = true;
    return std::move(last_);
  }
  bool is_over() const { return told_; }

 private:
  // One of the runs that may be under way at a time.
  struct Place {
    explicit Place(std::atomic<int>& of) : count(of) {
      if (++count > most_runs) {
        --count;
        throw Refusal(503, fmt::format("{} runs are under way: stop one of them, or close its page", most_runs));
      }
    }
    ~Place() { --count; }
    std::atomic<int>& count;
  };
  static inline std::atomic<int> under_way = 0;

  void run(Session& session, const std::string& request) {
    std::string last;
    try {
      last = "{\"page\":" + session.run(request, stop_, [this](double t, double until) {
        const std::lock_guard lock(mutex_);
        part_ = until > 0 ? t / until : 0;
      }) + "}\n";
    } catch (const std::exception& error) {
      last = "{\"error\":" + quoted(error.what()) + "}\n";
    }
    const std::lock_guard lock(mutex_);
    last_ = std::move(last);
    done_ = true;
    changed_.notify_all();
  }

  const std::atomic<bool>* server_stops_;
  const Place place_;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  double part_ = 0;
  bool done_ = false, told_ = false;
  std::string last_;
  std::thread thread_;  // last: it uses all the others
};

// What a request brings is known beforehand: its length, and that nothing in it unfolds.
bool has_plain_body(const httplib::Request& request) {
  if (request.method == "GET" || request.method == "HEAD") return true;
  if (request.has_header("Transfer-Encoding") || request.has_header("Content-Encoding")) return false;
  const std::string length = request.get_header_value("Content-Length");
  std::size_t bytes = 0;
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), bytes);
  return error == std::errc() && end == length.data() + length.size();
}

// Where in the text, in bytes.
std::size_t offset_of(const httplib::Request& request) {
  const std::string text = request.get_param_value("at");
  std::size_t offset = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), offset);
  if (error != std::errc() || end != text.data() + text.size()) throw Refusal(400, "`at` is a place in the text");
  return offset;
}

void add_routes(httplib::Server& server, Session& session, const ServerOptions& options) {
  server.Get("/", [&](const httplib::Request&, httplib::Response& response) {
    give(response, options.page, "text/html; charset=utf-8");
  });
  server.Get("/view", [&](const httplib::Request&, httplib::Response& response) {
    give(response, options.view, "text/html; charset=utf-8");
  });
  server.Get("/api/files", [&](const httplib::Request&, httplib::Response& response) {
    answer(response, [&] { give(response, session.files(), json_type); });
  });
  server.Get("/api/file", [&](const httplib::Request& request, httplib::Response& response) {
    answer(response, [&] {
      std::string text = session.read(request.get_param_value("name"));
      response.set_header(version_header, version_of(text));
      give(response, std::move(text), "text/plain; charset=utf-8");
    });
  });
  server.Put("/api/file", [&](const httplib::Request& request, httplib::Response& response) {
    answer(response, [&] {
      session.write(request.get_param_value("name"), request.body, request.get_header_value(version_header));
      response.set_header(version_header, version_of(request.body));
    });
  });
  server.Post("/api/check", [&](const httplib::Request& request, httplib::Response& response) {
    answer(response, [&] { give(response, session.check(request.get_param_value("name"), request.body), json_type); });
  });
  server.Post("/api/complete", [&](const httplib::Request& request, httplib::Response& response) {
    answer(response, [&] {
      give(response, session.complete(request.get_param_value("name"), request.body, offset_of(request)), json_type);
    });
  });
  server.Post("/api/explain", [&](const httplib::Request& request, httplib::Response& response) {
    answer(response, [&] {
      give(response, session.explain(request.get_param_value("name"), request.body, offset_of(request)), json_type);
    });
  });
  server.Post("/api/run", [&](const httplib::Request& request, httplib::Response& response) {
    answer(response, [&] {
      auto run = std::make_shared<FollowedRun>(session, request.body, options.stop);
      response.set_chunked_content_provider(lines_type, [run](std::size_t, httplib::DataSink& sink) {
        if (run->is_over()) {
          sink.done();
          return true;
        }
        const std::string lines = run->next();
        return sink.is_writable() && sink.write(lines.data(), lines.size());
      });
    });
  });
}

}  // namespace

void serve(Session& session, const ServerOptions& options) {
  httplib::Server server;
  server.set_payload_max_length(most_payload);
  server.set_read_timeout(10);
  server.set_keep_alive_max_count(1000);
  server.set_keep_alive_timeout(2);
  server.new_task_queue = [] { return new httplib::ThreadPool(most_threads); };
  const int port = options.port == 0 ? server.bind_to_any_port("127.0.0.1")
                                     : (server.bind_to_port("127.0.0.1", options.port) ? options.port : -1);
  if (port < 0) throw FileError(fmt::format("cannot listen on port {} of 127.0.0.1: is it in use?", options.port));
  const Guard guard(port, make_token());
  Connections connections(port, patience, most_strangers);

  // Pages send the token in a header; only they themselves are asked for with the token in their address.
  server.set_pre_routing_handler([&](const httplib::Request& request, httplib::Response& response) {
    const bool page = request.path == "/" || request.path == "/view";
    const std::string token = page ? request.get_param_value("token") : request.get_header_value("X-Nsmc-Token");
    if (!guard.admits(request.get_header_value("Host"), request.get_header_value("Origin"), token)) {
      refuse(response, 403, "this studio belongs to somebody else: open the address that nsmc studio printed");
    } else if (!has_plain_body(request)) {
      refuse(response, 411, "a request needs a length, and no other encoding");
    } else {
      connections.admit(request.remote_port);
      return httplib::Server::HandlerResponse::Unhandled;
    }
    response.set_header("Connection", "close");
    return httplib::Server::HandlerResponse::Handled;
  });
  server.set_default_headers(
      {{"X-Content-Type-Options", "nosniff"},
       {"Referrer-Policy", "no-referrer"},
       {"Cache-Control", "no-store"},
       {"X-Frame-Options", "SAMEORIGIN"},
       {"Content-Security-Policy",
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: "
        "blob:; media-src blob:; font-src data:; connect-src 'self'; frame-src 'self'; worker-src blob:"}});
  add_routes(server, session, options);

  std::atomic<bool> ended = false;
  std::thread watch([&] {
    for (int beat = 0; !options.stop->load() || !server.is_running(); ++beat) {
      std::this_thread::sleep_for(heartbeat);
      if (beat % 10 == 0) connections.cut_strangers();
    }
    server.stop();
    const auto stopped = std::chrono::steady_clock::now();
    while (!ended.load()) {
      connections.cut_all();
      // Files are replaced in one step, so that nothing is left half written.
      if (std::chrono::steady_clock::now() - stopped > farewell) std::_Exit(kDone);
      std::this_thread::sleep_for(heartbeat);
    }
  });
  if (options.ready) options.ready(guard.address());
  server.listen_after_bind();
  ended = true;
  watch.join();
}

}  // namespace nsmc::studio
