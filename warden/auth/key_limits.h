#ifndef WARDEN_AUTH_KEY_LIMITS_H_
#define WARDEN_AUTH_KEY_LIMITS_H_

// Which jobs and buckets a key is for. Part of a key and of the identity of whoever uses it.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace warden::auth {

// Beginnings of the names that a key may use; of each kind, no beginning means all names. Names are
// compared byte by byte: "team-a" is also the beginning of "team-ab", "team-a-" is not.
struct KeyLimits {
  std::vector<std::string> jobs;     // Of training jobs; their rules belong to them.
  std::vector<std::string> buckets;  // Of S3.

  // Whether there are names that it may not use.
  bool Any() const { return !jobs.empty() || !buckets.empty(); }
  bool AllowJob(std::string_view name) const { return Allow(jobs, name); }
  bool AllowBucket(std::string_view name) const { return Allow(buckets, name); }

 private:
  static bool Allow(const std::vector<std::string>& beginnings, std::string_view name) {
    return beginnings.empty() || std::ranges::any_of(beginnings, [name](const std::string& each) {
             return name.starts_with(each);
           });
  }
};

}  // namespace warden::auth

#endif  // WARDEN_AUTH_KEY_LIMITS_H_
