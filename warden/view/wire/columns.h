#ifndef WARDEN_VIEW_WIRE_COLUMNS_H_
#define WARDEN_VIEW_WIRE_COLUMNS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/json_fwd.h"

namespace warden::view {

// Many numbers for a page, which uses them as they come: a header in JSON, then the columns. The
// bytes are described in docs/reference/dashboard_api.md.
class Columns {
 public:
  void Add(std::string_view name, std::span<const double> values);
  void Add(std::string_view name, std::span<const float> values);
  void Add(std::string_view name, std::span<const uint32_t> values);
  void Add(std::string_view name, std::span<const uint8_t> values);

  // header: an object; its member "columns" is ours.
  std::string Encode(const Json& header) const;

 private:
  struct Column {
    std::string name;
    std::string_view type;
    size_t length = 0;
    std::string bytes;
  };
  void AddBytes(std::string_view name, std::string_view type, size_t length, std::string bytes);

  std::vector<Column> columns_;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_WIRE_COLUMNS_H_
