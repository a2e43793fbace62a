#ifndef WARDEN_BASE_STATUS_H_
#define WARDEN_BASE_STATUS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace warden {

// Errors as values, used by every part. No function of the project throws because of bad input, a
// missing file or a full disk: it returns a Status, or a Result if it also has a value to give.
// Both are [[nodiscard]]; a caller that means to ignore one casts it to void.
//
//   Result<Blob> blob = store.ReadAll(key);
//   if (blob.status().code() == Code::kNotFound) return Status();  // Nothing there is fine.
//   if (!blob.ok()) return blob.status().WithContext("hook configuration");
//   Use(blob.value());

// What went wrong, as far as a caller can act on it. The second block lists situations for which
// the original library has a separate exception; the Python border maps each to that exception.
enum class Code : uint8_t {
  kOk,
  kNotFound,     // The thing named does not exist.
  kExists,       // It exists already and was to be created.
  kTruncated,    // Ends too early; it may be whole later.
  kCorrupt,      // Will never be readable. The message names file and offset.
  kInvalid,      // A value the caller gave is not accepted.
  kInvalidType,  // A value the caller gave has the wrong type.
  kUnavailable,  // Cannot be had now; trying again later may help.
  kIo,           // The operating system refused.

  kInvalidCollection,         // A collection that can match nothing.
  kMissingCollectionFiles,    // The job ended without a collections file.
  kBadIndex,                  // An index file that says nothing usable.
  kTensorUnavailable,         // No tensor of that name in the run.
  kTensorUnavailableForStep,  // The step is there, the tensor's value is not.
  kShapeUnavailableForStep,   // Neither a stored shape nor a value to take it from.
  kStepUnavailable,           // The step was passed or the job ended without saving it.
  kStepNotYetAvailable,       // The step may still come.
  kNoMoreData,                // The job ended before the step.
  kInvalidWorker,             // This worker saved nothing at the step.
};

// "NotFound", "TensorUnavailableForStep", ...: stable, used in JSON output. Where the original has
// an exception for the situation, its name. Valid for the life of the process.
std::string_view CodeName(Code code);

// Success, or a code for programs and a message for people. A plain value: copies are independent.
class [[nodiscard]] Status {
 public:
  Status() = default;  // Ok.
  // The message names the thing, the value and what is accepted (docs/style.md). It has no period
  // at its end, so that callers can put it into a sentence.
  Status(Code code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == Code::kOk; }
  Code code() const { return code_; }
  const std::string& message() const { return message_; }  // Empty if ok().

  // The same error with what was being done in front: "context: message". Ok stays ok. The code
  // stays. Add what the caller knows and the callee does not: a file, a flag, a rule.
  Status WithContext(std::string_view context) const;

 private:
  Code code_ = Code::kOk;
  std::string message_;
};

// A value, or the reason why there is no value. Implicit from both, so that functions simply return
// one or the other. value() is not checked. REQUIRES: ok() before value(), and a status that is not
// ok where one is given.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}       // NOLINT: implicit
  Result(Status error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return state_.index() == 0; }
  T& value() & { return *std::get_if<0>(&state_); }
  const T& value() const& { return *std::get_if<0>(&state_); }
  // By value, so that "for (x : F().value())" keeps it alive.
  T value() && { return std::move(*std::get_if<0>(&state_)); }
  // A copy; Status() if ok().
  Status status() const { return ok() ? Status() : *std::get_if<1>(&state_); }

 private:
  std::variant<T, Status> state_;
};

}  // namespace warden

#endif  // WARDEN_BASE_STATUS_H_
