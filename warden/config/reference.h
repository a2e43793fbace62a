#ifndef WARDEN_CONFIG_REFERENCE_H_
#define WARDEN_CONFIG_REFERENCE_H_

#include <string>

namespace warden::config {

// docs/reference/configuration.md: every key of a hook configuration with type, default and
// meaning, from the tables that the parser works with.
std::string ConfigurationReference();

}  // namespace warden::config

#endif  // WARDEN_CONFIG_REFERENCE_H_
