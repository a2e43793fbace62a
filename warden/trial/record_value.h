#ifndef WARDEN_TRIAL_RECORD_VALUE_H_
#define WARDEN_TRIAL_RECORD_VALUE_H_

#include <cstdint>

#include "warden/base/status.h"
#include "warden/storage/store.h"
#include "warden/trial/tensor_value.h"

namespace warden::trial {

// The tensor in a record, which is all of the blob. The value points into the blob and keeps it
// alive; offset is where the blob begins in its file, for messages.
Result<TensorValue> ToTensorValue(const storage::Blob& blob, uint64_t offset);

// The number that a saved reduction is.
Result<double> FirstNumber(const TensorValue& value);

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_RECORD_VALUE_H_
