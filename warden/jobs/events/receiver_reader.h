#ifndef WARDEN_JOBS_EVENTS_RECEIVER_READER_H_
#define WARDEN_JOBS_EVENTS_RECEIVER_READER_H_

// Parses the receivers of events.json; see receivers.h for the format.

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
  // the member.
  Result<std::vector<Receiver>> Read(const Json& json) const;

 private:
  Result<std::unique_ptr<EventSender>> ReadSender(const Json& json) const;
  // One for each address, with its own cursor: a server that refuses one of them, or wants it
  // later, does not delay the others, nor cause them to be sent twice.
  Result<std::vector<Receiver>> OfMail(const Json& mail, const Receiver& like) const;

  const service::ServiceOptions& options_;
  // What a handler written for Amazon's clients needs to reach this service, but for its address.
  const std::vector<std::pair<std::string, std::string>> variables_;
  const actions::SmtpSettings& smtp_;
  JobStore* const store_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_RECEIVER_READER_H_
