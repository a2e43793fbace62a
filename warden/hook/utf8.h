#ifndef WARDEN_HOOK_UTF8_H_
#define WARDEN_HOOK_UTF8_H_

#include <string_view>

namespace warden::hook {

// Whether all of the text is well-formed: manifests and indices are JSON, which has no room for
// other bytes.
bool IsUtf8(std::string_view text);

}  // namespace warden::hook

#endif  // WARDEN_HOOK_UTF8_H_
