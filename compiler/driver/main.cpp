// The command line of nsmc.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <new>
#include <span>
#include <sstream>
#include <string_view>

#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/input_files.hpp"
#include "compiler/driver/option_text.hpp"
#include "compiler/driver/process.hpp"
#include "compiler/driver/read_command_line.hpp"
#include "compiler/driver/terminal.hpp"
#include "compiler/model/settings.hpp"
#include "compiler/support/diagnostics.hpp"
#include "nsmc/errors.hpp"
#include "runtime/output/output_file.hpp"
#include "runtime/study/worker_pool.hpp"

namespace nsmc {
namespace {

// "exit codes: 0 done, 1 errors in the model, ..."
std::string exit_codes_text() {
  std::string text;
  for (const auto& [code, meaning] : kExitCodeTexts)
    text += fmt::format("{}{} {}", text.empty() ? "exit codes: " : ", ", static_cast<int>(code), meaning);
  return text;
}

CLI::IsMember one_of(std::span<const std::string_view> names) {
  return CLI::IsMember(std::vector<std::string>(names.begin(), names.end()));
}

void add_import_paths(CLI::App& command, std::vector<std::string>& paths) {
  command
      .add_option("--import-path", paths,
                  "a folder that imports may come from, besides that of the model; may be given several times")
      ->type_name("DIR")
      ->take_all()
      ->expected(1);
}

void add_file(CLI::App& command, ModelFile& file) {
  command.add_option("FILE", file.path, "the model, - for standard input")->required();
  add_import_paths(command, file.import_paths);
}
// An empty name would mean that nothing is written, which is said by not giving the option.
const CLI::Validator kNamed([](std::string& name) { return std::string(name.empty() ? "a file has a name" : ""); }, "");

// "a,foot[1,2].N" as the names a and foot[1,2].N.
void append_names(const std::string& list, std::vector<std::string>& names) {
  int depth = 0;
  names.emplace_back();
  for (const char c : list) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ',' && depth <= 0)
      names.emplace_back();
    else
      names.back() += c;
  }
}

CLI::Option* add_names(CLI::App& command, const char* option, std::vector<std::string>& names, const char* text) {
  return command
      .add_option_function<std::vector<std::string>>(
          option,
          [&names](const std::vector<std::string>& lists) {
            names.clear();
            for (const std::string& list : lists) append_names(list, names);
          },
          text)
      ->type_name("NAMES");
}

// CLI11 calls it for every --set.
void add_overrides(CLI::App& command, Overrides& overrides) {
  command
      .add_option_function<std::vector<std::string>>(
          "--set",
          [&overrides](const std::vector<std::string>& items) {
            for (const std::string& item : items) {
              const std::size_t equal = item.find('=');
              if (equal == std::string::npos || equal == 0) {
                throw UsageError(fmt::format("--set {}: expected name=value, such as --set mu=0.3", item));
              }
              overrides[item.substr(0, equal)] = item.substr(equal + 1);
            }
          },
          "a parameter, name=value or name=value[unit]; a bare number is SI")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->expected(1);
}

void add_inputs(CLI::App& command, ModelChoices& choices) {
  command
      .add_option_function<std::vector<std::string>>(
          "--input",
          [&choices](const std::vector<std::string>& items) {
            for (const std::string& item : items) take_input(item, choices.overrides, choices.inputs);
          },
          "an input of the model: name=file.csv with times and values, name=file.csv:held (or :cubic), or name=value")
      ->type_name("NAME=FILE")
      ->take_all()
      ->expected(1);
}

// Below the help of a command, and in its manual page.
void show_example(CLI::App& command, const std::string& example) {
  command.footer("example: " + example + "\n\n" + exit_codes_text());
}

void add_check(CLI::App& app, CheckOptions& options) {
  CLI::App* check = app.add_subcommand("check", "check a model and say what is wrong with it");
  show_example(*check, "nsmc check ball.nsm");
  add_file(*check, options.file);
  add_overrides(*check, options.overrides);
  check->add_flag("--json", options.json, "diagnostics as JSON, for editors");
  check->add_flag("--strict", options.strict, "a warning gives exit code 3");
}

std::string dashed(std::string_view name) { return "--" + std::string(name); }

