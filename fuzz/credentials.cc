// The input as a file of access keys.

#include <set>
#include <string>

#include "fuzz/check.h"
#include "warden/auth/credentials_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using warden::fuzz::Check;
  const auto keys = warden::auth::ParseCredentials(warden::fuzz::Text(data, size), "credentials");
  if (!keys.ok()) {
    Check(keys.status().code() == warden::Code::kInvalid);
    Check(keys.status().message().starts_with("credentials"));
    return 0;
  }
  std::string again;
  std::set<std::string> ids;
  for (const warden::auth::AccessKey& key : keys.value()) {
    Check(!key.id.empty() && !key.secret.empty() && key.scopes != 0);
    Check(key.account.empty() || key.account.size() == 12);
    Check(ids.insert(key.id).second);
    again += "[" + key.id + "]\naws_access_key_id = " + key.id +
             "\naws_secret_access_key = " + key.secret.Reveal() + "\n";
  }
  // What was accepted is accepted again when it is written plainly.
  const auto second = warden::auth::ParseCredentials(again, "again");
  Check(second.ok() && second.value().size() == keys.value().size());
  for (size_t i = 0; i < keys.value().size(); ++i) {
    Check(second.value()[i].secret.Reveal() == keys.value()[i].secret.Reveal());
  }
  return 0;
}
