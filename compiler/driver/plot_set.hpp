// The figure of `nsmc plot --set-of`: the sets of a contact's law at a moment of a run, and the run's forces in them.
#pragma once

#include "compiler/driver/plot_figure.hpp"
#include "nsmc/model.hpp"
#include "nsmc/scene.hpp"

namespace nsmc {

// at: the moment; negative: one where the set has its usual size. Throws UsageError where no law of it has a set with
// an end.
Figure set_figure(const SceneContact& contact, const Table& rows, double at);

}  // namespace nsmc
