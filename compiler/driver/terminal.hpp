// What goes to the terminal; colours and the progress bar depend on whether a person watches.
#pragma once

#include <cstddef>
#include <string>

#include "compiler/driver/commands.hpp"
#include "compiler/driver/run_watch.hpp"
#include "nsmc/model.hpp"

namespace nsmc {

struct ModelSource;

bool is_terminal(int descriptor);

// The model that a command is given: a file, or "-" for standard input.
ModelSource source_of(const ModelFile& file);
Model open_model(const ModelFile& file, ModelOptions options = {});
std::string read_text(const std::string& file);

// "model" for one that has none.
std::string shown_name(const std::string& name);

// Everything to standard output, or a FileError (a full disk, a closed pipe).
void write_stdout(const std::string& text);

// Diagnostics to standard error: of a model, or as a text, with the number of errors in it.
void print_diagnostics(const Model& model);
void print_diagnostics(const std::string& text, std::size_t errors);
bool colours();  // in them

// One line that is written over and over, and cleared at the end. part: from 0 to 1.
void show_progress_bar(double part, const std::string& note);
void clear_progress_bar();

// How a run of a command is followed: ctrl-C ends it, and where a person watches, the bar shows how far it is.
RunWatch watch_run(bool quiet);

// "12.5 ms", "3.1 s"
std::string duration(double seconds);

// "1 error", "3 errors"
std::string counted(std::size_t n, const char* noun);

}  // namespace nsmc
