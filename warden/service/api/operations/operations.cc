#include "warden/service/api/operations/operations.h"

#include <algorithm>
#include <iterator>

namespace warden::service::operations {
namespace {

constexpr Operation kOperations[] = {
    {"CreateTrainingJob", Scope::kWrite, &CreateTrainingJob},
    {"DescribeTrainingJob", Scope::kRead, &DescribeTrainingJob},
    {"UpdateTrainingJob", Scope::kWrite, &UpdateTrainingJob},
    {"StopTrainingJob", Scope::kWrite, &StopTrainingJob},
    {"DeleteTrainingJob", Scope::kWrite, &DeleteTrainingJob},
    {"ListTrainingJobs", Scope::kRead, &ListTrainingJobs},
    {"CreateProcessingJob", Scope::kWrite, &CreateProcessingJob},
    {"DescribeProcessingJob", Scope::kRead, &DescribeProcessingJob},
    {"StopProcessingJob", Scope::kWrite, &StopProcessingJob},
    {"ListProcessingJobs", Scope::kRead, &ListProcessingJobs},
    {"Search", Scope::kRead, &Search},
    {"AddTags", Scope::kWrite, &AddTags},
    {"ListTags", Scope::kRead, &ListTags},
    {"DeleteTags", Scope::kWrite, &DeleteTags},
};

}  // namespace

const Operation* FindOperation(std::string_view name) {
  const auto* found = std::find_if(std::begin(kOperations), std::end(kOperations),
                                   [&](const Operation& each) { return each.name == name; });
  return found == std::end(kOperations) ? nullptr : found;
}

}  // namespace warden::service::operations
