#include <fmt/format.h>

#include "warden/auth/viewers_file.h"
#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/serve/shared_links.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

struct RevokeOptions {
  std::string data;
  std::string name;
  bool json = false;
};

Result<int> Revoke(const RevokeOptions& options, Output* out) {
  const auto place = FindSharedLinks(options.data, "");
  if (!place.ok()) return place.status();
  const Status removed = auth::RemoveViewer(place.value().file, options.name);
  if (!removed.ok()) return removed;
  RecordChange(place.value(), "keys:Revoke", options.name);
  if (options.json) {
    out->PrintJson({{"revoked", options.name}});
  } else {
    out->Print("Revoked: {}\n", Printable(options.name));
  }
  return kDone;
}

void DefineKeysRevoke(Command* command) {
  auto options = std::make_shared<RevokeOptions>();
  command->Positional("NAME", &options->name, "Name or ID of the link, as 'warden keys ls' has it");
  command->Text("--data", &options->data,
                "Data folder of the service (default: that of the running one)");
  command->Json(&options->json);
  command->Footer(
      "Browsers that signed in with the link are signed out within a second.\n\n"
      "Example:\n  warden keys revoke ana");
  command->Runs(options, Revoke);
}

}  // namespace

CommandEntry KeysRevoke() { return {"revoke", "End a view-only link", DefineKeysRevoke}; }

}  // namespace warden::cli
