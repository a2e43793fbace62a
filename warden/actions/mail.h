#ifndef WARDEN_ACTIONS_MAIL_H_
#define WARDEN_ACTIONS_MAIL_H_

#include <chrono>
#include <string>

namespace warden::actions {

struct Mail {
  std::string from;  // Plain addresses, REQUIRES: IsEmailAddress.
  std::string to;
  std::string subject;
  std::string body;  // Lines end in '\n'.
  std::string id;    // Unique; the same for each try, so that mailboxes can drop a second copy.
  std::chrono::sys_seconds date;
};

// The message as it goes over the wire (RFC 5322, lines end in CR LF): subject and body may hold
// any text, which can neither add a header nor end the message; what is not UTF-8 is replaced.
std::string FormatMail(const Mail& mail);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_MAIL_H_
