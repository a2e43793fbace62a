#ifndef WARDEN_REPORT_HTML_TEXT_H_
#define WARDEN_REPORT_HTML_TEXT_H_

// Text and data in an HTML page. Names of tensors, rules and files come from anywhere, so that
// everything a report shows goes through here. Pure functions.

#include <string>
#include <string_view>

#include "warden/base/json_fwd.h"

namespace warden::report {

// The text for use between tags and within quoted attributes (not in scripts, styles or URLs). What
// is not UTF-8, control characters and marks that change the direction of writing become U+FFFD.
void AppendEscaped(std::string_view text, std::string* html);
std::string Escaped(std::string_view text);

// The value as the content of a <script type="application/json">: ASCII without '<', '>' and '&',
// so that nothing in it can end the element. Numbers that are not finite become null, and hidden
// characters U+FFFD.
std::string JsonForScript(const Json& value);

}  // namespace warden::report

#endif  // WARDEN_REPORT_HTML_TEXT_H_
