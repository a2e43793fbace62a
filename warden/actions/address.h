#ifndef WARDEN_ACTIONS_ADDRESS_H_
#define WARDEN_ACTIONS_ADDRESS_H_

#include <string_view>

namespace warden::actions {

// "name@host.example": one address in plain ASCII, without a display name, quotes or white space.
// Wider than the original's check, which refuses dots and capitals in the name; whatever passes is
// safe to put into a mail's header.
bool IsEmailAddress(std::string_view text);

// E.164: '+' and 7 to 15 digits.
bool IsPhoneNumber(std::string_view text);

// What the original accepts as the beginning of a job's name: letters, digits and '-'.
bool IsJobPrefix(std::string_view text);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_ADDRESS_H_
