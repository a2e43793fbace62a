// The calls of <warden.h> that save tensors.
#include <fmt/format.h>

#include "warden/hook/arguments.h"
#include "warden/hook/hook_handle.h"

namespace warden::hook {
namespace {

// What a hook that saves nothing gives in place of tensors.
const wd_tensor* NoTensor() {
  static const char place = 0;
  return reinterpret_cast<const wd_tensor*>(&place);
}

// A name for C of what capture keeps.
const wd_tensor* Opaque(const capture::TensorHandle* tensor) {
  return reinterpret_cast<const wd_tensor*>(tensor);
}
const capture::TensorHandle* Handle(const wd_tensor* tensor) {
  return reinterpret_cast<const capture::TensorHandle*>(tensor);
}

Status SaveInto(wd_hook* hook, const char* name, const wd_value* value,
                const char* const* collections, size_t collection_count) {
  const auto checked = NameFrom(name, "name");
  if (!checked.ok()) return checked.status();
  const auto tensor = TensorFrom(value);
  if (!tensor.ok()) return tensor.status();
  const auto into = TextsFrom(collections, collection_count, /*empty_too=*/false, "collections");
  if (!into.ok() || hook->capture == nullptr) return into.status();
  hook->capture->SaveTensor(checked.value(), tensor.value(), into.value());
  return Status();
}

Status SaveStrings(wd_hook* hook, const char* name, const char* const* values, size_t count,
                   const char* const* collections, size_t collection_count) {
  const auto checked = NameFrom(name, "name");
  if (!checked.ok()) return checked.status();
  const auto texts = TextsFrom(values, count, /*empty_too=*/true, "values");
  if (!texts.ok()) return texts.status();
  const auto into = TextsFrom(collections, collection_count, /*empty_too=*/false, "collections");
  if (!into.ok() || hook->capture == nullptr) return into.status();
  hook->capture->SaveTensor(checked.value(), texts.value(), into.value());
  return Status();
}

}  // namespace
}  // namespace warden::hook

using warden::Status;
using warden::hook::IsCopy;
using warden::hook::NameFrom;
using warden::hook::NoTensor;
using warden::hook::OnOpenHook;
using warden::hook::TensorFrom;

extern "C" {

const wd_tensor* wd_hook_register(wd_hook* hook, const char* name) {
  const wd_tensor* tensor = nullptr;
  const wd_status status = OnOpenHook(hook, [&] {
    const auto checked = NameFrom(name, "name");
    if (!checked.ok()) return checked.status();
    tensor = hook->capture == nullptr
                 ? NoTensor()
                 : warden::hook::Opaque(hook->capture->Register(checked.value()));
    return Status();
  });
  return tensor == nullptr && status == WD_OK ? NoTensor() : tensor;
}

int32_t wd_hook_wants_tensor(const wd_hook* hook, const wd_tensor* tensor) {
  if (hook == nullptr || hook->capture == nullptr) return 0;
  if (tensor == nullptr || tensor == NoTensor()) return 0;
  // Mostly it is not wanted: the quickest question comes first.
  return hook->capture->Wants(warden::hook::Handle(tensor)) && !IsCopy(*hook) ? 1 : 0;
}

int32_t wd_hook_wants(wd_hook* hook, const char* name) {
  return wd_hook_wants_tensor(hook, wd_hook_register(hook, name));
}

wd_status wd_hook_save_tensor(wd_hook* hook, const wd_tensor* tensor, const wd_value* value) {
  return OnOpenHook(hook, [&] {
    if (tensor == nullptr) return Status(warden::Code::kInvalid, "tensor is NULL");
    const auto checked = TensorFrom(value);
    if (!checked.ok() || hook->capture == nullptr || tensor == NoTensor()) return checked.status();
    hook->capture->Save(warden::hook::Handle(tensor), checked.value());
    return Status();
  });
}

wd_status wd_hook_save(wd_hook* hook, const char* name, const wd_value* value) {
  return OnOpenHook(hook, [&] {
    const auto checked = NameFrom(name, "name");
    if (!checked.ok()) return checked.status();
    const auto tensor = TensorFrom(value);
    if (!tensor.ok()) {
      return tensor.status().WithContext(fmt::format("tensor '{}'", checked.value()));
    }
    if (hook->capture != nullptr) hook->capture->Save(checked.value(), tensor.value());
    return Status();
  });
}

wd_status wd_hook_save_into(wd_hook* hook, const char* name, const wd_value* value,
                            const char* const* collections, size_t collection_count) {
  return OnOpenHook(hook, [&] {
    return warden::hook::SaveInto(hook, name, value, collections, collection_count);
  });
}

wd_status wd_hook_save_strings(wd_hook* hook, const char* name, const char* const* values,
                               size_t count, const char* const* collections,
                               size_t collection_count) {
  return OnOpenHook(hook, [&] {
    return warden::hook::SaveStrings(hook, name, values, count, collections, collection_count);
  });
}

wd_status wd_hook_save_scalar(wd_hook* hook, const char* name, double value) {
  return OnOpenHook(hook, [&] {
    const auto checked = NameFrom(name, "name");
    if (!checked.ok()) return checked.status();
    if (hook->capture != nullptr) hook->capture->SaveScalar(checked.value(), value);
    return Status();
  });
}

}  // extern "C"
