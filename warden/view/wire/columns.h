#ifndef WARDEN_VIEW_WIRE_COLUMNS_H_
#define WARDEN_VIEW_WIRE_COLUMNS_H_

// Numbers for the browser without parsing: the page makes typed arrays of the bytes as they arrive.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/json_fwd.h"

namespace warden::view {

// Many numbers in one answer of the dashboard, which the page uses as they arrive: a header in
// JSON, then the columns, each aligned to 8 bytes. docs/reference/dashboard_api.md describes the
// bytes. The endpoints for tensors, metrics and timelines use it. For one thread.
//
//   Columns columns;
//   columns.Add("step", steps);
//   columns.Add("time", times);
//   return ColumnsAnswer(columns.Encode({{"node", name}}));
//
// A message begins with "WCOL" and the length of the header, which is padded with blanks.
class Columns {
 public:
  // Adds a column; its type on the wire is that of the values. The values are copied. Names are
  // expected to be unique; columns keep their order and may differ in length. NaN and infinities
  // are sent as they are, unlike in JSON.
  void Add(std::string_view name, std::span<const double> values);
  void Add(std::string_view name, std::span<const float> values);
  void Add(std::string_view name, std::span<const uint32_t> values);
  void Add(std::string_view name, std::span<const uint8_t> values);

  // All columns as one message. header: an object; its member "columns", if any, is replaced. Bytes
  // in it that are not UTF-8 are replaced, since names of tensors may be any bytes. Makes one copy
  // of everything. May be called again.
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
