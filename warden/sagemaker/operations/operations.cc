#include "warden/sagemaker/operations/operations.h"

#include <algorithm>
#include <iterator>

namespace warden::sagemaker::operations {
namespace {

constexpr Operation kOperations[] = {
    {"CreateTrainingJob", auth::Scope::kWrite, &CreateTrainingJob},
    {"DescribeTrainingJob", auth::Scope::kRead, &DescribeTrainingJob},
    {"UpdateTrainingJob", auth::Scope::kWrite, &UpdateTrainingJob},
    {"StopTrainingJob", auth::Scope::kWrite, &StopTrainingJob},
    {"DeleteTrainingJob", auth::Scope::kWrite, &DeleteTrainingJob},
    {"ListTrainingJobs", auth::Scope::kRead, &ListTrainingJobs},
    {"CreateProcessingJob", auth::Scope::kWrite, &CreateProcessingJob},
    {"DescribeProcessingJob", auth::Scope::kRead, &DescribeProcessingJob},
    {"StopProcessingJob", auth::Scope::kWrite, &StopProcessingJob},
    {"ListProcessingJobs", auth::Scope::kRead, &ListProcessingJobs},
    {"Search", auth::Scope::kRead, &Search},
    {"AddTags", auth::Scope::kWrite, &AddTags},
    {"ListTags", auth::Scope::kRead, &ListTags},
    {"DeleteTags", auth::Scope::kWrite, &DeleteTags},
};

}  // namespace

const Operation* FindOperation(std::string_view name) {
  const auto* found = std::find_if(std::begin(kOperations), std::end(kOperations),
                                   [&](const Operation& each) { return each.name == name; });
  return found == std::end(kOperations) ? nullptr : found;
}

}  // namespace warden::sagemaker::operations
