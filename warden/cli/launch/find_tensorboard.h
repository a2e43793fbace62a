#ifndef WARDEN_CLI_LAUNCH_FIND_TENSORBOARD_H_
#define WARDEN_CLI_LAUNCH_FIND_TENSORBOARD_H_

#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::cli {

// How TensorBoard is started: the file to execute and the words that come before its options.
struct TensorBoardProgram {
  std::string program;
  std::vector<std::string> words;
};

// The TensorBoard of the user: `tensorboard` on PATH, else that of the environment in which our
// Python packages are installed (see FindPythonSite), else the module of `python3`. kNotFound says
// where was looked and how to install it.
Result<TensorBoardProgram> FindTensorBoard();

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_FIND_TENSORBOARD_H_
