#include "warden/cli/commands/commands.h"
namespace warden::cli { CommandEntry TrialVerify() { return {"trial_verify","",[](Command*){}}; } }