// Every setting that the command knows, by its row.
void add_settings(CLI::App& command, Settings& settings, bool recording) {
  for (const SettingRow& row : setting_rows()) {
    if ((row.places & kRunOnly) != 0 && !recording) continue;
    const std::string name(row.name), option = dashed(row.option), help = in_options(std::string(row.help));
    const auto take = [&settings, name](auto value) { settings[name] = std::move(value); };
    CLI::Option* added = nullptr;
    switch (row.kind) {
      case SettingKind::time: added = command.add_option_function<std::string>(option, take, help); break;
      case SettingKind::number: added = command.add_option_function<double>(option, take, help); break;
      case SettingKind::whole: added = command.add_option_function<std::int64_t>(option, take, help); break;
      case SettingKind::word:
        command.add_option_function<std::string>(option, take, help)->check(one_of(row.words));
        break;
      case SettingKind::flag:
        command.add_flag_callback(
            option, [take] { take(true); }, help);
        break;
    }
    if (added != nullptr) added->type_name(std::string(row.placeholder));
  }
}

void add_model(CLI::App& command, ModelChoices& choices, bool recording) {
  add_file(command, choices.file);
  add_overrides(command, choices.overrides);
  add_inputs(command, choices);
  add_settings(command, choices.settings, recording);
  command.add_flag("--no-cache", choices.no_cache, "compile anew, and keep nothing for the next time");
}

void add_run(CLI::App& app, RunOptions& options) {
  CLI::App* run = app.add_subcommand("run", "simulate a model");
  show_example(*run, "nsmc run ball.nsm --set mu=0.2 --until 2 -o ball.csv");
  add_model(*run, options.model, true);
  run->get_option("--record")->excludes(run->get_option("--every"));
  run->add_option("-o,--output", options.output, "record to this CSV file, - for standard output")
      ->type_name("FILE")
      ->check(kNamed);
  run->add_option("--events", options.events, "method event: write the events to this CSV file")
      ->type_name("FILE")
      ->check(kNamed);
  add_names(*run, "--outputs", options.outputs, "record these columns only: a,b,...");
  auto* dump = run->add_option("--dump-contact-problems", options.problems.directory,
                               "write contact problems of the run to files in this directory")
                   ->type_name("DIR");
  run->add_option("--dump-count", options.problems.count, "how many of them at most")
      ->type_name("N")
      ->capture_default_str()
      ->needs(dump);
  run->add_option("--dump-every", options.problems.every, "every Nth of them, in place of the hardest")
      ->type_name("N")
      ->needs(dump);
  run->add_option("--save", options.saving.save, "save the run at its end, to go on from there")->type_name("STATE");
  run->add_option("--from", options.saving.from, "go on from a state that was saved")->type_name("STATE");
  run->add_option("--checkpoint", options.saving.checkpoint,
                  "save the run whenever so much of its time has passed, in OUTPUT.state")
      ->type_name("DT");
  run->add_flag("--resume", options.saving.resume, "go on from the last checkpoint, if there is one");
  run->add_flag("--quiet", options.quiet, "no summary and no progress");
  run->add_flag("--estimate", options.estimate, "estimate the error at the end by a second run at twice the step");
  run->add_flag("--stream", options.stream, "write rows to the file as they come, instead of replacing it at the end");
}

// Those of a picture of one run or several.
void add_vary(CLI::App& command, std::vector<std::string>& vary) {
  command.add_option("--vary", vary, "a run for each value: name=v1,v2,... or name=from:to:n")
      ->type_name("NAME=VALUES")
      ->take_all()
      ->expected(1);
}

void add_studio(CLI::App& app, StudioOptions& options) {
  CLI::App* studio = app.add_subcommand("studio", "write models in a page on this machine, and watch them move");
  show_example(*studio, "nsmc studio ball.nsm");
  studio->add_option("PLACE", options.place, "a folder, or a model in it; this folder if not given");
  studio->add_option("--port", options.port, "the port of 127.0.0.1; any that is free if not given")
      ->type_name("N")
      ->check(CLI::Range(1, 65535));
  studio->add_flag("--no-open", options.no_open, "print the address, and open no browser");
}

void add_view(CLI::App& app, ViewOptions& options) {
  CLI::App* view = app.add_subcommand("view", "simulate a model and show it: a page for the browser, in one file");
  show_example(*view, "nsmc view ball.nsm --vary e=0.2,0.5,0.8");
  add_model(*view, options.model, true);
  view->get_option("--record")->excludes(view->get_option("--every"));
  add_vary(*view, options.vary);
  view->add_option("-o,--output", options.output, "the page; NAME.html if not given")->type_name("PAGE");
  view->add_option("--frames", options.frames,
                   "how many moments the page has; 1000 if not given, fewer of many columns")
      ->type_name("N")
      ->check(CLI::Range(2, 1000000));
  add_names(*view, "--outputs", options.outputs, "offer these columns only: a,b,...");
  view->add_flag("--no-open", options.no_open, "write the page and do not open it");
  view->add_flag("--quiet", options.quiet, "no summary and no progress");
}

