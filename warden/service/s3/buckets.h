#ifndef WARDEN_SERVICE_S3_BUCKETS_H_
#define WARDEN_SERVICE_S3_BUCKETS_H_

#include "warden/service/http/message.h"
#include "warden/service/s3/request.h"

namespace warden::service {

Response ListBuckets(const S3Request& request);
Response CreateBucket(const S3Request& request);
Response HeadBucket(const S3Request& request);
Response DeleteBucket(const S3Request& request);
Response GetBucketLocation(const S3Request& request);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_S3_BUCKETS_H_
