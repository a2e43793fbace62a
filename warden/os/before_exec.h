#ifndef WARDEN_OS_BEFORE_EXEC_H_
#define WARDEN_OS_BEFORE_EXEC_H_

#include <string>
#include <vector>

namespace warden::os {

// The words as exec takes them, null at the end; they outlive it.
std::vector<char*> PointersTo(const std::vector<std::string>& words);

// All signals do what they do in a new program. Safe between fork and exec.
void ResetSignals();

}  // namespace warden::os

#endif  // WARDEN_OS_BEFORE_EXEC_H_
