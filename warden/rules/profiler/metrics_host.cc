#include "warden/rules/profiler/metrics_host.h"

namespace warden::rules {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kAlgo = "algo-";

}  // namespace

bool IsMetricsHost(std::string_view host) {
  return host.starts_with(kAlgo) && host.size() > kAlgo.size() &&
         host.find_first_not_of(kDigits, kAlgo.size()) == std::string_view::npos;
}

std::string_view HostOf(std::string_view node) {
  if (IsMetricsHost(node)) return node;
  const size_t first = node.find_first_not_of(kDigits);
  if (first != std::string_view::npos && first > 0 && node[first] == '-' &&
      first + 1 < node.size()) {
    return node.substr(first + 1);
  }
  const size_t last = node.find_last_not_of(kDigits);
  if (last != std::string_view::npos && last > 0 && node[last] == '-' && last + 1 < node.size()) {
    return node.substr(0, last);
  }
  return node;
}

}  // namespace warden::rules
