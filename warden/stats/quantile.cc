#include "warden/stats/quantile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "warden/stats/element.h"

namespace warden::stats {
namespace {

template <size_t kSize>
using UnsignedOf = std::conditional_t<
    kSize == 1, uint8_t,
    std::conditional_t<kSize == 2, uint16_t, std::conditional_t<kSize == 4, uint32_t, uint64_t>>>;

template <class T>
inline constexpr bool kHasSignBit =
    std::is_floating_point_v<T> || std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>;

// Keys are unsigned integers in the order of the values.
template <class T>
struct Keys {
  using Key = UnsignedOf<sizeof(T)>;
  static constexpr int kBits = 8 * sizeof(Key);
  static constexpr Key kTop = Key{1} << (kBits - 1);

  static Key FromValue(T value) {
    const Key bits = std::bit_cast<Key>(value);
    if constexpr (kHasSignBit<T>) {
      return static_cast<Key>((bits & kTop) != 0 ? ~bits : bits | kTop);
    } else if constexpr (std::is_signed_v<T>) {
      return static_cast<Key>(bits ^ kTop);
    } else {
      return bits;
    }
  }

  static T ToValue(Key key) {
    Key bits = key;
    if constexpr (kHasSignBit<T>) {
      bits = static_cast<Key>((key & kTop) != 0 ? key ^ kTop : ~key);
    } else if constexpr (std::is_signed_v<T>) {
      bits = static_cast<Key>(key ^ kTop);
    }
    return std::bit_cast<T>(bits);
  }
};

// The finite elements of a tensor, as keys.
template <class T>
class Selection {
 public:
  using Key = typename Keys<T>::Key;

  Selection(const std::byte* data, size_t count) : data_(data), count_(count) {
    ForEach([this](Key) { ++finite_count_; });
  }

  size_t finite_count() const { return finite_count_; }

  // The key with `rank` others before it, found digit by digit from the top.
  Key AtRank(size_t rank) const {
    Key found = 0;
    for (int low = Keys<T>::kBits; low > 0;) {
      const int high = low;
      low = std::max(0, low - kDigitBits);
      std::array<uint64_t, 1 << kDigitBits> counts{};
      ForEach([&](Key key) {
        if (Above(key, high) == Above(found, high)) ++counts[Digit(key, low, high)];
      });
      size_t digit = 0;
      while (counts[digit] <= rank) rank -= counts[digit++];
      found = static_cast<Key>(found | static_cast<Key>(digit) << low);
    }
    return found;
  }

  // The key at the rank after that of `key`, which AtRank found at `rank`.
  Key Next(Key key, size_t rank) const {
    size_t up_to_key = 0;
    Key next = std::numeric_limits<Key>::max();
    ForEach([&](Key other) {
      up_to_key += other <= key;
      if (other > key) next = std::min(next, other);
    });
    return up_to_key > rank + 1 ? key : next;
  }

 private:
  static constexpr int kDigitBits = 11;

  // Shifts by the full width are not defined.
  static Key Above(Key key, int bit) {
    return bit == Keys<T>::kBits ? Key{0} : static_cast<Key>(key >> bit);
  }
  static size_t Digit(Key key, int low, int high) {
    return static_cast<size_t>(key >> low) & ((size_t{1} << (high - low)) - 1);
  }

  template <class Visitor>
  void ForEach(Visitor&& visitor) const {
    for (size_t i = 0; i < count_; ++i) {
      const T value = ReadElement<T>(data_, i);
      if (std::isfinite(ToDouble(value))) visitor(Keys<T>::FromValue(value));
    }
  }

  const std::byte* data_;
  size_t count_;
  size_t finite_count_ = 0;
};

// As NumPy does it: from the nearer end, so that the ends themselves come out exact.
double Interpolate(double low, double high, double fraction) {
  const double distance = high - low;
  return fraction < 0.5 ? low + distance * fraction : high - distance * (1 - fraction);
}

template <class T>
std::optional<double> QuantileOf(const TensorRef& tensor, double q) {
  const Selection<T> selection(static_cast<const std::byte*>(tensor.data), tensor.count());
  const size_t n = selection.finite_count();
  if (n == 0) return std::nullopt;
  const double position = q * static_cast<double>(n - 1);
  const size_t rank = std::min(static_cast<size_t>(position), n - 1);
  const double fraction = position - static_cast<double>(rank);
  const auto key = selection.AtRank(rank);
  const double low = ToDouble(Keys<T>::ToValue(key));
  if (fraction == 0) return low;
  return Interpolate(low, ToDouble(Keys<T>::ToValue(selection.Next(key, rank))), fraction);
}

}  // namespace

Result<double> Quantile(const TensorRef& tensor, double q) {
  if (!(q >= 0 && q <= 1)) {
    return Status(Code::kInvalid, fmt::format("quantile is {}; expected 0 to 1", q));
  }
  std::optional<double> value;
  const Status status =
      VisitReal(tensor.dtype, [&]<class T>() { value = QuantileOf<T>(tensor, q); });
  if (!status.ok()) return status;
  if (!value.has_value())
    return Status(Code::kNotFound, "no finite elements to compute a quantile from");
  return *value;
}

}  // namespace warden::stats
