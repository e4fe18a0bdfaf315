// The process of nsmc, before it looks at its command line: what must hold whoever has started it, and how it ends
// where nothing else is possible.
#pragma once

namespace nsmc {

void prepare_process();

}  // namespace nsmc
