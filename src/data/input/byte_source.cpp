#include "data/input/byte_source.hpp"

#include <algorithm>
#include <utility>

#include "core/text.hpp"
#include "data/input/input_files.hpp"

namespace flymc {
namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 20;

}  // namespace

ByteSource::ByteSource(std::string path) : path_(std::move(path)) {
  if (path_ == kStandardInput) {
    last_ = false;
    refill();
  } else {
    file_.emplace(path_);
    input_ = file_->bytes();
  }
  packing_ = packing_of(input_);
  unpacker_ = make_unpacker(packing_, escaped(path_));
}

void ByteSource::refill() {
  std::copy_n(input_.data(), input_.size(), piped_.data());
  const std::size_t kept = input_.size();
  piped_.resize(kHeadBytes);
  const std::size_t filled = kept + read_standard_input(std::span(piped_).subspan(kept));
  last_ = filled < piped_.size();
  input_ = {piped_.data(), filled};
}

std::string ByteSource::head() const {
  std::string bytes(kHeadBytes, '\0');
  std::string_view input = input_.substr(0, kHeadBytes);
  const bool whole = last_ && input.size() == input_.size();
  bytes.resize(make_unpacker(packing_, escaped(path_))->unpack(input, bytes, whole));
  return bytes;
}

std::size_t ByteSource::read(std::span<char> out) {
  std::size_t filled = unpacker_->unpack(input_, out, last_);
  while (filled < out.size() && !last_) {
    refill();
    filled += unpacker_->unpack(input_, out.subspan(filled), last_);
  }
  return filled;
}

}  // namespace flymc
