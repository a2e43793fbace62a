#ifndef WARDEN_RULES_CUSTOM_FIND_PYTHON_H_
#define WARDEN_RULES_CUSTOM_FIND_PYTHON_H_

// Which Python runs the rules of users. Used when a Python rule is loaded.

#include <string>

#include "warden/base/status.h"

namespace warden::rules {

// The path of a Python that can import tensorwarden, for the program at that path. The first of:
//   - $WARDEN_PYTHON, a path or a name on the PATH
//   - python3 in the program's folder, where pip puts both, if tensorwarden is installed there
//   - venv/bin/python3 beside the program's folder, where a build puts it, if it is installed there
//   - bin/python3 of the environment whose tensorwarden package contains the program
//   - python3 on the PATH
// kInvalid if $WARDEN_PYTHON is not executable, or if none is found. The last one is not tried out.
Result<std::string> FindPython(const std::string& program);

// The path of the running program; empty if the system does not say.
std::string OwnProgramFile();

}  // namespace warden::rules

#endif  // WARDEN_RULES_CUSTOM_FIND_PYTHON_H_
