// Binds what warden/storage opens: runs in S3, once tensorwarden._s3 is loaded.
#include <nanobind/nanobind.h>

#include "python/src/s3_opener.h"
#include "warden/storage/store.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace warden::python {
namespace {

void UseS3(const nb::object& opener) {
  void* const function = PyCapsule_GetPointer(opener.ptr(), kS3OpenerName);
  if (function == nullptr) throw nb::python_error();
  storage::SetS3Opener(reinterpret_cast<storage::S3Opener>(function));
}

}  // namespace

void InitStorage(nb::module_& module) {
  module.def("use_s3", &UseS3, "opener"_a,
             "Opens s3:// locations from now on. opener: of tensorwarden._s3.opener().");
}

}  // namespace warden::python
