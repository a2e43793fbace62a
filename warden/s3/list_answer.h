#ifndef WARDEN_S3_LIST_ANSWER_H_
#define WARDEN_S3_LIST_ANSWER_H_

#include "warden/http/message.h"
#include "warden/s3/request.h"

namespace warden::s3 {

// ListObjects and ListObjectsV2 ("list-type=2").
http::Response AnswerList(const S3Request& request);

}  // namespace warden::s3

#endif  // WARDEN_S3_LIST_ANSWER_H_
