#ifndef WARDEN_S3_BUCKETS_H_
#define WARDEN_S3_BUCKETS_H_

// Operations on buckets. A bucket is a folder in DATA/s3; buckets belong to the service, not to an
// account, so all keys see all of them.

#include "warden/http/message.h"
#include "warden/s3/request.h"

namespace warden::s3 {

// All buckets, sorted by name.
http::Response ListBuckets(const S3Request& request);
// Ok if it exists already and the request is for us-east-1, else 409 BucketAlreadyOwnedByYou, as at
// Amazon.
http::Response CreateBucket(const S3Request& request);
// Whether it exists was checked before (S3Request).
http::Response HeadBucket(const S3Request& request);
// 409 BucketNotEmpty if there is any object in it.
http::Response DeleteBucket(const S3Request& request);
// The region is that of the request's signature: the service has no other.
http::Response GetBucketLocation(const S3Request& request);

}  // namespace warden::s3

#endif  // WARDEN_S3_BUCKETS_H_
