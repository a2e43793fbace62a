#ifndef WARDEN_JOBS_LAUNCH_TAR_HEADER_H_
#define WARDEN_JOBS_LAUNCH_TAR_HEADER_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::jobs {

// Tar archives are blocks of this size: a header, then the content, filled up with zeros.
inline constexpr size_t kTarBlock = 512;
using TarBlock = std::array<char, kTarBlock>;
// How much of a content goes through memory at once.
inline constexpr size_t kTarChunk = 64 << 10;

// One entry, as its header tells it.
struct TarHeader {
  std::string name;
  std::string link;   // Of links: where they lead.
  char type = '0';    // '0' file, '1' hard link, '2' symbolic link, '5' folder, 'x' attributes, ...
  uint32_t mode = 0;  // Permissions.
  uint64_t size = 0;
  int64_t modified = 0;  // Seconds since 1970.
};

// How many bytes follow content of that size.
inline size_t TarPadding(uint64_t size) { return (kTarBlock - size % kTarBlock) % kTarBlock; }

bool IsEmptyBlock(const TarBlock& block);
// kCorrupt if the check sum or a number is wrong.
Result<TarHeader> ParseTarHeader(const TarBlock& block);
// REQUIRES: name and link of at most 100 bytes; longer ones go into attributes before it.
TarBlock MakeTarHeader(const TarHeader& header);

inline constexpr size_t kTarName = 100;

// "25 path=a/b/c\n": one attribute.
std::string TarAttribute(std::string_view name, std::string_view value);
// Changes the header by what a block of attributes says of the entry that follows.
Status ApplyTarAttributes(std::string_view attributes, TarHeader* header);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_TAR_HEADER_H_