void add_plot(CLI::App& app, PlotOptions& options) {
  CLI::App* plot = app.add_subcommand("plot", "a figure of columns of a run or of a table, by gnuplot");
  show_example(*plot, "nsmc plot ball.nsm -y z -o ball.svg");
  add_model(*plot, options.model, true);
  plot->get_option("FILE")->description("the model, - for standard input; or a table, which ends in .csv");
  plot->get_option("--record")->excludes(plot->get_option("--every"));
  plot->add_option("MORE", options.more, "other models and tables, in the same figure");
  add_names(*plot, "-y", options.y, "the columns: a,b,...; a vector by its name");
  plot->add_option("-x", options.x, "the column across")->type_name("NAME")->capture_default_str();
  plot->add_option("--by", options.by, "of a table: a curve for each value of this column")->type_name("NAME");
  plot->add_option("--set-of", options.set_of,
                   "the sets of the laws of this contact, with normals and the forces of the run")
      ->type_name("CONTACT");
  plot->add_option("--at", options.at, "of --set-of: at this time; if not given, where the set has its usual size")
      ->type_name("T");
  plot->add_option("--label", options.labels, "what the curves are called, in their order: a,b,...")
      ->delimiter(',')
      ->type_name("TEXTS");
  plot->add_option("--title", options.title, "what stands above the figure")->type_name("TEXT");
  plot->add_option("--log", options.log, "axes with powers of ten: x, y or x,y")
      ->delimiter(',')
      ->type_name("AXES")
      ->check(CLI::IsMember({"x", "y"}));
  add_vary(*plot, options.vary);
  plot->add_option("-o,--output", options.output, "the figure: .svg, .pdf or .png; if not given, in the terminal")
      ->type_name("FIGURE");
}

void add_inspect(CLI::App& app, InspectOptions& options) {
  CLI::App* inspect = app.add_subcommand("inspect", "print the matrices of a step: M, h, W, G, c");
  show_example(*inspect, "nsmc inspect ball.nsm --at 0.5");
  add_model(*inspect, options.model, false);
  inspect->add_option("--at", options.at, "run to this time first")->type_name("T");
  inspect->add_option("--from", options.from, "begin with a state that was saved")->type_name("STATE");
  inspect->add_flag("--json", options.json, "as JSON");
}

// CLI11 keeps the values of every option by itself. The order of axes is the order of all of them.
struct AxisOptions {
  std::vector<std::string> vary, list;

  void gather(const CLI::App& sweep, SweepOptions& options) const {
    std::size_t varied = 0, listed = 0;
    for (const CLI::Option* option : sweep.parse_order()) {
      if (option->get_name() == "--vary" && varied < vary.size())
        options.study.axes.push_back({vary[varied++], "vary"});
      if (option->get_name() == "--list" && listed < list.size())
        options.study.axes.push_back({list[listed++], "list"});
    }
    if (options.study.axes.empty())
      throw UsageError("--vary or --list is required: nsmc sweep FILE --vary NAME=VALUES ...");
  }
};

void add_sweep(CLI::App& app, SweepOptions& options, AxisOptions& axes) {
  CLI::App* sweep =
      app.add_subcommand("sweep", "simulate a model for many parameters and settings, a row for each run");
  show_example(*sweep, "nsmc sweep ball.nsm --vary e=0:1:101 --measure 'max(z)' -o table.csv");
  add_model(*sweep, options.model, false);
  sweep
      ->add_option("--vary", axes.vary,
                   "a parameter or setting and its values: name=from:to:n, name=from:to:n:log or name=v1,v2,...")
      ->type_name("NAME=VALUES")
      ->take_all()
      ->expected(1);
  sweep->add_option("--list", axes.list, "the same by another name")->type_name("NAME=VALUES")->take_all()->expected(1);
  sweep
      ->add_option(
          "--measure", options.study.measures,
          "a column at the end, end(x), min(x), max(x), mean(x), time(x > c), crossing(x, c), iterations, "
          "max(iterations), total(iterations), unconverged, steps, wall, events, impacts; label=... gives it a name")
      ->type_name("MEASURE")
      ->take_all()
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->required();
  sweep->add_option("-o,--output", options.output, "the table, a CSV file; - for standard output")
      ->type_name("TABLE")
      ->check(kNamed)
      ->capture_default_str();
  sweep->add_option("-j,--threads", options.threads, "runs at a time; all cores if not given")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  sweep
      ->add_option("--lanes", options.study.lanes,
                   "runs at once on each thread, in SIMD registers; 1: one after another")
      ->type_name("N")
      ->check(CLI::IsMember({1, 4, 8}));
  sweep->add_flag("--reproducible", options.study.reproducible, "every row has exactly the numbers of nsmc run");
  auto* resume = sweep->add_flag("--resume", options.resume, "go on with a sweep that was stopped");
  sweep->add_flag("--restart", options.restart, "throw away what a stopped sweep has left")->excludes(resume);
  sweep->add_option("--report", options.report, "a page that shows the table: curves and maps")->type_name("PAGE");
  sweep->add_flag("--curves", options.curves, "of --report: keep the runs in the page, a click shows one; 200 at most")
      ->needs(sweep->get_option("--report"));
  sweep->add_flag("--quiet", options.quiet, "no summary and no progress");
}

