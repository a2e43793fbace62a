#ifndef WARDEN_JOBS_LAUNCH_CLEAN_PATH_H_
#define WARDEN_JOBS_LAUNCH_CLEAN_PATH_H_

#include <optional>
#include <string>
#include <string_view>

namespace warden::jobs {

// A relative path without needless parts: "./a//b/" is "a/b", "." is "". Nothing for an absolute
// one, one with "..", and one that no file can have.
std::optional<std::string> CleanRelative(std::string_view path);
// The same of a path from the root: "/opt//ml/" is "/opt/ml", "/" is "".
std::optional<std::string> CleanAbsolute(std::string_view path);

// Whether a path is another one, or leads into it. REQUIRES: both are clean.
bool IsBelowOrSame(std::string_view path, std::string_view folder);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_CLEAN_PATH_H_
