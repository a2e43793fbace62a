#ifndef WARDEN_CLI_LAUNCH_PYTHON_SITE_H_
#define WARDEN_CLI_LAUNCH_PYTHON_SITE_H_

#include <optional>
#include <string>

namespace warden::cli {

// The folder whose sitecustomize.py brings capture into a Python program: tensorwarden/auto/site in
// the first of these folders that has it:
// - $TENSORWARDEN_PYTHON
// - lib/python3*/site-packages beside the program's folder, where pip puts both
// - venv/lib/python3*/site-packages beside it, where a build does
// Its Python code fits every version, so any of several will do; the newest is taken.
std::optional<std::string> FindPythonSite(const std::string& program);

// This program's own file.
std::string OwnProgram();

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_PYTHON_SITE_H_
