#ifndef WARDEN_HTTP_BODY_FILE_H_
#define WARDEN_HTTP_BODY_FILE_H_

// Reads the file of a response while it is sent (FileBody in message.h). Connections use it so that
// a large object takes one buffer of memory, not its size.

#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/http/message.h"

namespace warden::http {

// A range of an open file. Later changes of the path do not matter; a file that shrinks does. For
// one thread at a time; reading blocks.
class BodyFile {
 public:
  // Opens the file and checks the range. kNotFound, kIo: cannot be opened. kInvalid: not a regular
  // file, or shorter than offset + length. Never waits for a pipe or a device.
  static Result<std::unique_ptr<BodyFile>> Open(const FileBody& body);
  ~BodyFile();
  BodyFile(const BodyFile&) = delete;
  BodyFile& operator=(const BodyFile&) = delete;

  // Bytes of the range that were not read yet.
  uint64_t left() const { return left_; }
  // Reads the next bytes, at most piece->size() of them, and cuts the piece to what was read.
  // REQUIRES: left() > 0, piece not empty. False: the file has become shorter, or the disk fails;
  // the response cannot be completed then.
  bool Read(std::string* piece);

 private:
  BodyFile(int file, const FileBody& body)
      : file_(file), offset_(body.offset), left_(body.length) {}

  const int file_;   // Closed by the destructor.
  uint64_t offset_;  // Of the next byte to read.
  uint64_t left_;    // Bytes of the range after it.
};

}  // namespace warden::http

#endif  // WARDEN_HTTP_BODY_FILE_H_
