#ifndef WARDEN_S3_OBJECT_META_H_
#define WARDEN_S3_OBJECT_META_H_

#include <sys/stat.h>

#include <string>

#include "warden/base/status.h"
#include "warden/http/message.h"

namespace warden::s3 {

// What is known of an object beside its bytes. It is kept in an extended attribute of the file: so
// it comes and goes with the file in one step, and costs no file of its own. It says which size and
// time of change it was written for; once a program has written to the file it no longer counts.
struct ObjectMeta {
  std::string etag;       // Without quotation marks.
  http::Headers headers;  // Content-Type, x-amz-meta-* and the like, as they were sent.
};

// Of the headers of a request those that are kept. kInvalid if they are too many.
Result<http::Headers> KeptHeaders(const http::RequestHead& head);

// Keeps it with an open file that nobody writes to any more. On a file system without attributes
// it is lost, and told in the log: kInvalid if it held x-amz-meta-*, which clients count on.
Status WriteMeta(int fd, const ObjectMeta& meta);

// What was kept with a file; if nothing was, an ETag that changes with the file (and does not look
// like an MD5, which it is not).
ObjectMeta ReadMeta(int fd, const struct stat& info);
// The same for a file of an opened folder.
ObjectMeta ReadMetaAt(int folder, const std::string& name, const struct stat& info);

}  // namespace warden::s3

#endif  // WARDEN_S3_OBJECT_META_H_
