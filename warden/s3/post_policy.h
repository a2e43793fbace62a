#ifndef WARDEN_S3_POST_POLICY_H_
#define WARDEN_S3_POST_POLICY_H_

// What a signed form may be used for: its policy, a JSON document in base64 that its maker has
// signed. Used by post.h.
//
//   {"expiration": "2026-11-17T12:00:00Z",
//    "conditions": [{"bucket": "demo"}, ["starts-with", "$key", "user/"],
//                   ["content-length-range", 0, 1048576], {"x-amz-meta-tag": "a"}]}

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "warden/base/text/uri.h"
#include "warden/base/time.h"
#include "warden/s3/s3_error.h"

namespace warden::s3 {

// How many bytes a file may have, by the policy.
struct SizeRange {
  uint64_t least = 0;
  uint64_t most = UINT64_MAX;
};

// Whether a form keeps to its policy. fields: those before the file, with names in lower case, and
// "bucket" and the final "key" as the form will be carried out. Every field must be named by a
// condition, so that nobody can add any; only signature, policy and x-ignore-* are free. Sets
// *range. 403 AccessDenied, in S3's words, if it does not; 400 InvalidPolicyDocument if the policy
// cannot be read.
std::optional<S3Error> CheckPolicy(std::string_view policy, const QueryPairs& fields, Time now,
                                   SizeRange* range);

}  // namespace warden::s3

#endif  // WARDEN_S3_POST_POLICY_H_
