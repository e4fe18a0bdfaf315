// Event-driven integration: smooth motion between events, and at events, impacts and new modes of the contacts
// [Studer 2006, sec. 2], [Möller 2009, (11)].
#pragma once

#include <memory>

#include "runtime/methods/integrator.hpp"

namespace nsmc::rt::event {

std::unique_ptr<Integrator> make_event_driven(const IntegratorOptions& options);

}  // namespace nsmc::rt::event
