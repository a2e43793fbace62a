#include "warden/dashboard/tensors/tensor_store.h"

#include <string>
#include <utility>

#include "warden/format/layout.h"
#include "warden/storage/mirrored_store.h"

namespace warden::dashboard {

Result<std::unique_ptr<storage::Store>> OpenTensors(const RunPlaces& places) {
  auto folder = storage::OpenStore(places.tensors);
  if (!folder.ok() || places.tensors_url.empty()) return folder;
  auto original = storage::OpenStore(places.tensors_url);
  if (!original.ok()) return original;
  return storage::NewMirroredStore(std::move(folder.value()), std::move(original.value()),
                                   std::string(format::kEventsPrefix));
}

}  // namespace warden::dashboard
