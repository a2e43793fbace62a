#ifndef WARDEN_JOBS_EVENTS_RECEIVER_READER_H_
#define WARDEN_JOBS_EVENTS_RECEIVER_READER_H_

// Parses the receivers of events.json; see receivers.h for the format. Reads secrets from their
// files at once, so that a wrong path is an error when the service starts and not at the first
// event.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "warden/jobs/events/receivers.h"

namespace warden::jobs {

// Reads the elements of the list of receivers (LoadReceivers, which is its only user).
class ReceiverReader {
 public:
  // Nothing is copied: options and smtp outlive it, and store outlives the receivers.
  ReceiverReader(const service::ServiceOptions& options, const actions::SmtpSettings& smtp,
                 JobStore* store);

  // Returns the receivers of one element: one, or for mails one for each address. kInvalid names
  // the member. Exactly one of webhook, command, file and mail must be there; unknown members are
  // refused, since a typo would otherwise change what is sent. Not sent anywhere yet: a webhook
  // that nobody answers is found out by its first event.
  Result<std::vector<Receiver>> Read(const Json& json) const;

 private:
  Result<std::unique_ptr<EventSender>> ReadSender(const Json& json) const;
  // One for each address, with its own cursor: a server that refuses one of them, or wants it
  // later, does not delay the others, nor cause them to be sent twice. At most 50 addresses.
  // kInvalid as well if the service has no mail server configured.
  Result<std::vector<Receiver>> OfMail(const Json& mail, const Receiver& like) const;

  const service::ServiceOptions& options_;
  // What a handler written for Amazon's clients needs to reach this service, but for its address.
  const std::vector<std::pair<std::string, std::string>> variables_;
  const actions::SmtpSettings& smtp_;
  JobStore* const store_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_RECEIVER_READER_H_
