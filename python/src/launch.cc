// Binds what `python -m tensorwarden` needs: its configuration and the folder of the run.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <vector>

#include "python/src/status_error.h"
#include "warden/capture/launch_folder.h"
#include "warden/config/launch_config.h"

namespace nb = nanobind;

namespace warden::python {
namespace {

std::tuple<std::string, std::string> SetUpLaunch(const std::string& name,
                                                 const config::LaunchFlags& flags) {
  const auto config = Unwrap(config::MakeLaunchConfig(flags));
  const auto folder = Unwrap(capture::MakeLaunchFolder(config, name));
  return {folder.run, folder.config_file};
}

}  // namespace

void InitLaunch(nb::module_& module) {
  using config::LaunchFlags;
  nb::class_<LaunchFlags>(module, "LaunchFlags", "The options of the command line.")
      .def(nb::init<>())
      .def_rw("config", &LaunchFlags::config)
      .def_rw("out", &LaunchFlags::out_dir)
      .def_rw("save_interval", &LaunchFlags::save_interval)
      .def_rw("collections", &LaunchFlags::collections)
      .def_rw("reductions", &LaunchFlags::reductions)
      .def_rw("save_all", &LaunchFlags::save_all)
      .def_rw("include_regex", &LaunchFlags::include_regex)
      .def_rw("workers", &LaunchFlags::workers)
      .def_rw("tensorboard", &LaunchFlags::tensorboard)
      .def_rw("fsync", &LaunchFlags::fsync);
  module.def("set_up_launch", &SetUpLaunch, nb::arg("name"), nb::arg("flags"),
             "Checks the flags, creates the folder of the run and returns (folder, configuration "
             "file).");
}

}  // namespace warden::python
