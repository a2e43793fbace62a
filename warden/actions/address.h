#ifndef WARDEN_ACTIONS_ADDRESS_H_
#define WARDEN_ACTIONS_ADDRESS_H_

// Which addresses, numbers and names are accepted from users. What passes is safe to put into a
// header, a form or a message as it is. Used where configurations are read: action_config.h,
// settings.h and the receivers of the service's events. Pure functions.

#include <string_view>

namespace warden::actions {

// "name@host.example": one address in plain ASCII of at most 254 characters, without a display
// name, quotes or white space; the host has at least one dot. Wider than the original's check,
// which refuses dots and capitals in the name; whatever passes is safe to put into a mail's header.
bool IsEmailAddress(std::string_view text);

// E.164: '+' and 7 to 15 digits.
bool IsPhoneNumber(std::string_view text);

// What the original accepts as the beginning of a job's name: letters, digits and '-', at least
// one.
bool IsJobPrefix(std::string_view text);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_ADDRESS_H_
