#ifndef WARDEN_SAGEMAKER_OPERATIONS_SEARCH_EXPRESSION_H_
#define WARDEN_SAGEMAKER_OPERATIONS_SEARCH_EXPRESSION_H_

// The language of Search (SearchExpression), on records as DescribeTrainingJob returns them. Pure
// functions.
//
//   {"Filters": [{"Name": "TrainingJobStatus", "Operator": "Equals", "Value": "Failed"},
//                {"Name": "HyperParameters.lr", "Operator": "GreaterThan", "Value": "0.1"}]}

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/sagemaker/model/api_error.h"

namespace warden::sagemaker::operations {

// All values that a dotted name leads to in a record; the elements of lists are searched, too.
// "Tags.KEY", "HyperParameters.KEY", "Environment.KEY" and "Metrics.NAME" take the rest of the name
// as one key. The pointers are into the record.
std::vector<const Json*> ValuesAt(const Json& record, std::string_view name);

// Less than 0, 0, or more. Numbers and times are compared by value, also where they are written as
// text; everything else as text. NaN is larger than all other numbers.
int Compare(const Json& value, const std::string& text);
// The same for sorting: a strict weak order of all values, in which numbers come before the rest.
int Compare(const Json& a, const Json& b);

// Returns what is wrong with an expression beyond the model, if anything: more than 200 parts, or
// operators with a value too many or too few.
std::optional<ApiError> CheckExpression(const Json& expression);

// Whether a record matches. An empty expression matches all. REQUIRES: CheckExpression(expression)
// found nothing.
bool Matches(const Json& expression, const Json& record);

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_SEARCH_EXPRESSION_H_
