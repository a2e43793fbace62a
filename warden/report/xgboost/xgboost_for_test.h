#ifndef WARDEN_REPORT_XGBOOST_XGBOOST_FOR_TEST_H_
#define WARDEN_REPORT_XGBOOST_XGBOOST_FOR_TEST_H_

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "warden/report/xgboost/samples.h"

namespace warden::report::xgboost {

inline trial::TensorValue TensorOf(const std::vector<double>& numbers, std::vector<int64_t> shape) {
  trial::TensorValue value;
  auto bytes = std::make_shared<std::vector<std::byte>>(numbers.size() * sizeof(double));
  if (!numbers.empty()) std::memcpy(bytes->data(), numbers.data(), bytes->size());
  value.dtype = DType::kFloat64;
  value.shape = std::move(shape);
  value.data = *bytes;
  value.owner = bytes;
  return value;
}

inline Samples SamplesOf(const std::vector<double>& labels,
                         const std::vector<double>& predictions) {
  const auto rows = static_cast<int64_t>(labels.size());
  const auto width = static_cast<int64_t>(predictions.size() / labels.size());
  return Samples::Make(TensorOf(labels, {rows}), TensorOf(predictions, {rows, width}), 0).value();
}

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_XGBOOST_FOR_TEST_H_
