#ifndef WARDEN_SERVICE_S3_LIST_ANSWER_H_
#define WARDEN_SERVICE_S3_LIST_ANSWER_H_

#include "warden/service/http/message.h"
#include "warden/service/s3/request.h"

namespace warden::service {

// ListObjects and ListObjectsV2 ("list-type=2").
Response AnswerList(const S3Request& request);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_S3_LIST_ANSWER_H_