void add_others(CLI::App& app, EmitOptions& emit_options, ModelFile& described, LspOptions& lsp_options,
                FormatOptions& format_options) {
  CLI::App* emit = app.add_subcommand("emit", "print a stage of the compilation");
  show_example(*emit, "nsmc emit ball.nsm --latex");
  add_file(*emit, emit_options.file);
  emit->add_option("--stage", emit_options.stage, "what to print")
      ->check(CLI::IsMember({"ast", "model", "scene", "equations", "llvm", "asm", "step", "step-asm", "c"}))
      ->capture_default_str();
  emit->add_flag("--latex", emit_options.latex, "equations as a LaTeX document");
  CLI::App* describe = app.add_subcommand("describe", "list parameters, coordinates, contacts, laws and outputs");
  show_example(*describe, "nsmc describe ball.nsm");
  add_file(*describe, described);
  CLI::App* lsp = app.add_subcommand("lsp", "the language server, for editors: reads from standard input");
  add_import_paths(*lsp, lsp_options.import_paths);
  lsp->add_flag_callback(
      "--stdio", [] {}, "as editors say it; there is no other way");
  CLI::App* format = app.add_subcommand("fmt", "format models in place");
  show_example(*format, "nsmc fmt *.nsm");
  format->add_option("FILES", format_options.files, "the models, - for standard input")->required();
  format->add_flag("--check", format_options.check, "change nothing, exit with 1 if a file is not formatted");
}

void add_texts(CLI::App& app, std::string& shell, std::string& manual) {
  CLI::App* completion =
      app.add_subcommand("completion", "print what a shell completes: commands, options, their words");
  show_example(*completion, "source <(nsmc completion bash)");
  completion->add_option("SHELL", shell, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}));
  CLI::App* page = app.add_subcommand("manual", "print the manual page of nsmc or of a command");
  show_example(*page, "nsmc manual run | man -l -");
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(command->get_name());
  page->add_option("COMMAND", manual, "the command; nsmc itself if not given")->check(CLI::IsMember(commands));
}

int fail(int code, const char* what) {
  std::fprintf(stderr, "nsmc: %s\n", what);
  return code;
}

std::string unknown_command(const CLI::App& app, const std::string& command) {
  std::vector<std::string> known;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(sub->get_name());
  std::string hint = did_you_mean(command, known);
  if (hint.empty())
    hint = command.ends_with(".nsm") ? fmt::format("did you mean nsmc run {}?", command)
                                     : fmt::format("commands are {}", joined(known));
  return fmt::format("unknown command '{}'; {}", command, hint);
}

// What a command does not understand, in the order in which it was written. A parameter of the model may be meant.
std::string what_is_left(const CLI::App& command, const std::vector<std::string>& arguments) {
  std::vector<std::string> left = command.remaining(), options;
  std::string text;
  for (const std::string& argument : arguments) {
    const auto found = std::find(left.begin(), left.end(), argument);
    if (found == left.end()) continue;
    left.erase(found);
    text += (text.empty() ? "" : " ") + argument;
  }
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  const std::string first = text.substr(0, text.find(' '));
  std::string hint;
  if (first.starts_with('-')) {
    const std::string name = first.substr(std::min(first.find_first_not_of('-'), first.size()));
    const bool known = std::find(options.begin(), options.end(), "--" + name) != options.end();
    hint = known ? fmt::format("did you mean '--{}'?", name) : did_you_mean("--" + name, options);
    if (hint.empty() && command.get_option_no_throw("--set") != nullptr)
      hint = fmt::format("a parameter of the model is --set {}=VALUE, 'nsmc {} --help' lists the rest",
                         name.substr(0, name.find('=')), command.get_name());
  }
  if (hint.empty()) hint = fmt::format("'nsmc {} --help' lists what there is", command.get_name());
  return fmt::format("{} is not understood; {}", text, hint);
}

