#ifndef WARDEN_JOBS_EVENTS_SENDERS_H_
#define WARDEN_JOBS_EVENTS_SENDERS_H_

// The ways in which events are delivered, except for mail (mail_sender.h). Made by ReceiverReader.
// The contracts are those of EventSender.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "warden/jobs/events/receivers.h"
#include "warden/os/secret.h"

namespace warden::jobs {

// Posts the event as JSON, with the headers of actions' webhooks: Idempotency-Key, and
// X-Warden-Signature (HMAC-SHA256 of the body) unless the secret is empty.
std::unique_ptr<EventSender> NewWebhookSender(std::string url, os::Secret secret);

// Runs a program with the event on its standard input, for a minute at most, with WARDEN_EVENT_ID,
// WARDEN_EVENT_NUMBER, WARDEN_EVENT_TYPE, WARDEN_JOB and AWS_ENDPOINT_URL in its environment
// besides the given variables. Exit code 75 means: try again later (os::RunCommand).
std::unique_ptr<EventSender> NewCommandSender(
    std::vector<std::string> words, std::vector<std::pair<std::string, std::string>> variables);

// Appends the event to a file, as one line; the file is created if it is missing (mode 0600). All
// errors are kUnavailable: disks become free again.
std::unique_ptr<EventSender> NewFileSender(std::string path);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_SENDERS_H_
