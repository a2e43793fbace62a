#ifndef WARDEN_FORMAT_TENSOR_PROTO_H_
#define WARDEN_FORMAT_TENSOR_PROTO_H_

#include <cstdint>

#include "warden/base/status.h"
#include "warden/format/event_message.h"
#include "warden/format/wire.h"

namespace warden::format {

// Reads a TensorProto into *value: dtype, shape, and content, own_content or strings. Only
// ParseEvent calls it. Views in *value point into the message. kCorrupt for a broken message, an
// unknown rank, more than 254 dimensions, or values that do not fit the shape; kInvalidType for an
// element type that we do not have. After an error *value is partly filled.
//
// Values listed one by one may be fewer than the shape has elements; the last one then stands for
// all that are missing. *fill_budget is how many bytes may be made that way, and is lowered by what
// was: a few bytes of a hostile file must not claim gigabytes.
Status ParseTensorProto(const WireReader& tensor, uint64_t* fill_budget, EventValue* value);

}  // namespace warden::format

#endif  // WARDEN_FORMAT_TENSOR_PROTO_H_
