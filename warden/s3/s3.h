#ifndef WARDEN_S3_S3_H_
#define WARDEN_S3_S3_H_

// The entrance of this part: the objects of the service, over plain files (see README.md). The
// service makes one handler and routes everything to it that is neither an API call nor the
// dashboard:
//
//   auto s3 = s3::MakeS3(&options, authenticator.get());
//   auto router = http::MakeRouter({{{&http::IsApiCall, api.get()}}, /*fallback=*/s3.get()});

#include <memory>

#include "warden/auth/authenticator.h"
#include "warden/http/message.h"
#include "warden/service/options.h"

namespace warden::s3 {

// Returns a handler for S3's requests (path style: "/bucket/key") that boto3, the aws CLI and the
// SageMaker SDK send. It authenticates each request (Scope::kRead for GET and HEAD, else kWrite)
// and answers errors as S3's XML documents; operations that are missing here are answered 501
// NotImplemented. Safe for many threads.
//
// Neither argument is owned; both outlive it. Removes what an earlier service left half-written in
// the folder of uploads, so only one may run on a data folder (see service::DataFolder).
std::unique_ptr<http::Handler> MakeS3(const service::ServiceOptions* options,
                                      const auth::Authenticator* authenticator);

}  // namespace warden::s3

#endif  // WARDEN_S3_S3_H_
