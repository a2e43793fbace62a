#include "warden/sagemaker/without_nulls.h"

#include "warden/base/json.h"

namespace warden::sagemaker {

Json WithoutNulls(const Json& json) {
  if (json.is_object()) {
    Json copy = Json::object();
    for (const auto& item : json.items()) {
      if (!item.value().is_null()) copy.emplace(item.key(), WithoutNulls(item.value()));
    }
    return copy;
  }
  if (!json.is_array()) return json;
  Json copy = Json::array();
  for (const Json& element : json) {
    if (!element.is_null()) copy.push_back(WithoutNulls(element));
  }
  return copy;
}

}  // namespace warden::sagemaker
