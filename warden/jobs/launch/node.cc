#include "warden/jobs/launch/node.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "warden/base/strings.h"
#include "warden/jobs/launch/host_machine.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

void ReplaceAll(const std::string& from, const std::string& to, std::string* text) {
  for (size_t at = 0; (at = text->find(from, at)) != std::string::npos; at += to.size()) {
    text->replace(at, from.size(), to);
  }
}

// What the node says of its devices counts, whatever the machine of the service has.
void Inherit(const std::vector<std::string>& prefixes, std::vector<std::string>* environment) {
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string entry = *at;
    const size_t equals = entry.find('=');
    const bool wanted = std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string& each) {
      return entry.starts_with(each);
    });
    if (!wanted || equals == std::string::npos) continue;
    const std::string name = entry.substr(0, equals + 1);
    std::erase_if(*environment, [&](const std::string& old) { return old.starts_with(name); });
    environment->push_back(entry);
  }
}

}  // namespace

std::map<std::string, Node> ReadNodes(const std::string& file) {
  std::map<std::string, Node> nodes;
  for (const std::string& line : SplitTrimmed(os::ReadWholeFile(file).value_or(""), '\n')) {
    const std::vector<std::string> words = SplitTrimmed(line, ' ');
    if (words.size() == 3) nodes[words[0]] = {words[1], words[2]};
  }
  return nodes;
}

Status FillInNode(HostSpec* spec) {
  const auto nodes = ReadNodes(spec->nodes_file);
  if (nodes.empty()) return Status(Code::kNotFound, "no hosts in " + spec->nodes_file);
  for (const auto& [host, node] : nodes) {
    for (std::string& word : spec->words) ReplaceAll(AddressOfHost(host), node.address, &word);
    for (std::string& each : spec->environment) {
      ReplaceAll(AddressOfHost(host), node.address, &each);
    }
  }
  Inherit(spec->inherited, &spec->environment);
  return Status();
}

}  // namespace warden::jobs
