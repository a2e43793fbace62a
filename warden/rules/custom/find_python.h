#ifndef WARDEN_RULES_CUSTOM_FIND_PYTHON_H_
#define WARDEN_RULES_CUSTOM_FIND_PYTHON_H_

#include <string>

#include "warden/base/status.h"

namespace warden::rules {

// The Python that can import tensorwarden, for the program of that file:
// - $WARDEN_PYTHON
// - python3 in the program's folder, where pip puts both, if tensorwarden is installed there
// - venv/bin/python3 beside the program's folder, where a build does, if it is installed there
// - bin/python3 of the environment whose tensorwarden package contains the program
// - python3 on the PATH
// kInvalid if the one that is named, or the last one, is not there.
Result<std::string> FindPython(const std::string& program);

// This program's own file.
std::string OwnProgramFile();

}  // namespace warden::rules

#endif  // WARDEN_RULES_CUSTOM_FIND_PYTHON_H_
