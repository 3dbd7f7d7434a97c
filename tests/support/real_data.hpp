// Real data for those who have it: the folder shared/data beside the repository. Tests that want it
// skip themselves where it is not.
#pragma once

#include <filesystem>

namespace flymc::testing {

inline std::filesystem::path real_data() {
  return std::filesystem::path(__FILE__).parent_path().parent_path().parent_path().parent_path() /
         "shared/data";
}

}  // namespace flymc::testing
