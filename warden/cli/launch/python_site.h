#ifndef WARDEN_CLI_LAUNCH_PYTHON_SITE_H_
#define WARDEN_CLI_LAUNCH_PYTHON_SITE_H_

#include <optional>
#include <string>

namespace warden::cli {

// The folder with the sitecustomize.py that starts capture in a Python process:
// tensorwarden/auto/site in the first of these folders that has it:
// - $TENSORWARDEN_PYTHON
// - lib/python3*/site-packages next to the program's folder, where pip puts both
// - venv/lib/python3*/site-packages next to it, where a build does
// - the folder of the package that the program is part of, as tensorwarden/bin/warden
// The Python code runs on every version; of several the newest is taken.
std::optional<std::string> FindPythonSite(const std::string& program);

// The file of this program.
std::string OwnProgram();

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_PYTHON_SITE_H_
