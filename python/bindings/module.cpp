#include "python/bindings/bindings.hpp"

PYBIND11_MODULE(_nsmc, module) {
  module.doc() = "nsmc as it comes from C++; use the package nsmc.";
  module.attr("version") = NSMC_VERSION;
  nsmc::python::define_errors(module);
  nsmc::python::define_buffers(module);
  nsmc::python::define_model(module);
  nsmc::python::define_run(module);
  nsmc::python::define_study(module);
}
