#ifndef WARDEN_JOBS_LAUNCH_CLEAN_PATH_H_
#define WARDEN_JOBS_LAUNCH_CLEAN_PATH_H_

// Checks paths that come from requests and archives, by their text alone: no file is looked at.

#include <optional>
#include <string>
#include <string_view>

namespace warden::jobs {

// Returns a relative path without needless parts. Nothing for an absolute one, one with "..", and
// one with a zero byte:
//
//   "./a//b/"  "a/b"
//   "."        ""
//   "a/../b"   nothing
//   "/a"       nothing
std::optional<std::string> CleanRelative(std::string_view path);
// The same for an absolute path: "/opt//ml/" becomes "/opt/ml", "/" becomes "". Nothing for a
// relative one.
std::optional<std::string> CleanAbsolute(std::string_view path);

// Whether path is folder, or below it. REQUIRES: both are clean (as above).
bool IsBelowOrSame(std::string_view path, std::string_view folder);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_CLEAN_PATH_H_
