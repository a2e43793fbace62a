#include "warden/s3/form_data.h"

#include <fmt/format.h>

#include "warden/base/strings.h"

namespace warden::s3 {
namespace {

constexpr size_t kMostFieldBytes = 64 << 10;
constexpr size_t kMostHeaderBytes = 8 << 10;
constexpr size_t kMostFields = 200;
constexpr size_t kLongestBoundary = 70;  // By RFC 2046.
constexpr std::string_view kBlankLine = "\r\n\r\n";

Status Malformed(std::string_view reason) {
  return Status(Code::kInvalid, fmt::format("The body of your POST request is not well-formed "
                                            "multipart/form-data: {}.",
                                            reason));
}

// The value of name="value" or name=value among parameters separated by semicolons; nothing if
// there is none. Browsers write '"' in names as %22.
std::optional<std::string> ParameterOf(std::string_view text, std::string_view wanted) {
  for (size_t at = text.find(';'); at != std::string_view::npos;) {
    const size_t equals = text.find('=', at);
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string name = LowerAscii(Trim(text.substr(at + 1, equals - at - 1)));
    const bool is_quoted = text.substr(equals + 1).starts_with('"');
    const size_t begin = equals + (is_quoted ? 2 : 1);
    const size_t end = is_quoted ? text.find('"', begin) : text.find(';', begin);
    if (is_quoted && end == std::string_view::npos) return std::nullopt;
    const std::string_view value = text.substr(begin, end - begin);
    if (name == wanted) return std::string(is_quoted ? value : Trim(value));
    at = end == std::string_view::npos ? end : text.find(';', end);
  }
  return std::nullopt;
}

// The value of a header of a part; empty if there is none.
std::string HeaderIn(std::string_view headers, std::string_view wanted) {
  while (!headers.empty()) {
    const size_t end = headers.find("\r\n");
    const std::string_view line = headers.substr(0, end);
    const size_t colon = line.find(':');
    if (colon != std::string_view::npos && LowerAscii(Trim(line.substr(0, colon))) == wanted) {
      return std::string(Trim(line.substr(colon + 1)));
    }
    headers = end == std::string_view::npos ? std::string_view() : headers.substr(end + 2);
  }
  return "";
}

}  // namespace

std::optional<std::string> BoundaryOf(std::string_view content_type) {
  const std::string type = LowerAscii(Trim(content_type.substr(0, content_type.find(';'))));
  if (type != "multipart/form-data") return std::nullopt;
  const auto boundary = ParameterOf(content_type, "boundary");
  if (!boundary || boundary->empty() || boundary->size() > kLongestBoundary) return std::nullopt;
  return boundary;
}

FormDataParser::FormDataParser(const std::string& boundary, FileBegins file_begins, Sink sink)
    : delimiter_("\r\n--" + boundary),
      file_begins_(std::move(file_begins)),
      sink_(std::move(sink)),
      buffer_("\r\n") {}

Status FormDataParser::Take(std::string_view piece) {
  if (state_ == State::kDone) return Status();
  buffer_ += piece;
  while (true) {
    const Result<bool> is_done = Step();
    if (!is_done.ok()) return is_done.status();
    if (!is_done.value()) return Status();
  }
}

Result<bool> FormDataParser::Step() {
  switch (state_) {
    case State::kPart: return BeginPart();
    case State::kHeaders: return TakeHeaders();
    case State::kField: return TakeField();
    case State::kFile: return TakeFile();
    default: buffer_.clear(); return false;
  }
}

Result<bool> FormDataParser::BeginPart() {
  const size_t needed = delimiter_.size() + 2;
  if (!std::string_view(buffer_).starts_with(
          std::string_view(delimiter_).substr(0, buffer_.size()))) {
    return Malformed("a part does not begin with the boundary");
  }
  if (buffer_.size() < needed) return false;
  const std::string_view behind = std::string_view(buffer_).substr(delimiter_.size(), 2);
  if (behind == "--") return Malformed("there is no field 'file'");
  if (behind != "\r\n") return Malformed("a boundary is not on its own line");
  // One line end is left, so that a part without headers ends as the others do.
  buffer_.erase(0, delimiter_.size());
  state_ = State::kHeaders;
  return true;
}

Result<bool> FormDataParser::TakeHeaders() {
  const size_t end = buffer_.find(kBlankLine);
  if (end == std::string::npos) {
    if (buffer_.size() > kMostHeaderBytes) return Malformed("the headers of a part are too long");
    return false;
  }
  if (end > kMostHeaderBytes) return Malformed("the headers of a part are too long");
  const std::string headers = end < 2 ? "" : buffer_.substr(2, end - 2);
  buffer_.erase(0, end + kBlankLine.size());
  const std::string disposition = HeaderIn(headers, "content-disposition");
  const auto name = ParameterOf(disposition, "name");
  if (!name || name->empty()) return Malformed("a part has no name");
  name_ = LowerAscii(*name);
  field_bytes_ += headers.size();
  if (name_ != "file") {
    if (fields_.size() == kMostFields) return Malformed("there are too many fields");
    state_ = State::kField;
    return true;
  }
  file_name_ = ParameterOf(disposition, "filename").value_or("");
  file_name_.erase(0, file_name_.find_last_of("/\\") + 1);
  if (const Status status = file_begins_(); !status.ok()) return status;
  state_ = State::kFile;
  return true;
}

Result<bool> FormDataParser::TakeField() {
  const size_t end = buffer_.find(delimiter_);
  const size_t size = end == std::string::npos ? buffer_.size() : end;
  if (field_bytes_ + size > kMostFieldBytes) return Malformed("the fields are too long");
  if (end == std::string::npos) return false;
  field_bytes_ += size;
  fields_.emplace_back(name_, buffer_.substr(0, end));
  buffer_.erase(0, end);
  state_ = State::kPart;
  return true;
}

Result<bool> FormDataParser::TakeFile() {
  const size_t end = buffer_.find(delimiter_);
  // What may be the beginning of the delimiter stays.
  const size_t kept = delimiter_.size() - 1;
  const size_t sure = end != std::string::npos ? end
                      : buffer_.size() > kept  ? buffer_.size() - kept
                                               : 0;
  if (sure > 0) {
    if (const Status status = sink_(std::string_view(buffer_).substr(0, sure)); !status.ok()) {
      return status;
    }
    buffer_.erase(0, sure);
  }
  if (end == std::string::npos) return false;
  state_ = State::kDone;
  return true;
}

}  // namespace warden::s3
