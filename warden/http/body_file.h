#ifndef WARDEN_HTTP_BODY_FILE_H_
#define WARDEN_HTTP_BODY_FILE_H_

#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/http/message.h"

namespace warden::http {

// A part of a file that is being sent.
class BodyFile {
 public:
  // kNotFound, kIo; kInvalid if it is no regular file or shorter than that.
  static Result<std::unique_ptr<BodyFile>> Open(const FileBody& body);
  ~BodyFile();
  BodyFile(const BodyFile&) = delete;
  BodyFile& operator=(const BodyFile&) = delete;

  uint64_t left() const { return left_; }
  // The next piece, at most as long as the text, which is cut to it. False: there is less than was
  // told, or the disk fails.
  bool Read(std::string* piece);

 private:
  BodyFile(int file, const FileBody& body)
      : file_(file), offset_(body.offset), left_(body.length) {}

  const int file_;
  uint64_t offset_;
  uint64_t left_;
};

}  // namespace warden::http

#endif  // WARDEN_HTTP_BODY_FILE_H_
