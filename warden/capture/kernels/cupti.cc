#include "warden/capture/kernels/cupti.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <type_traits>

namespace warden::capture::cupti {
namespace {

constexpr std::array<const char*, 2> kCuptiNames = {"libcupti.so.13", "libcupti.so.12"};

// False if a function that is needed is missing.
bool FindFunctions(void* library, Functions* functions) {
  bool whole = true;
  const auto find = [&](const char* name, auto* function) {
    *function = reinterpret_cast<std::remove_pointer_t<decltype(function)>>(dlsym(library, name));
    return *function != nullptr;
  };
  const auto need = [&](const char* name, auto* function) { whole &= find(name, function); };
  need("cuptiGetVersion", &functions->get_version);
  need("cuptiActivityRegisterCallbacks", &functions->register_callbacks);
  need("cuptiActivityEnable", &functions->enable);
  need("cuptiActivityDisable", &functions->disable);
  need("cuptiActivityFlushAll", &functions->flush_all);
  need("cuptiActivityGetNextRecord", &functions->get_next_record);
  need("cuptiActivityGetNumDroppedRecords", &functions->get_dropped);
  need("cuptiGetTimestamp", &functions->get_timestamp);
  need("cuptiGetCallbackName", &functions->get_callback_name);
  need("cuptiSubscribe", &functions->subscribe);
  need("cuptiUnsubscribe", &functions->unsubscribe);
  find("cuptiGetResultString", &functions->get_result_string);
  find("cuptiActivityEnableRuntimeApi", &functions->enable_runtime_call);
  return whole;
}

void* OpenFirst(const std::string& path) {
  // A second copy beside the one that a framework uses would record nothing.
  for (const char* name : kCuptiNames) {
    if (void* loaded = dlopen(name, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD)) return loaded;
  }
  if (!path.empty()) return dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  for (const std::string& place : UsualPlaces()) {
    if (void* opened = dlopen(place.c_str(), RTLD_LAZY | RTLD_LOCAL)) return opened;
  }
  return nullptr;
}

bool IsKnown(uint32_t version) {
  return std::any_of(
      std::begin(kKnownCupti), std::end(kKnownCupti),
      [&](const KnownVersions& known) { return version >= known.first && version <= known.last; });
}

}  // namespace

std::vector<std::string> UsualPlaces() {
  std::vector<std::string> places(kCuptiNames.begin(), kCuptiNames.end());
  std::vector<std::string> homes;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* home = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): read only
    if (home != nullptr && *home != '\0') homes.emplace_back(home);
  }
  homes.emplace_back("/usr/local/cuda");
  for (const std::string& home : homes) {
    for (const char* folder : {"extras/CUPTI/lib64", "lib64"}) {
      for (const char* name : kCuptiNames) {
        places.push_back(fmt::format("{}/{}/{}", home, folder, name));
      }
    }
  }
  return places;
}

Result<std::unique_ptr<Library>> Library::Open(const std::string& path) {
  void* opened = OpenFirst(path);
  if (opened == nullptr) {
    return Status(
        Code::kNotFound,
        "libcupti.so.13 or libcupti.so.12 not found; PyTorch's CUDA packages and the CUDA "
        "toolkit have it");
  }
  std::unique_ptr<Library> library(new Library());
  if (!FindFunctions(opened, &library->functions_)) {
    return Status(Code::kCorrupt, "the CUPTI library lacks functions of CUDA 12");
  }
  const int result = library->functions_.get_version(&library->version_);
  if (result != kSuccess) {
    return Status(Code::kUnavailable,
                  fmt::format("CUPTI does not tell its version: {}", library->ErrorText(result)));
  }
  if (!IsKnown(library->version_)) {
    return Status(
        Code::kUnavailable,
        fmt::format("CUPTI has version {}; expected that of CUDA 12.0 to 13.4", library->version_));
  }
  return library;
}

std::string Library::VersionText() const {
  if (version_ < 10'000) return "CUDA 12";
  return fmt::format("CUDA {}.{}", version_ / 10'000, version_ / 100 % 100);
}

std::string Library::ErrorText(int result) const {
  const char* text = nullptr;
  if (functions_.get_result_string != nullptr &&
      functions_.get_result_string(result, &text) == kSuccess && text != nullptr) {
    return fmt::format("{} (error {})", text, result);
  }
  return fmt::format("CUPTI error {}", result);
}

}  // namespace warden::capture::cupti
