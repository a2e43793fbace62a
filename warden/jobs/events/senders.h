#ifndef WARDEN_JOBS_EVENTS_SENDERS_H_
#define WARDEN_JOBS_EVENTS_SENDERS_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "warden/jobs/events/receivers.h"
#include "warden/os/secret.h"

namespace warden::jobs {

// Posts the event, with the headers of actions' webhooks: Idempotency-Key, and X-Warden-Signature
// if there is a secret.
std::unique_ptr<EventSender> NewWebhookSender(std::string url, os::Secret secret);

// Runs a program with the event on its standard input, within a minute, and WARDEN_EVENT_ID,
// WARDEN_EVENT_NUMBER, WARDEN_EVENT_TYPE, WARDEN_JOB and AWS_ENDPOINT_URL in its environment beside
// the variables given.
std::unique_ptr<EventSender> NewCommandSender(
    std::vector<std::string> words, std::vector<std::pair<std::string, std::string>> variables);

// Adds the event to a file, as a line.
std::unique_ptr<EventSender> NewFileSender(std::string path);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_SENDERS_H_
