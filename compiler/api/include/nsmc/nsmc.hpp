// All of nsmc as a library.
#pragma once

#include "nsmc/diagnostics.hpp"
#include "nsmc/editing.hpp"
#include "nsmc/errors.hpp"
#include "nsmc/files.hpp"
#include "nsmc/model.hpp"
#include "nsmc/run.hpp"
#include "nsmc/run_files.hpp"
#include "nsmc/scene.hpp"
#include "nsmc/sets.hpp"
#include "nsmc/settings.hpp"
#include "nsmc/study.hpp"
