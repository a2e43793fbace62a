#include "warden/report/put_text.h"

namespace warden::report {

Status PutText(storage::Store* store, const std::string& key, const std::string& text) {
  const Status put = store->Put(key, AsBytes(text));
  return put.ok() ? put : put.WithContext("writing " + store->Locate(key));
}

}  // namespace warden::report