bool is_command(const CLI::App& app, const std::string& name) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  return std::any_of(commands.begin(), commands.end(), [&](const CLI::App* c) { return c->get_name() == name; });
}

int dispatch(int argc, char** argv) {
  CLI::App app{"nsmc: non-smooth mechanics, from model files to simulations", "nsmc"};
  app.set_version_flag("--version", "nsmc " NSMC_VERSION);
  app.require_subcommand(1);
  app.footer(exit_codes_text());
  CheckOptions check_options;
  RunOptions run_options;
  ViewOptions view_options;
  StudioOptions studio_options;
  PlotOptions plot_options;
  InspectOptions inspect_options;
  SweepOptions sweep_options;
  EmitOptions emit_options;
  ModelFile described;
  LspOptions lsp_options;
  FormatOptions format_options;
  add_check(app, check_options);
  add_run(app, run_options);
  add_view(app, view_options);
  add_studio(app, studio_options);
  add_plot(app, plot_options);
  add_inspect(app, inspect_options);
  AxisOptions axes;
  add_sweep(app, sweep_options, axes);
  add_others(app, emit_options, described, lsp_options, format_options);
  std::string shell, manual;
  add_texts(app, shell, manual);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    std::ostringstream text;  // --help, --version
    const int code = app.exit(success, text);
    write_stdout(text.str());
    return code;
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> arguments(argv + 1, argv + std::max(argc, 1));
    if (arguments.empty())
      throw UsageError("what is to be done? nsmc run FILE simulates a model, nsmc --help lists the rest");
    const std::string& command = arguments.front();
    if (command[0] != '-' && !is_command(app, command)) throw UsageError(unknown_command(app, command));
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    if (!chosen.empty() && dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
      throw UsageError(what_is_left(*chosen[0], arguments));
    std::fprintf(stderr, "nsmc: %s\nnsmc: 'nsmc %s--help' lists what there is\n", error.what(),
                 chosen.empty() ? "" : (chosen[0]->get_name() + " ").c_str());
    return kWrongUsage;
  }
  if (app.got_subcommand("check")) return check_command(check_options);
  if (app.got_subcommand("run")) return run_command(run_options);
  if (app.got_subcommand("view")) return view_command(view_options);
  if (app.got_subcommand("studio")) return studio_command(studio_options);
  if (app.got_subcommand("plot")) return plot_command(plot_options);
  if (app.got_subcommand("inspect")) return inspect_command(inspect_options);
  if (app.got_subcommand("sweep")) {
    axes.gather(*app.get_subcommand("sweep"), sweep_options);
    return sweep_command(sweep_options);
  }
  if (app.got_subcommand("emit")) return emit_command(emit_options);
  if (app.got_subcommand("describe")) return describe_command(described);
  if (app.got_subcommand("lsp")) return lsp_command(lsp_options);
  if (app.got_subcommand("completion")) return completion_command(read_command_line(app, NSMC_VERSION), shell);
  if (app.got_subcommand("manual")) return manual_command(read_command_line(app, NSMC_VERSION), manual);
  return format_command(format_options);
}

}  // namespace
}  // namespace nsmc

int main(int argc, char** argv) {
  using namespace nsmc;
  prepare_process();
  try {
    return dispatch(argc, argv);
  } catch (const UsageError& error) {
    return fail(kWrongUsage, error.what());
  } catch (const SettingError& error) {
    return fail(kWrongUsage, in_options(error.what()).c_str());
  } catch (const FileError& error) {
    return fail(kFileTrouble, error.what());
  } catch (const rt::OutputError& error) {
    return fail(kFileTrouble, error.what());
  } catch (const ModelError& error) {
    return fail(kModelErrors, error.what());
  } catch (const rt::NoThreads& error) {
    return fail(kNumericalFailure, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kNumericalFailure, "not enough memory for this model");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nsmc: internal error: %s\nnsmc: this is a bug of nsmc, please report it with the model\n",
                 error.what());
    return kInternalError;
  }
}
