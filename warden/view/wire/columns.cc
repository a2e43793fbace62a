#include "warden/view/wire/columns.h"

#include <bit>
#include <utility>

#include "warden/base/json.h"

namespace warden::view {
namespace {

static_assert(std::endian::native == std::endian::little, "columns are sent as they lie in memory");

constexpr size_t kAlignment = 8;
constexpr std::string_view kMagic = "WCOL";

size_t Padded(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

template <class T>
std::string BytesOf(std::span<const T> values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

}  // namespace

void Columns::Add(std::string_view name, std::span<const double> values) {
  AddBytes(name, "f64", values.size(), BytesOf(values));
}

void Columns::Add(std::string_view name, std::span<const float> values) {
  AddBytes(name, "f32", values.size(), BytesOf(values));
}

void Columns::Add(std::string_view name, std::span<const uint32_t> values) {
  AddBytes(name, "u32", values.size(), BytesOf(values));
}

void Columns::Add(std::string_view name, std::span<const uint8_t> values) {
  AddBytes(name, "u8", values.size(), BytesOf(values));
}

void Columns::AddBytes(std::string_view name, std::string_view type, size_t length,
                       std::string bytes) {
  columns_.push_back({std::string(name), type, length, std::move(bytes)});
}

std::string Columns::Encode(const Json& header) const {
  Json told = header;
  Json& described = told["columns"] = Json::array();
  size_t size = 0;
  for (const Column& column : columns_) {
    described.push_back({{"name", column.name}, {"type", column.type}, {"length", column.length}});
    size += Padded(column.bytes.size());
  }
  // Names of tensors may be any bytes.
  std::string text = told.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize(Padded(text.size()), ' ');
  const auto length = static_cast<uint32_t>(text.size());
  std::string out;
  out.reserve(kAlignment + text.size() + size);
  out += kMagic;
  out.append(reinterpret_cast<const char*>(&length), sizeof(length));
  out += text;
  for (const Column& column : columns_) {
    out += column.bytes;
    out.resize(Padded(out.size()));
  }
  return out;
}

}  // namespace warden::view
