#include "warden/timeline/thread_id.h"

#include <array>
#include <bit>
#include <cstring>

namespace warden::timeline {
namespace {

constexpr size_t kHashBlock = 128;
constexpr size_t kDigest = 8;

constexpr std::array<uint64_t, 8> kStart = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

constexpr uint8_t kOrder[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

using Words = std::array<uint64_t, 16>;

void Mix(Words* v, std::array<int, 4> at, uint64_t x, uint64_t y) {
  uint64_t& a = (*v)[at[0]];
  uint64_t& b = (*v)[at[1]];
  uint64_t& c = (*v)[at[2]];
  uint64_t& d = (*v)[at[3]];
  a += b + x;
  d = std::rotr(d ^ a, 32);
  c += d;
  b = std::rotr(b ^ c, 24);
  a += b + y;
  d = std::rotr(d ^ a, 16);
  c += d;
  b = std::rotr(b ^ c, 63);
}

// One block into the state; `length` counts the bytes up to its end.
void Compress(const char* block, uint64_t length, bool last, std::array<uint64_t, 8>* state) {
  Words message;
  std::memcpy(message.data(), block, kHashBlock);
  Words v;
  for (size_t i = 0; i < 8; ++i) {
    v[i] = (*state)[i];
    v[i + 8] = kStart[i];
  }
  v[12] ^= length;
  if (last) v[14] = ~v[14];
  for (int round = 0; round < 12; ++round) {
    const uint8_t* const order = kOrder[round % 10];
    for (int i = 0; i < 4; ++i) {
      Mix(&v, {i, 4 + i, 8 + i, 12 + i}, message[order[2 * i]], message[order[2 * i + 1]]);
    }
    for (int i = 0; i < 4; ++i) {
      Mix(&v, {i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4}, message[order[8 + 2 * i]],
          message[order[9 + 2 * i]]);
    }
  }
  for (size_t i = 0; i < 8; ++i) (*state)[i] ^= v[i] ^ v[i + 8];
}

}  // namespace

int64_t StableThreadId(std::string_view text) {
  static_assert(std::endian::native == std::endian::little);
  std::array<uint64_t, 8> state = kStart;
  state[0] ^= 0x01010000 ^ kDigest;
  size_t at = 0;
  for (; text.size() - at > kHashBlock; at += kHashBlock) {
    Compress(text.data() + at, at + kHashBlock, /*last=*/false, &state);
  }
  std::array<char, kHashBlock> rest{};
  std::memcpy(rest.data(), text.data() + at, text.size() - at);
  Compress(rest.data(), text.size(), /*last=*/true, &state);
  return static_cast<int64_t>(__builtin_bswap64(state[0]) >> 1);
}

}  // namespace warden::timeline
