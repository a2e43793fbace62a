#ifndef WARDEN_SERVICE_S3_S3_H_
#define WARDEN_SERVICE_S3_S3_H_

#include <memory>

#include "warden/service/auth/authenticator.h"
#include "warden/service/http/message.h"
#include "warden/service/options.h"

namespace warden::service {

// Answers S3's requests (path style) with the files below the data folder's objects: what boto3,
// the aws CLI and the SageMaker SDK use. The arguments outlive it.
std::unique_ptr<Handler> MakeS3(const ServiceOptions* options, const Authenticator* authenticator);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_S3_S3_H_
