#include <fmt/format.h>

#include <filesystem>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/text.h"
#include "warden/daemon/viewer.h"
#include "warden/os/replace_file.h"

namespace warden::cli {
namespace {

struct ExportPageOptions {
  std::string run;
  std::string out;
  std::string most_mb = "24";
  bool json = false;
};

// runs/a/ -> a.html.
std::string FileFor(const std::string& run) {
  const std::filesystem::path path = std::filesystem::absolute(run).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string() + ".html";
}

Result<int> WriteExport(const ExportPageOptions& options, Output* out) {
  constexpr int64_t kMostMb = 1024;
  const auto most = ParseInt(options.most_mb);
  if (!most || *most < 1 || *most > kMostMb) {
    return Status(Code::kInvalid, fmt::format("--max-mb is '{}'; expected an integer from 1 to {}",
                                              options.most_mb, kMostMb));
  }
  auto page = daemon::ExportPage(options.run, static_cast<size_t>(*most) << 20);
  if (!page.ok()) return page.status();
  const std::string file = options.out.empty() ? FileFor(options.run) : options.out;
  if (Status status = os::ReplaceFile(file, page.value().html, 0666); !status.ok()) return status;
  if (options.json) {
    out->PrintJson({{"run", options.run},
                    {"page", file},
                    {"bytes", page.value().html.size()},
                    {"left_out", page.value().left_out}});
    return kDone;
  }
  out->Print("{}\n", Printable(file));
  out->Tell("Not included:");
  for (const std::string& what : page.value().left_out) out->Tell("  " + Printable(what));
  return kDone;
}

void DefineExportPage(Command* command) {
  auto options = std::make_shared<ExportPageOptions>();
  command->Run(&options->run);
  command->Text("--out", &options->out, "File to write (default: NAME.html in this folder)");
  command->Text("--max-mb", &options->most_mb,
                "Most data in the page, before compression, 1 to 1024 (default: 24)");
  command->Json(&options->json);
  command->Footer(
      "Writes the dashboard's page of the run as one HTML file that needs no server and no\n"
      "network: verdict, findings, charts, layers, system metrics, profile and log. Replaces an\n"
      "existing file. Prints its path, and what is not included.\n\n"
      "Examples:\n"
      "  warden export runs/a\n"
      "  warden export runs/a --out a.html --max-mb 100");
  command->Runs(options, WriteExport);
}

}  // namespace

CommandEntry ExportPage() {
  return {"export", "Write the page of a run as one HTML file that opens offline",
          DefineExportPage};
}

}  // namespace warden::cli
