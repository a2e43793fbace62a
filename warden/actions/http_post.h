#ifndef WARDEN_ACTIONS_HTTP_POST_H_
#define WARDEN_ACTIONS_HTTP_POST_H_

#include <stop_token>
#include <string>
#include <vector>

#include "warden/actions/action.h"
#include "warden/actions/settings.h"

namespace warden::actions {

struct HttpPost {
  std::string url;  // http or https; a redirection is not followed.
  std::vector<std::string> headers;
  std::string body;
  // Signs for this service of Amazon's ("sns"), with the keys of aws, which outlives this.
  std::string aws_service;
  const AwsSettings* aws = nullptr;
};

// Ok if the answer is 2xx. kUnavailable, with the time that the server asks for, if there was no
// answer or one of 429 and 5xx; kInvalid for any other. The message names the server, not the path.
Attempt Post(const HttpPost& post, const std::stop_token& stop);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_HTTP_POST_H_
