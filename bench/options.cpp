#include "bench/options.hpp"

#include <cstdio>
#include <exception>

namespace nsmc::bench {

int run(CLI::App& app, int argc, char** argv, const std::function<bool()>& benchmark) {
  const std::string name = app.get_name();
  try {
    app.parse(argc, argv);
    return benchmark() ? 0 : 1;
  } catch (const CLI::Success& success) {
    return app.exit(success);  // --help
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "%s: %s\n%s: '%s --help' lists what there is\n", name.c_str(), error.what(), name.c_str(),
                 name.c_str());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
    return 1;
  }
}

void add_quick(CLI::App& app, const std::string& what, const std::function<void()>& shorten) {
  app.add_flag_callback("--quick", shorten, what);
}

void add_number(CLI::App& app, const std::string& option, int& number, const std::string& what) {
  app.add_option(option, number, what)
      ->type_name("N")
      ->check(CLI::Range(1, 100'000'000).description(""))
      ->capture_default_str();
}

void add_repeats(CLI::App& app, int& repeats, const std::string& what) { add_number(app, "--repeats", repeats, what); }

void add_choice(CLI::App& app, const std::string& option, std::string& only, const std::vector<std::string>& names,
                const std::string& what) {
  app.add_option(option, only, what)->type_name("NAME")->check(CLI::IsMember(names));
}

}  // namespace nsmc::bench
