#include "warden/s3/buckets.h"

#include <string>

#include "warden/base/time.h"
#include "warden/net/xml.h"
#include "warden/s3/documents.h"
#include "warden/s3/object_files.h"

namespace warden::s3 {
namespace {

// The region that has no name where one is asked for.
constexpr std::string_view kFirstRegion = "us-east-1";

}  // namespace

http::Response ListBuckets(const S3Request& request) {
  const Result<std::vector<BucketInfo>> buckets = FilesOf(request).Buckets();
  if (!buckets.ok()) return ErrorResponse(FromStatus(buckets.status()), request.head);
  net::XmlWriter xml;
  xml.Open("ListAllMyBucketsResult", kS3Namespace);
  WriteOwner(request, "Owner", &xml);
  xml.Open("Buckets");
  for (const BucketInfo& bucket : buckets.value()) {
    if (!request.identity.limits.AllowBucket(bucket.name)) continue;
    xml.Open("Bucket")
        .Leaf("Name", bucket.name)
        .Leaf("CreationDate", IsoTime(bucket.created))
        .Close("Bucket");
  }
  xml.Close("Buckets").Close("ListAllMyBucketsResult");
  return XmlResponse(xml.text());
}

http::Response CreateBucket(const S3Request& request) {
  const Status made = FilesOf(request).MakeBucket(request.bucket);
  // As at Amazon: there, making it again is an error only outside of the oldest region.
  const bool again = made.code() == Code::kExists;
  if (again && request.identity.region != kFirstRegion) {
    return ErrorResponse({409, "BucketAlreadyOwnedByYou",
                          "Your previous request to create the named bucket succeeded and you "
                          "already own it."},
                         request.head);
  }
  if (!made.ok() && !again) return ErrorResponse(FromStatus(made), request.head);
  http::Response response;
  response.headers.emplace_back("Location", "/" + request.bucket);
  return response;
}

http::Response HeadBucket(const S3Request& request) {
  http::Response response;
  response.headers.emplace_back("x-amz-bucket-region", request.identity.region);
  response.headers.emplace_back("Content-Type", "application/xml");
  return response;
}

http::Response DeleteBucket(const S3Request& request) {
  const Status removed = FilesOf(request).RemoveBucket(request.bucket);
  if (removed.code() == Code::kExists) {
    return ErrorResponse({409, "BucketNotEmpty", "The bucket you tried to delete is not empty"},
                         request.head);
  }
  if (!removed.ok()) return ErrorResponse(FromStatus(removed), request.head);
  http::Response response;
  response.status = 204;
  return response;
}

http::Response GetBucketLocation(const S3Request& request) {
  net::XmlWriter xml;
  xml.Open("LocationConstraint", kS3Namespace);
  std::string document = xml.text();
  if (request.identity.region != kFirstRegion) document += request.identity.region;
  return XmlResponse(document + "</LocationConstraint>");
}

}  // namespace warden::s3
