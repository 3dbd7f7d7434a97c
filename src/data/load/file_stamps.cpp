#include "data/load/file_stamps.hpp"

#include <sys/stat.h>

#include "core/text.hpp"
#include "data/input/input_files.hpp"
#include "flymc/error.hpp"

namespace flymc {

FileStamps::FileStamps(const LoadSpec& spec) {
  if (spec.path != kStandardInput) {
    paths_ = input_files(spec.path).paths;
  }
  const Format format = named_format(spec);
  if (format == Format::kNpy || format == Format::kAuto) {  // whose columns may be files
    for (const std::string& part : {spec.response, spec.weights, spec.offset, spec.second()}) {
      if (!part.empty()) {
        paths_.push_back(part);
      }
    }
  }
  for (const std::string& path : paths_) {
    stamps_.push_back(stamp_of(path));
  }
}

void FileStamps::require_unchanged() const {
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    if (stamp_of(paths_[i]) != stamps_[i]) {
      throw Error(ErrorKind::kIo, escaped(paths_[i]) + " changed while it was read",
                  "try again when it is whole.");
    }
  }
}

FileStamps::Stamp FileStamps::stamp_of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return {};
  }
  return {static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino),
          static_cast<std::int64_t>(info.st_size), static_cast<std::int64_t>(info.st_mtim.tv_sec),
          static_cast<std::int64_t>(info.st_mtim.tv_nsec)};
}

}  // namespace flymc
