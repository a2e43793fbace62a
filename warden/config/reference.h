#ifndef WARDEN_CONFIG_REFERENCE_H_
#define WARDEN_CONFIG_REFERENCE_H_

#include <string>

namespace warden::config {

// The text of docs/reference/configuration.md: every key of a hook configuration with type, default
// and meaning, from the tables that the parser works with (keys.h). `warden doctor
// --print-config-reference` prints it; a test compares it with the file, so that the page cannot
// fall behind the code.
std::string ConfigurationReference();

}  // namespace warden::config

#endif  // WARDEN_CONFIG_REFERENCE_H_
