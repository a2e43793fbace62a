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

// Helpers for reading JSON objects member by member without exceptions: manifests, configurations,
// and the files of the service and of rules. ReadValue (parameters.h) is the lenient counterpart
// for what people write.

// The member of that name; null if json is not an object, has no such member, or has null there.
// Points into json.
const Json* Member(const Json& json, std::string_view name);

// The value as JSON, cut after 80 bytes: for messages.
std::string Shown(const Json& value);

// kInvalidType: "expected an object, got [1, 2]".
Status WrongType(std::string_view wanted, const Json& value);

// The whole number that a JSON number holds: 5 and 5.0, not 5.5 nor what 64 bits cannot hold.
std::optional<int64_t> WholeNumber(const Json& value);

// Reads typed members of one object as the library's own files have them. The first one of a wrong
// type is kept as the status, with its name, and ends all reading: the caller reads everything and
// asks once. Members that are missing or null leave *out as it is. For one thread.
//
//   Fields fields(json);
//   fields.Read("name", &name);
//   fields.Read("save_all", &save_all);
//   if (!fields.status().ok()) return fields.status();
class Fields {
 public:
  // kInvalidType from the start if json is not an object. json outlives this.
  explicit Fields(const Json& json);

  // Strict: 1 is not true and "5" is not a number. Numbers are whole (WholeNumber). Strings of a
  // list are appended to *out. After an error *out may have been changed.
  void Read(std::string_view name, bool* out);
  void Read(std::string_view name, std::string* out);
  void Read(std::string_view name, std::optional<int64_t>* out);
  void Read(std::string_view name, std::optional<std::vector<int64_t>>* out);
  void Read(std::string_view name, std::vector<std::string>* out);

  // Ok, or the first error: kInvalidType, "name: expected a string, got 5".
  const Status& status() const { return status_; }

 private:
  // The member; null if it is missing or something was wrong before.
  const Json* Next(std::string_view name) const;
  // Keeps the error, unless there is one.
  void Refuse(std::string_view name, std::string_view wanted, const Json& value);

  const Json& json_;
  Status status_;
};

}  // namespace warden::config

#endif  // WARDEN_CONFIG_JSON_FIELDS_H_
