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

// The parameters of a request. Errors are kInvalid and name the parameter, its value and what is
// accepted. What nobody asks for is passed over: older pages may know more.
class Query {
 public:
  explicit Query(std::string_view query);

  // The first of that name; empty if there is none.
  std::string Text(std::string_view name) const;
  std::vector<std::string> All(std::string_view name) const;
  // kInvalid if it is missing or empty.
  Result<std::string> Needed(std::string_view name) const;
  // Fallback where it is missing.
  Result<int64_t> Int(std::string_view name, int64_t least, int64_t most, int64_t fallback) const;
  Result<double> Number(std::string_view name, double fallback) const;  // Finite.
  // TRAIN, EVAL, PREDICT or GLOBAL; kGlobal where it is missing.
  Result<Mode> ModeOf(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> pairs_;
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_CORE_QUERY_H_
