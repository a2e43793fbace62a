// The extension module tensorwarden._s3: how tensorwarden._core reads "s3://". Apart from _core,
// because it loads a network library, which a training process is to do without.
#include <nanobind/nanobind.h>

#include "python/src/s3_opener.h"
#include "warden/storage/s3/s3_store.h"

namespace nb = nanobind;

namespace warden::python {
namespace {

Result<std::unique_ptr<storage::Store>> Open(std::string_view url) {
  return storage::s3::OpenS3Store(url);
}

}  // namespace
}  // namespace warden::python

NB_MODULE(_s3, module) {
  module.doc() = "Reads runs in S3, for _core.use_s3.";
  module.def(
      "opener",
      [] {
        return nb::capsule(reinterpret_cast<void*>(&warden::python::Open),
                           warden::python::kS3OpenerName);
      },
      "Returns what _core.use_s3 takes.");
}
