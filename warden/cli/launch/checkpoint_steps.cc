#include "warden/cli/launch/checkpoint_steps.h"

#include <cstdlib>
#include <filesystem>

#include "warden/base/json.h"
#include "warden/format/layout.h"
#include "warden/storage/store.h"

namespace warden::cli {

Status NoteStepsAtCheckpoints(const std::string& checkpoints, const std::string& run) {
  auto store = storage::OpenStore(run);
  if (!store.ok()) return store.status();
  const std::string key = std::string(format::kOwnPrefix) + "checkpoints.json";
  const std::string folder = std::filesystem::absolute(checkpoints).lexically_normal();
  const Status put =
      store.value()->Put(key, AsBytes(DumpLikePython(Json{{"LocalPath", folder}}) + "\n"));
  if (!put.ok()) return put;
  setenv("CHECKPOINT_CONFIG_FILE_PATH", store.value()->Locate(key).c_str(), 1);
  return Status();
}

}  // namespace warden::cli
