// The input as an archive that a user submits as code: a header, attributes, and the whole of it,
// extracted into a folder in memory that it must not leave.

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>

#include "fuzz/check.h"
#include "fuzz/memory_folder.h"
#include "warden/jobs/launch/extract.h"
#include "warden/jobs/launch/tar_header.h"

namespace warden::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace jobs;

constexpr size_t kSumAt = 148;
constexpr size_t kSumSize = 8;
constexpr size_t kMagicAt = 257;
constexpr ExtractLimits kLimits{.bytes = 1 << 20, .entries = 64};

TarBlock BlockOf(std::string_view text) {
  TarBlock block{};
  std::memcpy(block.data(), text.data(), std::min(text.size(), block.size()));
  return block;
}

// With the checksum that it ought to have: the fuzzer would not find it.
TarBlock Summed(TarBlock block) {
  std::fill_n(block.begin() + kSumAt, kSumSize, ' ');
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  for (size_t i = kSumSize - 2; i-- > 0; sum /= 8) {
    block[kSumAt + i] = static_cast<char>('0' + sum % 8);
  }
  return block;
}

// With right checksums in all blocks that look like headers.
std::string Repaired(std::string text) {
  for (size_t at = 0; at + kTarBlock <= text.size(); at += kTarBlock) {
    if (text.compare(at + kMagicAt, 5, "ustar") != 0) continue;
    const TarBlock block = Summed(BlockOf(std::string_view(text).substr(at)));
    text.replace(at, kTarBlock, block.data(), kTarBlock);
  }
  return text;
}

void CheckSame(const TarHeader& a, const TarHeader& b) {
  Check(a.name == b.name && a.link == b.link && a.type == b.type);
  Check(a.mode == b.mode && a.size == b.size && a.modified == b.modified);
}

// A header comes back from the block that is made of it.
void UseAsHeader(std::string_view text) {
  const TarBlock block = BlockOf(text);
  (void)ParseTarHeader(block);
  const auto header = ParseTarHeader(Summed(block));
  if (!header.ok()) {
    Check(header.status().code() == Code::kCorrupt);
    return;
  }
  Check(header.value().mode <= 0777 && header.value().modified >= 0);
  if (header.value().name.size() > kTarName) return;
  const auto again = ParseTarHeader(MakeTarHeader(header.value()));
  Check(again.ok());
  CheckSame(again.value(), header.value());
}

void UseAsAttributes(std::string_view text) {
  TarHeader header;
  const Status status = ApplyTarAttributes(text, &header);
  if (!status.ok()) {
    Check(status.code() == Code::kCorrupt);
    return;
  }
  Check(header.name.size() + header.link.size() <= text.size());
  TarHeader again;
  const std::string own = TarAttribute("path", header.name) +
                          TarAttribute("linkpath", header.link) +
                          TarAttribute("size", std::to_string(header.size));
  Check(ApplyTarAttributes(own, &again).ok());
  CheckSame(again, header);
}

void CheckInside(const fs::path& into) {
  uint64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(into)) {
    if (entry.is_symlink()) {
      // The kernel may refuse to follow it; what it leads to is inside.
      std::error_code error;
      const fs::path to = fs::weakly_canonical(entry.path(), error);
      Check(error || (to / "").string().starts_with(into.string() + "/"));
    } else if (entry.is_regular_file()) {
      bytes += entry.file_size();
    } else {
      Check(entry.is_directory());
    }
  }
  Check(bytes <= kLimits.bytes);
}

void Extract(std::string_view text) {
  static const MemoryFolder around;
  const fs::path archive = around.path() / "archive", into = around.path() / "into";
  fs::remove_all(into);
  fs::create_directory(into);
  Write(archive, text);
  const Status status = ExtractTar(archive, into, kLimits);
  Check(status.ok() || !status.message().empty());
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(around.path())) {
    names.insert(entry.path().filename());
  }
  Check(names == std::set<std::string>{"archive", "into"});
  Check(fs::file_size(archive) == text.size());
  CheckInside(into);
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = warden::fuzz::Text(data, size);
  warden::fuzz::UseAsHeader(text);
  warden::fuzz::UseAsAttributes(text);
  warden::fuzz::Extract(warden::fuzz::Repaired(std::string(text)));
  return 0;
}
