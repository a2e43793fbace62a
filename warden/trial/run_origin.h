#ifndef WARDEN_TRIAL_RUN_ORIGIN_H_
#define WARDEN_TRIAL_RUN_ORIGIN_H_

#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"

namespace warden::trial {

// What a run was made with, in warden/origin.json of its folder, so that it can be compared with
// others and made again: {"command", "directory", "environment", "git", "python", "machine"}, each
// only if it is known. `warden run` writes it at the start of a training; docs/formats/run.md has
// the members. The original library does not look at it.

// An empty object if there is none, or if it cannot be parsed. Members that are not of the type
// that readers expect are left out.
Json ReadRunOrigin(const std::string& run);
// Replaces it, as a whole or not at all. Errors are those of storage::OpenStore and Store::Put.
Status WriteRunOrigin(const std::string& run, const Json& origin);

// What stands for a secret.
inline constexpr std::string_view kMasked = "***";
// Whether a variable or option of this name holds a secret: "AWS_SECRET_ACCESS_KEY", "--hf-token".
bool IsSecretName(std::string_view name);
// A text without passwords: "https://me:***@host". Other texts are as they were.
std::string WithoutPasswords(std::string_view text);
// A command line without secrets: "--api-key ***", "--password=***", "TOKEN=***".
std::vector<std::string> WithoutSecrets(const std::vector<std::string>& words);
// Changes of source code without secrets: `api_key = "***"`, `password: "***"`, "TOKEN=***". Only
// texts in quotes, and words that can be nothing but a key: code is as it was.
std::string DiffWithoutSecrets(std::string_view diff);

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_RUN_ORIGIN_H_
