#ifndef WARDEN_CONFIG_JSON_FIELDS_H_
#define WARDEN_CONFIG_JSON_FIELDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"

namespace warden::config {

// The member of that name; null if json is no object, has none, or has null.
const Json* Member(const Json& json, std::string_view name);

// The value as JSON, cut where it gets long: for messages.
std::string Shown(const Json& value);

// kInvalidType: "[1, 2] is not an object".
Status WrongType(std::string_view wanted, const Json& value);

// The whole number that a JSON number holds: 5 and 5.0, not 5.5 nor what 64 bits cannot hold.
std::optional<int64_t> WholeNumber(const Json& value);

// Reads typed members of one object as the library's own files have them. The first one of a wrong
// type is kept as the status, with its name; members that are missing or null leave *out as it is.
class Fields {
 public:
  // kInvalidType from the start if json is no object. json outlives this.
  explicit Fields(const Json& json);

  void Read(std::string_view name, bool* out);
  void Read(std::string_view name, std::string* out);
  void Read(std::string_view name, std::optional<int64_t>* out);
  void Read(std::string_view name, std::optional<std::vector<int64_t>>* out);
  void Read(std::string_view name, std::vector<std::string>* out);

  const Status& status() const { return status_; }

 private:
  // The member, unless there is none or something was wrong before.
  const Json* Next(std::string_view name) const;
  void Refuse(std::string_view name, std::string_view wanted, const Json& value);

  const Json& json_;
  Status status_;
};

}  // namespace warden::config

#endif  // WARDEN_CONFIG_JSON_FIELDS_H_
