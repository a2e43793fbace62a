#ifndef WARDEN_TRIAL_RECORD_VALUE_H_
#define WARDEN_TRIAL_RECORD_VALUE_H_

#include <cstdint>

#include "warden/base/status.h"
#include "warden/storage/store.h"
#include "warden/trial/tensor_value.h"

namespace warden::trial {

// From the bytes of a record to a value, for those who find records by an index: Trial, StepReader,
// rules and the dashboard. Safe for many threads.

// The tensor in a record, which is all of the blob. The value points into the blob and keeps it
// alive, or owns its values where the record lists them one by one; offset is where the blob begins
// in its file, for messages. kTruncated if the record needs more bytes than the blob has, kCorrupt
// if a check fails or it holds no tensor, kInvalidType for an element type that we do not have.
Result<TensorValue> ToTensorValue(const storage::Blob& blob, uint64_t offset);

// The number that a saved reduction is: the first element, as a double. kCorrupt if there is none,
// kInvalidType for complex numbers and strings.
Result<double> FirstNumber(const TensorValue& value);

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_RECORD_VALUE_H_
