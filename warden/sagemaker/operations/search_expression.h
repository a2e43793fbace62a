#ifndef WARDEN_SAGEMAKER_OPERATIONS_SEARCH_EXPRESSION_H_
#define WARDEN_SAGEMAKER_OPERATIONS_SEARCH_EXPRESSION_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/sagemaker/model/error.h"

namespace warden::sagemaker::operations {

// All values that a dotted name leads to in a record; lists are looked into. "Tags.KEY",
// "HyperParameters.KEY", "Environment.KEY" and "Metrics.NAME" take the rest of the name as one key.
std::vector<const Json*> ValuesAt(const Json& record, std::string_view name);

// Less than 0, 0, or more: numbers and times by value, also where they are written as text;
// everything else as text.
int Compare(const Json& value, const std::string& text);
int Compare(const Json& a, const Json& b);

// What is wrong with a SearchExpression beyond the model: too many parts, operators with a value
// too many or too few.
std::optional<ApiError> CheckExpression(const Json& expression);

// Whether a record is what the expression looks for. REQUIRES: CheckExpression.
bool Matches(const Json& expression, const Json& record);

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_SEARCH_EXPRESSION_H_
