#include "warden/cli/commands/commands.h"
namespace warden::cli { CommandEntry Doctor() { return {"doctor","",[](Command*){}}; } }
