// Network interfaces, from /proc/net/dev.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "warden/base/strings.h"
#include "warden/monitor/collectors.h"
#include "warden/monitor/scan.h"
#include "warden/monitor/source_file.h"

namespace warden::monitor {
namespace {

constexpr size_t kMostInterfaces = 1024;
constexpr int kColumnsBetween = 7;  // Between the bytes received and the bytes sent.

// The machine's talk with itself, and what another interface has counted already.
bool IsPassedOver(std::string_view name) {
  constexpr std::array<std::string_view, 9> kPrefixes = {"veth", "docker",  "br-",  "virbr", "ifb",
                                                         "cni",  "flannel", "cali", "dummy"};
  return name == "lo" ||
         std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

struct Interface {
  std::string name;
  bool known = false;  // Has a last reading.
  uint64_t received = 0, sent = 0;
  SlotId receive = 0, transmit = 0;
};

class NetworkCollector : public Collector {
 public:
  // Of this process, which is the network that the machine or the container has.
  explicit NetworkCollector(const std::string& root) : file_(root + "/proc/net/dev") {}

  void Collect(const Moment& now, Slots* slots, Tick* tick) override {
    std::string_view text = file_.Read();
    const double seconds = stopwatch_.Lap(now.ns);
    double sum_received = 0, sum_sent = 0;
    bool any = false;
    while (!text.empty()) {
      std::string_view line = TakeLine(&text);
      const size_t colon = line.rfind(':');  // Names of aliases have one too.
      if (colon == std::string_view::npos) continue;
      const std::string_view name = Trim(line.substr(0, colon));
      line.remove_prefix(colon + 1);
      const auto received = TakeCount(&line);
      for (int column = 0; column < kColumnsBetween; ++column) TakeWord(&line);
      const auto sent = TakeCount(&line);
      if (!received || !sent || IsPassedOver(name)) continue;
      Interface* interface = Find(name, slots);
      if (interface == nullptr) continue;
      if (interface->known && seconds > 0) {
        const double in = Growth(interface->received, *received);
        const double out = Growth(interface->sent, *sent);
        tick->Put(interface->receive, in / seconds);
        tick->Put(interface->transmit, out / seconds);
        sum_received += in;
        sum_sent += out;
        any = true;
      }
      interface->known = true;
      interface->received = *received;
      interface->sent = *sent;
    }
    if (!any) return;
    tick->Put(slots->Of(Metric::kNetworkReceive), sum_received / seconds);
    tick->Put(slots->Of(Metric::kNetworkTransmit), sum_sent / seconds);
  }

  void Restart() override {
    stopwatch_.Restart();
    for (Interface& interface : interfaces_) interface.known = false;
  }

 private:
  // Null if there are too many.
  Interface* Find(std::string_view name, Slots* slots) {
    for (Interface& interface : interfaces_) {
      if (interface.name == name) return &interface;
    }
    if (interfaces_.size() >= kMostInterfaces) return nullptr;
    Interface& interface = interfaces_.emplace_back();
    interface.name = name;
    interface.receive = slots->Of(Metric::kInterfaceReceive, name);
    interface.transmit = slots->Of(Metric::kInterfaceTransmit, name);
    return &interface;
  }

  SourceFile file_;
  Stopwatch stopwatch_;
  std::vector<Interface> interfaces_;
};

}  // namespace

std::unique_ptr<Collector> MakeNetworkCollector(const std::string& root) {
  return std::make_unique<NetworkCollector>(root);
}

}  // namespace warden::monitor
