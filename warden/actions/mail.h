#ifndef WARDEN_ACTIONS_MAIL_H_
#define WARDEN_ACTIONS_MAIL_H_

// The text of a mail. Used by the email action and by the service's events for mail; smtp.h sends
// it.

#include <chrono>
#include <string>

namespace warden::actions {

// A mail to one recipient, in plain text.
struct Mail {
  // Plain addresses, REQUIRES: IsEmailAddress: they are put into the header as they are.
  std::string from;
  std::string to;
  std::string subject;
  std::string body;  // Lines end in '\n'.
  std::string id;    // Unique; the same for each try, so that mailboxes can drop a second copy.
  std::chrono::sys_seconds date;
};

// The message as it goes over the wire (RFC 5322, lines end in CR LF): subject and body may hold
// any text, which can neither add a header nor end the message; what is not UTF-8 is replaced. id
// is copied into the Message-ID, with the host of from: only letters, digits, '-' and '.' are safe
// there.
std::string FormatMail(const Mail& mail);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_MAIL_H_
