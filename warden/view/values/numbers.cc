#include "warden/view/values/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "warden/stats/element.h"

namespace warden::view {
namespace {

template <class T>
double ReadReal(const std::byte* data, size_t place) {
  return stats::ToDouble(stats::ReadElement<T>(data, place));
}

template <class T>
double ReadMagnitude(const std::byte* data, size_t place) {
  const auto real = static_cast<double>(stats::ReadElement<T>(data, 2 * place));
  const auto imaginary = static_cast<double>(stats::ReadElement<T>(data, 2 * place + 1));
  return std::abs(std::complex<double>(real, imaginary));
}

// The same for the same number, and without any pattern.
uint64_t Scramble(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

}  // namespace

Result<Numbers> Numbers::Of(const trial::TensorValue& value) {
  Read read = nullptr;
  if (value.dtype == DType::kComplex64) {
    read = ReadMagnitude<float>;
  } else if (value.dtype == DType::kComplex128) {
    read = ReadMagnitude<double>;
  } else {
    const Status status = stats::VisitReal(value.dtype, [&]<class T>() { read = ReadReal<T>; });
    if (!status.ok()) return status;
  }
  return Numbers(value.data.data(), value.ref().count(), read);
}

Result<stats::Summary> SummarizeNumbers(const trial::TensorValue& value) {
  if (!IsComplex(value.dtype)) return stats::Summarize(value.ref());
  const auto numbers = Numbers::Of(value);
  if (!numbers.ok()) return numbers.status();
  std::array<double, 4096> buffer;
  stats::Summary all;
  for (size_t begin = 0; begin < numbers.value().count(); begin += buffer.size()) {
    const size_t n = std::min(buffer.size(), numbers.value().count() - begin);
    for (size_t i = 0; i < n; ++i) buffer[i] = numbers.value().At(begin + i);
    const auto length = static_cast<int64_t>(n);
    const auto part = stats::Summarize({buffer.data(), DType::kFloat64, std::span(&length, 1)});
    if (!part.ok()) return part.status();
    all = stats::Merge(all, part.value());
  }
  return all;
}

std::vector<double> SortedSample(const Numbers& numbers, size_t most) {
  const size_t count = numbers.count();
  const size_t taken = std::min(count, most);
  std::vector<double> sample;
  sample.reserve(taken);
  for (size_t i = 0; i < taken; ++i) {
    size_t place = i;
    if (taken < count) {
      const size_t begin = static_cast<size_t>(static_cast<double>(i) / static_cast<double>(taken) *
                                               static_cast<double>(count));
      const size_t end = std::min(begin + count / taken, count);
      place = begin + Scramble(i) % std::max<size_t>(end - begin, 1);
    }
    const double number = numbers.At(std::min(place, count - 1));
    if (std::isfinite(number)) sample.push_back(number);
  }
  std::sort(sample.begin(), sample.end());
  return sample;
}

}  // namespace warden::view
