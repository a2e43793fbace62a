#include "warden/hook/roles.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "warden/hook/arguments.h"
#include "warden/hook/hook_handle.h"

namespace warden::hook {
namespace {

struct Holder {
  std::string_view collection;
  std::string_view role;
};
// Some collections have other names than the roles that they hold. The Python packages know the
// same ones (python/tensorwarden/hook/roles.py).
constexpr std::array kHolders = {
    Holder{"relu_input", "relu_input"},
    Holder{"relu_output", "relu_output"},
    Holder{"tanh_input", "tanh_input"},
    Holder{"tanh_output", "tanh_output"},
    Holder{"sigmoid_input", "sigmoid_input"},
    Holder{"sigmoid_output", "sigmoid_output"},
    Holder{"first_input", "first_input"},
    Holder{"first_embedding_input", "first_embedding_input"},
    Holder{"predictions", "predictions"},
    Holder{"labels", "labels"},
    Holder{"input_image", "first_input"},
    Holder{"input_sequence", "first_embedding_input"},
};

// The text as a pattern that finds just it.
std::string Escaped(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view(R"(\^$.|?*+()[]{}#-)").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace

void MakeRoomForRoles(config::HookConfig* config) {
  for (const auto& [name, role] : kHolders) {
    const auto found = config->collections.find(name);
    if (found == config->collections.end()) continue;
    config::Collection& collection = found->second;
    if (collection.include_regex.empty() && collection.tensor_names.empty()) {
      collection.include_regex.push_back(fmt::format(".*{}", role));
    }
  }
}

Status AddRole(std::string_view role, std::string_view tensor, capture::Hook* hook) {
  hook->AddRoles({{std::string(role), {std::string(tensor)}}});
  const bool is_beginning = tensor.ends_with('_');
  const std::vector<std::string> pattern = {
      fmt::format("^{}{}", Escaped(tensor), is_beginning ? "" : "$")};
  for (const Holder& holder : kHolders) {
    if (holder.role != role) continue;
    const Status status = hook->Include(holder.collection, pattern);
    // One that is not saved needs nothing.
    if (!status.ok() && status.code() != Code::kNotFound) return status;
  }
  return Status();
}

}  // namespace warden::hook

extern "C" wd_status wd_hook_add_role(wd_hook* hook, const char* role, const char* tensor) {
  return warden::hook::OnOpenHook(hook, [&] {
    const auto role_name = warden::hook::NameFrom(role, "role");
    if (!role_name.ok()) return role_name.status();
    const auto name = warden::hook::NameFrom(tensor, "tensor");
    if (!name.ok() || hook->capture == nullptr) return name.status();
    return warden::hook::AddRole(role_name.value(), name.value(), hook->capture.get());
  });
}
