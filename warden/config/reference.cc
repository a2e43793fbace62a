
#include <fmt/format.h>

#include <span>
#include <string_view>

#include "warden/config/keys.h"

namespace warden::config {
namespace {

constexpr std::string_view kIntroduction = R"(# Hook configuration

<!-- Made by `build/bin/warden doctor --print-config-reference`; edit the tables in warden/config. -->

One JSON file defines what a hook saves, and when:

```json
{
  "LocalPath": "/data/run1",
  "HookParameters": {"save_interval": 50, "eval.save_interval": 5, "include_workers": "all"},
  "CollectionConfigurations": [
    {
      "CollectionName": "gradients",
      "CollectionParameters": {"train.save_interval": 10, "reductions": "mean,abs_max,l2_norm"}
    },
    {
      "CollectionName": "activations",
      "CollectionParameters": {"include_regex": "relu_output,tanh_output"}
    }
  ]
}
```

The whole file is validated before the hook is created. One invalid value is an error that names the
key, the value and what is expected. A parameter that is `null` counts as not set. An unknown
parameter is ignored with a warning that names the most similar known key.
)";

constexpr std::string_view kResolution = R"(
Keys marked *by mode* can have the prefix `train.`, `eval.`, `predict.` or `global.`; they then apply
to that mode only. Each key is looked up separately, in this order; the first match is used:

1. the collection's key for the mode, e.g. `train.save_interval` in its `CollectionParameters`
2. the collection's plain key, e.g. `save_interval`
3. the hook's key for the mode, in `HookParameters`
4. the hook's plain key
5. the default

A collection thus inherits from the hook every setting that it does not define. `reductions` of a
collection replace the hook's, together with the hook's `save_raw_tensor` and `save_shape`.
)";

constexpr std::string_view kCollectionsNote = R"(
A collection that is not built in needs an `include_regex`, or tensors added by name in code; without
them it stays empty, and a warning says so. `all` holds every tensor, and with it every collection is
saved. `scalars` holds what `save_scalar` saves. Of a collection listed twice, the smaller
`save_interval` counts.

The collections `losses`, `metrics`, `sm_metrics`, `scalars`, `feature_importance`, `average_shap` and
`tensorflow_summaries` are always saved as full tensors, without reductions and histograms.
)";

std::string_view TypeText(ValueKind kind) {
  switch (kind) {
    case ValueKind::kText: return "string";
    case ValueKind::kBoolean: return "boolean";
    case ValueKind::kInterval:
    case ValueKind::kStep: return "integer";
    case ValueKind::kSteps: return "integers";
    case ValueKind::kReductions: return "reductions";
    case ValueKind::kPatterns: return "patterns";
    case ValueKind::kObject: return "object";
    case ValueKind::kList: return "list of objects";
  }
  return "";
}

// inherited: an own default stands in place of each key's.
void AppendRows(std::span<const KeySpec> keys, std::string_view inherited, std::string* out) {
  for (const KeySpec& key : keys) {
    *out += fmt::format("| `{}` | {}{} | {} | {} |\n", key.name, TypeText(key.kind),
                        key.by_mode ? ", *by mode*" : "",
                        inherited.empty() ? key.default_text : inherited, key.doc);
  }
}

void AppendTable(std::string_view title, std::string* out) {
  *out += fmt::format("\n## {}\n\n| key | type | default | meaning |\n| --- | --- | --- | --- |\n",
                      title);
}

void AppendTypes(std::string* out) {
  *out += "\n## Types\n\n| type | accepted |\n| --- | --- |\n";
  const auto row = [out](std::string_view type, std::string_view accepted) {
    *out += fmt::format("| {} | {} |\n", type, accepted);
  };
  row("integer",
      "an integer, as a number (`5`, `5.0`) or a string (`\"5\"`); at least 1 for `save_interval` "
      "and `save_seconds`, at least 0 for steps");
  row("boolean", "`true`, `false`, the same words as strings, 0 or 1");
  row("integers", AcceptedText(ValueKind::kSteps));
  row("reductions", AcceptedText(ValueKind::kReductions) +
                        "; `l1` and `l2` are short for `l1_norm` and `l2_norm`");
  row("patterns", AcceptedText(ValueKind::kPatterns) +
                      ", matched anywhere in a tensor's name; a comma inside `(...)`, `[...]` or "
                      "`{...}`, or after a backslash, is part of the pattern");
}

void AppendEnvironment(std::string* out) {
  *out += "\n## Environment\n\n| variable | default | meaning |\n| --- | --- | --- |\n";
  for (const EnvironmentVariable& variable : EnvironmentVariables()) {
    *out += fmt::format("| `{}` | {} | {} |\n", variable.name, variable.default_text, variable.doc);
  }
}

}  // namespace

std::string ConfigurationReference() {
  std::string out(kIntroduction);
  AppendTable("The file", &out);
  AppendRows(FileKeys(), "", &out);
  out +=
      "\nWithout `LocalPath`, tensors go to `S3OutputPath` if that is an `s3://` address. Other "
      "keys "
      "are ignored.\n";
  AppendTable("HookParameters", &out);
  AppendRows(SharedKeys(), "", &out);
  AppendRows(HookKeys(), "", &out);
  out += kResolution;
  AppendTable("CollectionConfigurations", &out);
  AppendRows(EntryKeys(), "", &out);
  AppendTable("CollectionParameters", &out);
  AppendRows(SharedKeys(), "the hook's", &out);
  AppendRows(CollectionKeys(), "", &out);
  out += kCollectionsNote;
  AppendTypes(&out);
  AppendEnvironment(&out);
  return out;
}

}  // namespace warden::config
