// Where real data lie beside the repository, in shared/data; there need not be any.
#pragma once

#include <filesystem>

namespace flymc::testing {

// Found from the working directory upwards: tests run inside the build folder.
inline std::filesystem::path real_data() {
  namespace fs = std::filesystem;
  for (fs::path folder = fs::current_path();; folder = folder.parent_path()) {
    if (fs::is_directory(folder / "shared/data") || folder == folder.root_path()) {
      return folder / "shared/data";
    }
  }
}

}  // namespace flymc::testing
