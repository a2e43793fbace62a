#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "warden/auth/viewers_file.h"
#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/base/time.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/serve/shared_links.h"
#include "warden/cli/text.h"
#include "warden/daemon/viewer.h"

namespace warden::cli {
namespace {

struct ShareOptions {
  std::string data;
  std::string name = "viewer";
  std::string days = "7";
  std::string url;
  std::string run;
  bool json = false;
};

Result<int> Share(const ShareOptions& options, Output* out) {
  constexpr int64_t kMostDays = 365;
  const auto days = ParseInt(options.days);
  if (!days || *days < 1 || *days > kMostDays) {
    return Status(Code::kInvalid, fmt::format("--days is '{}'; expected an integer from 1 to {}",
                                              options.days, kMostDays));
  }
  const auto place = FindSharedLinks(options.data, options.url);
  if (!place.ok()) return place.status();
  std::error_code error;
  const std::string run =
      options.run.empty() ? "" : std::filesystem::canonical(options.run, error).string();
  if (error) return Status(Code::kNotFound, fmt::format("--run: no such folder: {}", options.run));
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const auto added =
      auth::AddViewer(place.value().file, options.name, now, std::chrono::days(*days));
  if (!added.ok()) return added.status();
  RecordChange(place.value(), "keys:Share", options.name);
  const std::string link =
      daemon::DashboardLink(place.value().url, added.value().token.Reveal(), run);
  const auth::Viewer& viewer = added.value().viewer;
  if (options.json) {
    out->PrintJson({{"link", link},
                    {"name", viewer.name},
                    {"id", viewer.id},
                    {"expires", IsoSeconds(Time(viewer.expires))}});
    return kDone;
  }
  out->Print("{}\n", link);
  out->Tell(
      fmt::format("View-only link for {}, until {}. It is shown once; 'warden keys revoke {}' "
                  "ends it.",
                  Printable(viewer.name), IsoSeconds(Time(viewer.expires)), viewer.id));
  if (place.value().is_local) {
    out->Tell(fmt::format(
        "{} can be reached from this machine only. For colleagues, start 'warden serve' with "
        "--listen, --tls-cert and --tls-key, and give its address as --url.",
        place.value().url));
  }
  return kDone;
}

void DefineKeysShare(Command* command) {
  auto options = std::make_shared<ShareOptions>();
  command->Text("--name", &options->name, "Who it is for (default: viewer)");
  command->Text("--days", &options->days, "Days until it expires, 1 to 365 (default: 7)");
  command->Text("--run", &options->run, "Open the page of the run in this folder");
  command->Text("--url", &options->url,
                "Address by which colleagues reach the service (default: that of the running one)");
  command->Text("--data", &options->data,
                "Data folder of the service (default: that of the running one)");
  command->Json(&options->json);
  command->Footer(
      "Whoever has the link can look at all jobs and runs in the dashboard, and change nothing.\n"
      "It opens neither the API nor buckets. The service may be running.\n\n"
      "Examples:\n"
      "  warden keys share --name ana\n"
      "  warden keys share --name ana --days 1 --url https://gpu1.example:8443\n"
      "  warden keys revoke ana");
  command->Runs(options, Share);
}

}  // namespace

CommandEntry KeysShare() {
  return {"share", "Create a view-only link to the dashboard", DefineKeysShare};
}

}  // namespace warden::cli
