#ifndef WARDEN_ACTIONS_HTTP_POST_H_
#define WARDEN_ACTIONS_HTTP_POST_H_

// One HTTP request with a body, for the actions that talk to a server: webhooks, Amazon's services,
// and the event receivers of the service. Bounded in time; interrupted by a stop.

#include <stop_token>
#include <string>
#include <vector>

#include "warden/actions/action.h"
#include "warden/actions/settings.h"

namespace warden::actions {

// What to send. A plain value; the strings are owned.
//
//   HttpPost post;
//   post.url = "https://hooks.example.com/abc";
//   post.headers = {"Content-Type: application/json"};
//   post.body = "{}";
//   const Attempt attempt = Post(post, stop);
struct HttpPost {
  // http or https; a redirection is not followed.
  std::string url;
  // "Name: value", without line ends: the caller makes sure that values hold none.
  std::vector<std::string> headers;
  std::string body;
  // If aws is set, the request is signed for this service of Amazon's ("sns"), with the keys of
  // aws, which outlives the call of Post and is not owned.
  std::string aws_service;
  const AwsSettings* aws = nullptr;
};

// Blocks until there is an answer. Ok if it is 2xx. kUnavailable, with the time that the server
// asks for, if there was no answer or one of 429 and 5xx, if Amazon throttles, or if a stop was
// requested; kInvalid for any other. The message names the server, not the path, which may be a
// secret, and quotes the beginning of the answer. Safe for many threads.
Attempt Post(const HttpPost& post, const std::stop_token& stop);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_HTTP_POST_H_
