// What goes to the terminal; colours and the progress bar depend on whether a person watches.
#pragma once

#include <string>

#include "compiler/api/pipeline.hpp"
#include "compiler/driver/commands.hpp"
#include "nsmc/model.hpp"

namespace nsmc {

bool is_terminal(int descriptor);

// The model that a command is given: a file, or "-" for standard input.
ModelSource source_of(const ModelFile& file);
Model open_model(const ModelFile& file, ModelOptions options = {});
std::string read_text(const std::string& file);

// "model" for one that has none.
std::string shown_name(const std::string& name);

// Everything to standard output, or a FileError (a full disk, a closed pipe).
void write_stdout(const std::string& text);

// Diagnostics of the compilation to standard error.
void print_diagnostics(const Model& model);
void print_diagnostics(const Pipeline& pipeline);

// One line that is written over and over, and cleared at the end. part: from 0 to 1.
void show_progress_bar(double part, const std::string& note);
void clear_progress_bar();

// "12.5 ms", "3.1 s"
std::string duration(double seconds);

// "1 error", "3 errors"
std::string counted(std::size_t n, const char* noun);

}  // namespace nsmc
