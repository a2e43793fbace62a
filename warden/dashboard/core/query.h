#ifndef WARDEN_DASHBOARD_CORE_QUERY_H_
#define WARDEN_DASHBOARD_CORE_QUERY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/types.h"

namespace warden::dashboard {

// The parameters of a request, decoded. Errors are kInvalid and name the parameter, its value and
// what is accepted. Parameters that nobody asks for are ignored: older pages may send more. Names
// and values may repeat. Immutable, and so safe for many threads.
//
//   const Query query("mode=TRAIN&points=500");
//   const auto points = query.Int("points", 2, 4000, 1000);  // 500
class Query {
 public:
  // What follows the '?' of a URL, still encoded.
  explicit Query(std::string_view query);

  // The first of that name; empty if there is none.
  std::string Text(std::string_view name) const;
  // All of that name, in their order, empty ones included.
  std::vector<std::string> All(std::string_view name) const;
  // kInvalid if it is missing or empty.
  Result<std::string> Needed(std::string_view name) const;
  // An integer from least to most; fallback, whatever it is, where the parameter is missing or
  // empty. So for the next two.
  Result<int64_t> Int(std::string_view name, int64_t least, int64_t most, int64_t fallback) const;
  Result<double> Number(std::string_view name, double fallback) const;  // Finite.
  // TRAIN, EVAL, PREDICT or GLOBAL; kGlobal where it is missing.
  Result<Mode> ModeOf(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> pairs_;
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_CORE_QUERY_H_
