#include "run/chain_csv.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

#include "core/message.hpp"
#include "core/output_folder.hpp"
#include "core/text.hpp"
#include "core/version.hpp"
#include "data/input/content.hpp"
#include "fit/words.hpp"
#include "flymc/error.hpp"
#include "run/run_files.hpp"

namespace flymc {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kFlushBytes = std::size_t{1} << 16;

// As printf's %.17g, in a third of its time: digits are most of what writing a draw costs.
void append_number(std::string& text, double value) {
  if (std::isnan(value)) {  // some processors give it a sign
    text += "nan";
    return;
  }
  constexpr int kDigits = 17;  // with them any double reads back as it was
  std::array<char, 32> bytes;
  const auto result = std::to_chars(bytes.data(), bytes.data() + bytes.size(), value,
                                    std::chars_format::general, kDigits);
  text.append(bytes.data(), result.ptr);
}

}  // namespace

// The keys that cmdstanpy and ArviZ look for; "fixed_param" tells them not to expect NUTS columns.
std::string csv_head(const Problem& problem, const FitSettings& options, std::uint32_t chain,
                     bool regular) {
  return fmt::format(
      "# model = flymc_{}\n# flymc_version = {}\n# method = sample (Default)\n#   sample\n"
      "#     num_samples = {}\n#     num_warmup = {}\n#     save_warmup = 0 (Default)\n"
      "#     thin = {}\n#     algorithm = fixed_param\n# id = {}\n# random\n#   seed = {}\n"
      "# engine = {}\n# kernel = {}\n# rows = {}\n",
      options.family, version(), options.schedule.draws, options.schedule.warmup,
      options.schedule.thin, chain + 1, options.seed, regular ? "regular" : "fly",
      name_of(options.chosen_kernel()), problem.rows);
}

ChainCsv::ChainCsv(fs::path path, const Problem& problem, const std::string& head, Start start)
    : path_(std::move(path)), values_(problem), kept_draws_(start.draws) {
  if (start.mark > 0) {
    cut_chain_file(path_, head, start.mark);
    open(Begin::kAtTheEnd);
    mark_ = start.mark;
    return;
  }
  open(Begin::kAnew);
  buffer_ = head;
  write_buffer();
  mark_ = 0;
  buffer_ += fmt::format("{}", fmt::join(kStatisticColumns, ","));
  for (const auto& parameter : problem.parameters) {
    buffer_ += "," + parameter.column;
  }
  buffer_ += "\n";
  write_buffer();
}

// What a link points to is not ours to write.
void ChainCsv::open(Begin begin) {
  constexpr int kMode = 0666;
  const int start = begin == Begin::kAnew ? O_CREAT | O_TRUNC : O_APPEND;
  const int file = ::open(path_.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC | start, kMode);
  file_.reset(file < 0 ? nullptr : ::fdopen(file, begin == Begin::kAnew ? "wb" : "ab"));
  if (!file_ && errno == ENOMEM) {
    throw std::bad_alloc();
  }
  if (!file_) {
    const char* const why = errno == ELOOP ? "it is a link" : std::strerror(errno);
    throw Error(errno == EACCES ? ErrorKind::kPermission : ErrorKind::kCannotCreate,
                fmt::format("cannot create {}: {}", escaped(path_.string()), why),
                message("choose another {}.", Setting{"out"}));
  }
}

void ChainCsv::accept(const Draw& draw) {
  append_number(buffer_, draw.log_density);
  buffer_ += ',';
  append_number(buffer_, draw.accept_prob);
  fmt::format_to(std::back_inserter(buffer_), ",{},{}", draw.bright, draw.queries);
  for (const double value : values_.of(draw.theta)) {
    buffer_ += ',';
    append_number(buffer_, value);
  }
  buffer_ += "\n";
  if (buffer_.size() > kFlushBytes) {
    write_buffer();
  }
}

void ChainCsv::write_buffer() {
  if (failed_) {
    errno = ENOSPC;
    fail_to_write();
  }
  const std::size_t written = std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get());
  if (written != buffer_.size() || std::fflush(file_.get()) != 0) {
    failed_ = true;
    fail_to_write();
  }
  mark_ += written;
  buffer_.clear();
}

std::uint64_t ChainCsv::mark() {
  write_buffer();
  if (::fdatasync(::fileno(file_.get())) != 0 && errno != EINVAL) {  // EINVAL: a device, not a file
    fail_to_write();
  }
  return mark_;
}

Message ChainCsv::remedy(const char* first) const {
  const std::string kept = kept_draws_ == 0 ? "there is no checkpoint yet"
                                            : fmt::format("the checkpoint of draw {} is intact",
                                                          with_commas(kept_draws_));
  const std::string folder = escaped((known_folder(path_.parent_path()) / "").string());
  return message("{}; {}, then {}", kept, first, Command{"fit", "", {"resume", folder}});
}

void ChainCsv::fail_to_write() const {
  const int cause = errno;
  const std::string file = escaped(path_.string());
  if (cause == ENOSPC || cause == EDQUOT || cause == EFBIG) {
    throw Error(ErrorKind::kIo, "no space left writing " + file, remedy("free space"));
  }
  throw Error(ErrorKind::kIo, fmt::format("cannot write {}: {}", file, std::strerror(cause)),
              remedy("repair that"));
}

void cut_chain_file(const fs::path& path, const std::string& head,
                    std::optional<std::uint64_t> body_bytes) {
  if (fs::is_symlink(path)) {
    throw Error(ErrorKind::kData, escaped(path.string()) + " is a link",
                "put the file itself in its place.");
  }
  const FileMap file(path.string());
  const std::string_view old = file.bytes();
  std::size_t begin = 0;
  while (begin < old.size() && old[begin] == '#') {
    begin = std::min(old.find('\n', begin), old.size() - 1) + 1;
  }
  const std::uint64_t body = body_bytes.value_or(old.size() - begin);
  if (old.size() - begin < body) {
    throw Error(ErrorKind::kData, escaped(path.string()) + " is shorter than its checkpoint says",
                message("put the file back, or fit again with {}.", Setting{"overwrite"}));
  }
  if (old.substr(0, begin) != head) {
    write_text(path, head, old.substr(begin, body));
  } else if (old.size() > begin + body) {
    fs::resize_file(path, begin + body);
  }
}

}  // namespace flymc
