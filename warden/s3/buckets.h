#ifndef WARDEN_S3_BUCKETS_H_
#define WARDEN_S3_BUCKETS_H_

#include "warden/http/message.h"
#include "warden/s3/request.h"

namespace warden::s3 {

http::Response ListBuckets(const S3Request& request);
http::Response CreateBucket(const S3Request& request);
http::Response HeadBucket(const S3Request& request);
http::Response DeleteBucket(const S3Request& request);
http::Response GetBucketLocation(const S3Request& request);

}  // namespace warden::s3

#endif  // WARDEN_S3_BUCKETS_H_
