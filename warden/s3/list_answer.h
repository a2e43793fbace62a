#ifndef WARDEN_S3_LIST_ANSWER_H_
#define WARDEN_S3_LIST_ANSWER_H_

// ListObjects of S3: reads the request's parameters, lists (list.h) and writes the XML document.

#include "warden/http/message.h"
#include "warden/s3/request.h"

namespace warden::s3 {

// Answers ListObjects and ListObjectsV2 ("list-type=2"), at most 1,000 keys a page. 400
// InvalidArgument for a bad max-keys, encoding-type or continuation-token; 404 NoSuchBucket. Tokens
// name the last key, so they stay valid across restarts and changes of the bucket.
http::Response AnswerList(const S3Request& request);

}  // namespace warden::s3

#endif  // WARDEN_S3_LIST_ANSWER_H_
