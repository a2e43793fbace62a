#ifndef WARDEN_HOOK_CONFIG_BUILDER_H_
#define WARDEN_HOOK_CONFIG_BUILDER_H_

#include <string_view>

#include "warden/base/json.h"
#include "warden/base/status.h"
#include "warden/config/hook_config.h"

namespace warden::hook {

// A configuration file, put together piece by piece: what docs/reference/configuration.md lists.
// The inside of wd_options. Each piece is checked at once, as the whole file would be; one that is
// refused changes nothing. For one thread at a time.
//
//   ConfigBuilder config;
//   config.SetFolder("runs/1");
//   Status set = config.Set("save_interval", "10");
//   config.Include("weights");
//   const auto built = config.Build(config::Framework::kPlain);
//
// Errors are those of config::ParseHookConfig: kInvalid, kInvalidType or kCorrupt, naming the key,
// the value and what is accepted. Texts must be UTF-8 (arguments.h).
class ConfigBuilder {
 public:
  // The run's folder or URL; not empty. Not looked at before the hook is made.
  void SetFolder(std::string_view folder);
  // A whole file in place of everything before.
  Status SetText(std::string_view text);
  // One of HookParameters, in place of an earlier value. A key that is not known is refused with
  // kInvalid: in a file it may be meant for somebody else, in a program it is a mistake.
  Status Set(std::string_view key, std::string_view value);
  // Has a collection saved. One that is not built in needs a pattern (AddPattern) before the hook
  // is made.
  void Include(std::string_view collection);
  // One of a collection's CollectionParameters; includes the collection.
  Status SetFor(std::string_view collection, std::string_view key, std::string_view value);
  // Another pattern for a collection, which is included; one pattern, commas and all.
  Status AddPattern(std::string_view collection, std::string_view pattern);

  // The configuration so far, with the framework's defaults. May be called more than once.
  Result<config::HookConfig> Build(config::Framework framework) const;

 private:
  Status Take(Json changed);

  Json json_ = Json::object();
};

}  // namespace warden::hook

#endif  // WARDEN_HOOK_CONFIG_BUILDER_H_
