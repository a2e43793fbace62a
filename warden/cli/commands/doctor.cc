#include <algorithm>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/doctor/checks.h"
#include "warden/cli/table.h"
#include "warden/config/keys.h"

namespace warden::cli {
namespace {

struct DoctorOptions {
  std::string folder;
  bool print_reference = false;
  bool json = false;
};

Cell HealthCell(Health health) {
  switch (health) {
    case Health::kOk: return {"ok", Style::kGood};
    case Health::kWarning: return {"warning", Style::kWarning};
    case Health::kMissing: return {"missing", Style::kDim};
    case Health::kBroken: break;
  }
  return {"broken", Style::kBad};
}

Checks RunChecks(const DoctorOptions& options) {
  Checks checks;
  CheckMachine(&checks);
  Checks configuration;
  const std::string folder = CheckConfiguration(&configuration);
  CheckFolder(options.folder.empty() ? folder : options.folder, &checks);
  CheckPython(&checks);
  CheckGpu(&checks);
  checks.insert(checks.end(), configuration.begin(), configuration.end());
  return checks;
}

void PrintChecksAsJson(const Checks& checks, Output* out) {
  Json list = Json::array();
  for (const Check& check : checks) {
    list.push_back({{"name", check.name},
                    {"state", HealthCell(check.health).text},
                    {"found", check.found},
                    {"advice", check.advice}});
  }
  out->PrintJson({{"version", WARDEN_VERSION}, {"checks", std::move(list)}});
}

void PrintChecks(const Checks& checks, Output* out) {
  Table table({{"STATE"}, {"CHECK"}, {"FOUND"}});
  for (const Check& check : checks) {
    table.Add({HealthCell(check.health), check.name, check.found});
    if (!check.advice.empty()) {
      table.Add({std::string(), std::string(), Cell("-> " + check.advice, Style::kDim)});
    }
  }
  table.Print(out);
}

Result<int> Diagnose(const DoctorOptions& options, Output* out) {
  if (options.print_reference) {
    out->Write(config::ConfigurationReference());
    return kDone;
  }
  const Checks checks = RunChecks(options);
  if (options.json) {
    PrintChecksAsJson(checks, out);
  } else {
    PrintChecks(checks, out);
  }
  const bool broken = std::any_of(checks.begin(), checks.end(), [](const Check& check) {
    return check.health == Health::kBroken;
  });
  return broken ? kFailed : kDone;
}

void DefineDoctor(Command* command) {
  auto options = std::make_shared<DoctorOptions>();
  command->Text("--folder", &options->folder,
                "Folder for runs (default: the one in the hook configuration)");
  command->Switch("--print-config-reference", &options->print_reference,
                  "Print the reference of the hook configuration and exit");
  command->Json(&options->json);
  command->Footer(
      "Exit code 1 if something is broken. Missing packages are not an error.\n\n"
      "Examples:\n"
      "  warden doctor\n"
      "  warden doctor --folder /data/runs");
  command->Runs(options, Diagnose);
}

}  // namespace

CommandEntry Doctor() {
  return {"doctor", "Check this machine: what works, what is missing, what to install",
          DefineDoctor};
}

}  // namespace warden::cli
