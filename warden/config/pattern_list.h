#ifndef WARDEN_CONFIG_PATTERN_LIST_H_
#define WARDEN_CONFIG_PATTERN_LIST_H_

#include <string>
#include <string_view>
#include <vector>

namespace warden::config {

// The patterns of a comma string, as configurations and the parameters of rules have it, trimmed,
// empty ones left out. A comma that belongs to a pattern, in a group, a character class, a
// quantifier as {1,2} or after a backslash, does not separate. Never fails: patterns are not
// compiled here, and one with an open bracket takes the rest of the text.
std::vector<std::string> SplitPatterns(std::string_view text);

}  // namespace warden::config

#endif  // WARDEN_CONFIG_PATTERN_LIST_H_
