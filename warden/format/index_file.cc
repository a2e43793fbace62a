#include "warden/format/index_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <iterator>
#include <optional>

#include "warden/base/json.h"

namespace warden::format {
namespace {

namespace dom = simdjson::dom;

Status Bad(std::string_view what) { return Status(Code::kBadIndex, std::string(what)); }

// ---- Writing.

void AppendMeta(const IndexFile& index, std::string* out) {
  fmt::format_to(std::back_inserter(*out), R"({{"mode": "{}", "mode_step": {})",
                 ModeName(index.mode), index.mode_step);
  if (!index.event_file.empty()) {
    *out += R"(, "event_file_name": )";
    AppendJsonString(index.event_file, out);
  }
  if (index.event_file_crc32c) {
    fmt::format_to(std::back_inserter(*out), R"(, "event_file_crc32c": {})",
                   *index.event_file_crc32c);
  }
  *out += '}';
}

void AppendEntry(const IndexEntry& entry, std::string* out) {
  *out += R"({"tensorname": )";
  AppendJsonString(entry.tensor, out);
  fmt::format_to(std::back_inserter(*out), R"(, "start_idx": {}, "length": {}}})", entry.start,
                 entry.length);
}

void AppendShape(const IndexShape& shape, std::string* out) {
  *out += R"({"tensorname": )";
  AppendJsonString(shape.tensor, out);
  *out += R"(, "originalname": )";
  AppendJsonString(shape.original_name, out);
  fmt::format_to(std::back_inserter(*out), R"(, "shape": [{}]}})", fmt::join(shape.shape, ", "));
}

template <class T>
void AppendList(const std::vector<T>& items, void (*append)(const T&, std::string*),
                std::string* out) {
  *out += '[';
  for (const T& item : items) {
    if (&item != items.data()) *out += ", ";
    append(item, out);
  }
  *out += ']';
}

// ---- Reading. Fields are taken as they come, so that of two with one name the later counts.

// Whether the path names something in the run's folder and not beside or above it.
bool StaysInside(std::string_view path) {
  if (path.starts_with('/')) return false;
  for (size_t start = 0; start <= path.size();) {
    const size_t end = std::min(path.find('/', start), path.size());
    if (path.substr(start, end - start) == "..") return false;
    start = end + 1;
  }
  return true;
}

Status ParseMeta(const dom::element& element, IndexFile* index) {
  dom::object meta;
  if (element.get(meta) != simdjson::SUCCESS) return Bad("meta is not an object");
  std::optional<Mode> mode;
  bool has_step = false;
  for (const dom::key_value_pair field : meta) {
    std::string_view text;
    if (field.key == "mode") {
      if (field.value.get(text) == simdjson::SUCCESS) mode = ParseMode(text);
      if (!mode) return Bad("meta.mode is not one of TRAIN, EVAL, PREDICT, GLOBAL");
    } else if (field.key == "mode_step") {
      has_step = field.value.get(index->mode_step) == simdjson::SUCCESS;
    } else if (field.key == "event_file_name") {
      if (field.value.get(text) != simdjson::SUCCESS || !StaysInside(text)) {
        return Bad("meta.event_file_name is not a path inside the run's folder");
      }
      index->event_file = text;
    } else if (field.key == "event_file_crc32c") {
      uint64_t sum = 0;
      if (field.value.get(sum) != simdjson::SUCCESS || sum > UINT32_MAX) {
        return Bad("meta.event_file_crc32c is not a number of 32 bits");
      }
      index->event_file_crc32c = static_cast<uint32_t>(sum);
    }
  }
  if (!mode) return Bad("meta.mode is missing");
  if (!has_step) return Bad("meta.mode_step is missing or not an integer");
  index->mode = *mode;
  return Status();
}

Status ParseEntry(const dom::object& object, IndexEntry* entry) {
  bool has_name = false, has_start = false, has_length = false;
  for (const dom::key_value_pair field : object) {
    if (field.key == "tensorname") {
      has_name = field.value.get(entry->tensor) == simdjson::SUCCESS;
    } else if (field.key == "start_idx") {
      has_start = field.value.get(entry->start) == simdjson::SUCCESS;
    } else if (field.key == "length") {
      has_length = field.value.get(entry->length) == simdjson::SUCCESS;
    }
  }
  if (!has_name) return Bad("tensor_payload has an entry without a tensorname");
  if (!has_start || !has_length || entry->start + entry->length < entry->start) {
    return Bad(
        fmt::format("tensor_payload has no valid start_idx and length for {}", entry->tensor));
  }
  return Status();
}

Status ParseSizes(const dom::element& element, IndexShape* shape) {
  dom::array sizes;
  bool good = element.get(sizes) == simdjson::SUCCESS;
  if (good) {
    shape->shape.clear();
    for (const dom::element size : sizes) {
      int64_t& number = shape->shape.emplace_back();
      good = good && size.get(number) == simdjson::SUCCESS && number >= 0;
    }
  }
  return good ? Status() : Bad("shape_payload has a shape that is not a list of sizes");
}

Status ParseShape(const dom::object& object, IndexShape* shape) {
  bool has_name = false, has_original = false, has_shape = false;
  for (const dom::key_value_pair field : object) {
    if (field.key == "tensorname") {
      has_name = field.value.get(shape->tensor) == simdjson::SUCCESS;
    } else if (field.key == "originalname") {
      has_original = field.value.get(shape->original_name) == simdjson::SUCCESS;
    } else if (field.key == "shape") {
      if (Status s = ParseSizes(field.value, shape); !s.ok()) return s;
      has_shape = true;
    }
  }
  if (!has_name) return Bad("shape_payload has an entry without a tensorname");
  if (!has_shape) return Bad(fmt::format("shape_payload has no shape for {}", shape->tensor));
  if (!has_original) shape->original_name = shape->tensor;
  return Status();
}

template <class T>
Status ParseList(std::string_view key, const dom::element& element,
                 Status (*parse)(const dom::object&, T*), std::vector<T>* out) {
  dom::array list;
  if (element.get(list) != simdjson::SUCCESS) return Bad(fmt::format("{} is not a list", key));
  out->clear();
  for (const dom::element item : list) {
    dom::object object;
    if (item.get(object) != simdjson::SUCCESS) {
      return Bad(fmt::format("{} has an entry that is not an object", key));
    }
    if (Status s = parse(object, &out->emplace_back()); !s.ok()) return s;
  }
  return Status();
}

Status ParseIndex(const dom::element& root, IndexFile* index) {
  dom::object object;
  if (root.get(object) != simdjson::SUCCESS) return Bad("not a JSON object");
  bool has_meta = false, has_payload = false;
  for (const dom::key_value_pair field : object) {
    Status status;
    if (field.key == "meta") {
      has_meta = true;
      status = ParseMeta(field.value, index);
    } else if (field.key == "tensor_payload") {
      has_payload = true;
      status = ParseList(field.key, field.value, ParseEntry, &index->entries);
    } else if (field.key == "shape_payload") {
      has_payload = true;
      status = ParseList(field.key, field.value, ParseShape, &index->shapes);
    }
    if (!status.ok()) return status;
  }
  if (!has_meta) return Bad("meta is missing");
  if (!has_payload) return Bad("tensor_payload and shape_payload are both missing");
  return Status();
}

}  // namespace

std::string EncodeIndexFile(const IndexFile& index) {
  std::string out = R"({"meta": )";
  AppendMeta(index, &out);
  out += R"(, "tensor_payload": )";
  AppendList(index.entries, AppendEntry, &out);
  out += R"(, "shape_payload": )";
  AppendList(index.shapes, AppendShape, &out);
  out += '}';
  return out;
}

struct IndexParser::State {
  dom::parser parser;
  IndexFile index;
};

IndexParser::IndexParser() : state_(std::make_unique<State>()) {}
IndexParser::~IndexParser() = default;

Result<const IndexFile*> IndexParser::Parse(std::string_view text) {
  IndexFile& index = state_->index;
  index.mode_step = 0;
  index.event_file = {};
  index.event_file_crc32c.reset();
  index.entries.clear();
  index.shapes.clear();
  if (text.empty()) return Bad("the file is empty");  // simdjson would copy from no address.
  dom::element root;
  const auto error = state_->parser.parse(text.data(), text.size()).get(root);
  if (error != simdjson::SUCCESS) {
    return Bad(fmt::format("invalid JSON: {}", simdjson::error_message(error)));
  }
  if (Status s = ParseIndex(root, &index); !s.ok()) return s;
  return &index;
}

}  // namespace warden::format
