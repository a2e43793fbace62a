#ifndef WARDEN_S3_S3_H_
#define WARDEN_S3_S3_H_

#include <memory>

#include "warden/auth/authenticator.h"
#include "warden/http/message.h"
#include "warden/service/options.h"

namespace warden::s3 {

// Answers S3's requests (path style) with the files below the data folder's objects: what boto3,
// the aws CLI and the SageMaker SDK use. The arguments outlive it.
std::unique_ptr<http::Handler> MakeS3(const service::ServiceOptions* options,
                                      const auth::Authenticator* authenticator);

}  // namespace warden::s3

#endif  // WARDEN_S3_S3_H_
