#ifndef WARDEN_S3_FORM_DATA_H_
#define WARDEN_S3_FORM_DATA_H_

// The form in which browsers send files (multipart/form-data, RFC 7578). Used by post.h.
//
//   --boundary
//   Content-Disposition: form-data; name="key"
//
//   user/me/photo.jpg
//   --boundary
//   Content-Disposition: form-data; name="file"; filename="photo.jpg"
//   Content-Type: image/jpeg
//
//   ...
//   --boundary--

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/base/text/uri.h"

namespace warden::s3 {

// Returns the boundary that a Content-Type names; nothing if it is not such a form.
std::optional<std::string> BoundaryOf(std::string_view content_type);

// Takes a form apart while it arrives. Fields are gathered, 64 KB of them at most; the file, which
// is the field "file", is passed on in pieces. As at Amazon, fields behind the file are ignored.
// For one thread at a time.
class FormDataParser {
 public:
  // Called once, when the file begins: all fields that count are there. An error ends the form.
  using FileBegins = std::function<Status()>;
  using Sink = std::function<Status(std::string_view)>;  // The view ends with the call.
  FormDataParser(const std::string& boundary, FileBegins file_begins, Sink sink);

  // Takes any piece of the body, cut anywhere. kInvalid if it is malformed; or an error of the two
  // functions. Do not call it again after an error.
  Status Take(std::string_view piece);

  // Whether the end of the file was read: a form that ends before has none, or not all of it.
  bool done() const { return state_ == State::kDone; }
  // Before the file, with names in lower case, in their order.
  const QueryPairs& fields() const { return fields_; }
  // The name that the browser gave the file, without folders; may be empty.
  const std::string& file_name() const { return file_name_; }

 private:
  enum class State : uint8_t { kPart, kHeaders, kField, kFile, kDone };  // What comes next.

  // One step; false: more bytes are needed for it.
  Result<bool> Step();
  Result<bool> BeginPart();
  Result<bool> TakeHeaders();
  Result<bool> TakeField();
  Result<bool> TakeFile();

  const std::string delimiter_;  // "\r\n--boundary".
  const FileBegins file_begins_;
  const Sink sink_;
  State state_ = State::kPart;
  std::string buffer_;  // Not understood yet. A line end stands for the one before the first part.
  size_t field_bytes_ = 0;
  std::string name_;  // Of the field that is read.
  QueryPairs fields_;
  std::string file_name_;
};

}  // namespace warden::s3

#endif  // WARDEN_S3_FORM_DATA_H_
