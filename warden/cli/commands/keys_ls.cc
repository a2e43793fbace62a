#include <fmt/format.h>

#include <chrono>

#include "warden/auth/viewers_file.h"
#include "warden/base/json.h"
#include "warden/base/time.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/serve/shared_links.h"
#include "warden/cli/table.h"

namespace warden::cli {
namespace {

struct KeysOptions {
  std::string data;
  bool json = false;
};

Result<int> ListKeys(const KeysOptions& options, Output* out) {
  const auto place = FindSharedLinks(options.data, "");
  if (!place.ok()) return place.status();
  const auto viewers = auth::ReadViewers(place.value().file);
  if (!viewers.ok()) return viewers.status();
  const auto now = std::chrono::system_clock::now();
  Json list = Json::array();
  Table table(
      {{"NAME", Align::kLeft, /*shrinks=*/true}, {"ID"}, {"CREATED"}, {"EXPIRES"}, {"STATE"}});
  for (const auth::Viewer& viewer : viewers.value()) {
    const char* state = viewer.expires <= now ? "expired" : "valid";
    const std::string created = IsoSeconds(Time(viewer.created));
    const std::string expires = IsoSeconds(Time(viewer.expires));
    list.push_back({{"name", viewer.name},
                    {"id", viewer.id},
                    {"created", created},
                    {"expires", expires},
                    {"state", state}});
    table.Add({viewer.name, viewer.id, created, expires, state});
  }
  if (options.json) {
    out->PrintJson(list);
  } else if (viewers.value().empty()) {
    out->Print("No view-only links; 'warden keys share' creates one\n");
  } else {
    table.Print(out);
  }
  return kDone;
}

void DefineKeysLs(Command* command) {
  auto options = std::make_shared<KeysOptions>();
  command->Text("--data", &options->data,
                "Data folder of the service (default: that of the running one)");
  command->Json(&options->json);
  command->Runs(options, ListKeys);
}

}  // namespace

CommandEntry KeysLs() { return {"ls", "List the view-only links", DefineKeysLs}; }

}  // namespace warden::cli
