#ifndef WARDEN_S3_OBJECT_META_H_
#define WARDEN_S3_OBJECT_META_H_

// What is known of an object besides its bytes, and where it is kept.

#include <sys/stat.h>

#include <string>

#include "warden/base/status.h"
#include "warden/http/message.h"

namespace warden::s3 {

// Kept in an extended attribute of the file (user.tensorwarden.object), so that it is moved,
// replaced and removed together with the file in one step, and needs no other file. It says which
// size and time of change (nanoseconds since 1970) it was written for; once a program has written
// to the file it no longer counts:
//
//   {"size": 3, "changed": 1763251200000000000, "etag": "900150983cd24fb0d6963f7d28e17f72",
//    "headers": {"content-type": "text/plain", "x-amz-meta-author": "me"}}
struct ObjectMeta {
  std::string etag;       // Without quotation marks: an MD5, or digits with "-N" behind them.
  http::Headers headers;  // Content-Type, x-amz-meta-* and the like, as they were sent.
};

// Returns the headers of a request that are kept with the object: Content-Type and five others, and
// x-amz-meta-*; names in lower case, values as valid UTF-8. kInvalid if x-amz-meta-* has more than
// 2 KB or all of them more than 3 KB.
Result<http::Headers> KeptHeaders(const http::RequestHead& head);

// Writes it to an open file that is complete: later writes make it invalid. On a file system
// without attributes it is lost, with a warning in the log; kInvalid then if it has x-amz-meta-*,
// which clients count on. kIo.
Status WriteMeta(int fd, const ObjectMeta& meta);

// Returns what was written to a file. If nothing was, or it no longer counts: an ETag that changes
// with the file and ends in "-1", so that clients do not take it for an MD5. info: the file's
// stat().
ObjectMeta ReadMeta(int fd, const struct stat& info);
// The same for a file in an open folder, without opening the file. info: as lstat() returns it.
ObjectMeta ReadMetaAt(int folder, const std::string& name, const struct stat& info);

}  // namespace warden::s3

#endif  // WARDEN_S3_OBJECT_META_H_
