#!/usr/bin/env bash
# Prints docs/reference/rules.md, from what the program itself says of its rules.
set -euo pipefail
cd "$(dirname "$0")/.."
cat <<'HEAD'
# Rules

<!-- Made by `tools/rule_reference.sh > docs/reference/rules.md`; edit the rules in warden/rules/debug and warden/rules/profiler. -->

Every built-in rule with its parameters, as `warden rules NAME` prints them.
[judge-a-run.md](../guide/judge-a-run.md) says how to choose rules and give parameters,
[write-a-rule.md](../guide/write-a-rule.md) how to write your own.

- Names may be spelt `VanishingGradient` or `vanishing_gradient`.
- Without a default a parameter is not set.
- Patterns are found anywhere in a name. `collection_names` and `tensor_regex` together: what either of them names.
- A parameter `compat_...` turns on the letter of the original's documentation where it fires on healthy runs.
HEAD
"${WARDEN:-build/bin/warden}" rules --markdown
