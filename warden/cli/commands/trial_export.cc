#include "warden/cli/commands/commands.h"
namespace warden::cli { CommandEntry TrialExport() { return {"trial_export","",[](Command*){}}; } }
