// The input as the body of a request of each operation, checked against the model.

#include <string>

#include "fuzz/check.h"
#include "warden/base/json.h"
#include "warden/sagemaker/model/shapes.h"
#include "warden/sagemaker/model/validate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const warden::Result<warden::Json> body = warden::ParseJson(warden::fuzz::Text(data, size));
  if (!body.ok()) return 0;
  for (const std::string& operation : warden::sagemaker::Operations()) {
    const auto error = warden::sagemaker::Validate(operation, body.value());
    if (!error) continue;
    // Messages go into JSON, so they have to be text.
    warden::fuzz::Check(error->message.size() < 20'000'000);
    warden::fuzz::Check(!warden::DumpLikePython(error->message).empty());
  }
  return 0;
}
