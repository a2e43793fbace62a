// The input as a slice of tensors of several shapes.

#include "warden/view/values/slice.h"

#include <limits>
#include <vector>

#include "fuzz/check.h"

namespace warden::fuzz {
namespace {

constexpr uint64_t kMostPlaces = 4096;

std::vector<uint64_t> Places(const view::ResolvedSlice& slice, const std::vector<int64_t>& shape) {
  std::vector<uint64_t> places;
  view::ForEachPlace(slice, shape, [&](uint64_t place) { places.push_back(place); });
  return places;
}

// What a slice takes lies in the tensor, and its text in full takes the same.
void Slice(const std::vector<view::SliceTerm>& terms, const std::vector<int64_t>& shape) {
  const auto slice = view::ResolveSlice(terms, shape);
  if (!slice.ok() || slice.value().count > kMostPlaces) return;
  const std::vector<uint64_t> places = Places(slice.value(), shape);
  Check(places.size() == slice.value().count);
  uint64_t count = 1;
  for (const int64_t size : shape) count *= static_cast<uint64_t>(size);
  // Of the largest shapes the number of elements is more than a place can be.
  for (const uint64_t place : places) Check(place < count || count == 0);

  const auto again = view::ParseSlice(slice.value().text);
  Check(again.ok());
  const auto same = view::ResolveSlice(again.value(), shape);
  Check(same.ok() && same.value().shape == slice.value().shape);
  Check(same.value().text == slice.value().text && Places(same.value(), shape) == places);
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto terms = warden::view::ParseSlice(warden::fuzz::Text(data, size));
  if (!terms.ok()) return 0;
  constexpr int64_t kLarge = int64_t{1} << 30;
  const std::vector<int64_t> shapes[] = {{},
                                         {0},
                                         {5},
                                         {2, 3, 4},
                                         {4, 0, 7},
                                         {1, 1, 1, 1, 9},
                                         {kLarge, kLarge},
                                         {std::numeric_limits<int64_t>::max()}};
  for (const auto& shape : shapes) warden::fuzz::Slice(terms.value(), shape);
  return 0;
}
