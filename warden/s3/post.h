#ifndef WARDEN_S3_POST_H_
#define WARDEN_S3_POST_H_

// PostObject: a file that a browser sends with a form which somebody else has signed
// (generate_presigned_post in boto3).

#include <memory>

#include "warden/auth/authenticator.h"
#include "warden/http/message.h"
#include "warden/service/options.h"

namespace warden::s3 {

// Whether this is such a form: who sent it is known only from its body.
bool IsForm(const http::RequestHead& head);

// Returns an exchange that takes the form and stores its file. Nothing is stored before the fields,
// which come first, were found to be signed by a key with Scope::kWrite and to keep to their policy
// (post_policy.h). Answers 204, or what the field success_action_status or success_action_redirect
// says. Errors as of PutObject, and those of the policy; 400 EntityTooSmall or EntityTooLarge if
// the file is not within the policy's range. Neither argument is owned.
std::unique_ptr<http::Exchange> PostObject(const http::RequestHead& head,
                                           const service::ServiceOptions* options,
                                           const auth::Authenticator* authenticator);

}  // namespace warden::s3

#endif  // WARDEN_S3_POST_H_
