#ifndef WARDEN_S3_REQUEST_H_
#define WARDEN_S3_REQUEST_H_

// A request to S3 after it was authenticated and understood, as s3.cc passes it to the operations.
// The operations are functions from an S3Request to a response (get.h, put.h, list_answer.h, ...):
// they run on threads of the server, keep no state and may block on disks.

#include <optional>
#include <string>
#include <string_view>

#include "warden/auth/authenticator.h"
#include "warden/base/text/uri.h"
#include "warden/http/message.h"
#include "warden/s3/s3_error.h"
#include "warden/service/options.h"

namespace warden::s3 {

// In object_files.h.
class ObjectFiles;

// A request that was understood and may be answered: its sender has the scope, and its bucket
// existed when it arrived (unless the request creates it). Operations copy it into their exchanges.
struct S3Request {
  http::RequestHead head;                            // As it was sent.
  auth::Identity identity;                           // Who sent it.
  const service::ServiceOptions* options = nullptr;  // Not owned; outlives all requests.
  std::string bucket;                                // A valid name. Empty: all buckets.
  std::string key;   // UTF-8, at most kMaxKey bytes. Empty: the bucket.
  QueryPairs query;  // Decoded, in the order sent.

  // Whether the query has this name, with a value or without. Names are case-sensitive.
  bool Asks(std::string_view name) const;
  // The first value of this name; empty if there is none. Valid as long as the request.
  std::string_view Parameter(std::string_view name) const;
};

// The objects of the service that the request was sent to.
ObjectFiles FilesOf(const S3Request& request);

// Sets bucket, key and query of *request from the path and query that were sent. Errors (400):
// InvalidURI if they are not well-formed or not UTF-8, InvalidBucketName, KeyTooLongError.
std::optional<S3Error> ReadTarget(const http::RequestHead& head, S3Request* request);

}  // namespace warden::s3

#endif  // WARDEN_S3_REQUEST_H_
