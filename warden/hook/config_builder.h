#ifndef WARDEN_HOOK_CONFIG_BUILDER_H_
#define WARDEN_HOOK_CONFIG_BUILDER_H_

#include <string_view>

#include "warden/base/json.h"
#include "warden/base/status.h"
#include "warden/config/hook_config.h"

namespace warden::hook {

// A configuration file, put together piece by piece: what docs/reference/configuration.md lists.
// Each piece is checked at once, as the whole file would be; one that is refused changes nothing.
class ConfigBuilder {
 public:
  void SetFolder(std::string_view folder);
  // A whole file in place of everything before.
  Status SetText(std::string_view text);
  // One of HookParameters. A key that is not known is refused: in a file it may be meant for
  // somebody else, in a program it is a mistake.
  Status Set(std::string_view key, std::string_view value);
  void Include(std::string_view collection);
  // One of a collection's CollectionParameters.
  Status SetFor(std::string_view collection, std::string_view key, std::string_view value);
  Status AddPattern(std::string_view collection, std::string_view pattern);

  Result<config::HookConfig> Build(config::Framework framework) const;

 private:
  Status Take(Json changed);

  Json json_ = Json::object();
};

}  // namespace warden::hook

#endif  // WARDEN_HOOK_CONFIG_BUILDER_H_
