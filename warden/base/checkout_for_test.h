// Files of this checkout that tests read. Their paths are compiled into one small file of each test
// program: in the flags of all, they would keep the compiler cache from serving another checkout.
#ifndef WARDEN_BASE_CHECKOUT_FOR_TEST_H_
#define WARDEN_BASE_CHECKOUT_FOR_TEST_H_

#include <string>
#include <string_view>

namespace warden {

// The absolute path of a file or folder of the repository: SourceFile("tests/golden").
std::string SourceFile(std::string_view path);

// That of one that `make` has put into build/: BuiltFile("venv/bin/python").
std::string BuiltFile(std::string_view path);

}  // namespace warden

#endif  // WARDEN_BASE_CHECKOUT_FOR_TEST_H_
