#include "report/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <exception>
#include <system_error>

#include "core/standard_error.hpp"

namespace flymc {
namespace {

ProgressKind resolved(ProgressKind kind) {
  return kind == ProgressKind::kAuto && isatty(STDERR_FILENO) != 1 ? ProgressKind::kPlain : kind;
}

// A line that wraps could not be written over.
std::string cut(const std::string& line) {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return line.substr(0, known ? size.ws_col - 1U : 79U);
}

}  // namespace

class Progress::Watcher final : public Sink {
 public:
  explicit Watcher(std::size_t parameters) : moments_(parameters) {}
  void pass_on_to(Sink* next) noexcept { next_ = next; }
  void accept(const Draw& draw) override {
    next_->accept(draw);
    const std::lock_guard lock(mutex_);
    moments_.add({draw.theta.data(), static_cast<std::size_t>(draw.theta.size())});
  }
  void finish() override { next_->finish(); }
  void keep(const ChainState& state, const RunSummary& summary) override {
    next_->keep(state, summary);
  }
  [[nodiscard]] RunningMoments moments() const {
    const std::lock_guard lock(mutex_);
    return moments_;
  }

 private:
  Sink* next_ = nullptr;
  mutable std::mutex mutex_;
  RunningMoments moments_;
};

Progress::Progress(const TerminalSettings& terminal, const Schedule& schedule,
                   const std::vector<ChainProgress>& chains, std::size_t parameters)
    : schedule_(schedule),
      chains_(chains),
      shown_(!terminal.quiet && terminal.progress != ProgressKind::kNone),
      kind_(resolved(terminal.progress)) {
  for (std::size_t i = 0; shown_ && i < chains.size(); ++i) {
    watchers_.push_back(std::make_unique<Watcher>(parameters));
  }
  if (shown_) {
    try {
      thread_ = std::thread([this] { loop(); });
    } catch (const std::system_error&) {  // no room for one more: all goes on unseen
    }
  }
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
    if (kind_ == ProgressKind::kJson) {
      try_to_show();  // the last word
    }
  }
  erase();
}

Sink* Progress::watched(std::uint32_t chain, Sink* draws) {
  if (!shown_) {
    return draws;
  }
  watchers_[chain]->pass_on_to(draws);
  return watchers_[chain].get();
}

void Progress::start(const std::function<void()>& say) {
  const std::lock_guard lock(mutex_);
  erase();
  say();
  if (!in_setup_) {  // chains began before, with another engine
    return;
  }
  started_ = std::chrono::steady_clock::now();
  for (const ChainProgress& chain : chains_) {
    first_draws_.push_back(chain.draws.load(std::memory_order_relaxed));
  }
  in_setup_ = false;  // from here on chains are shown, with all that is needed for it
}

// What comes next takes the place of the lines.
void Progress::erase() noexcept {
  if (lines_ > 0) {
    std::array<char, 32> text{};  // nothing to allocate where nothing may fail
    const auto end = fmt::format_to_n(text.data(), text.size(), "\x1b[{}A\r\x1b[J", lines_).out;
    print_error({text.data(), static_cast<std::size_t>(end - text.data())});
    lines_ = 0;
  }
}

void Progress::loop() {
  using std::chrono::milliseconds;
  const auto period = kind_ == ProgressKind::kAuto   ? milliseconds(200)
                      : kind_ == ProgressKind::kJson ? milliseconds(1000)
                                                     : milliseconds(10'000);
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, period, [this] { return done_; })) {
    try_to_show();
  }
}

// What cannot be shown, for want of memory, is left out: the chains run on.
void Progress::try_to_show() noexcept {
  try {
    show();
  } catch (const std::exception&) {
  }
}

ProgressView Progress::look() {
  ProgressView view;
  view.draws = schedule_.draws;
  view.warmup = schedule_.warmup;
  view.thin = schedule_.thin;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
  view.elapsed_s = elapsed.count();
  if (in_setup_) {
    return view;
  }
  std::vector<RunningMoments> moments;
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    const ChainProgress& from = chains_[i];
    ProgressView::Chain chain;
    chain.draws = from.draws.load(std::memory_order_relaxed);
    chain.new_draws = chain.draws - std::min(chain.draws, first_draws_[i]);
    chain.warmup = from.warmup.load(std::memory_order_relaxed);
    chain.bright = from.bright.load(std::memory_order_relaxed);
    const double count = std::max(1.0, static_cast<double>(chain.new_draws));
    chain.queries = static_cast<double>(from.queries.load(std::memory_order_relaxed)) / count;
    chain.accept_prob = from.accept_sum.load(std::memory_order_relaxed) / count;
    view.chains.push_back(chain);
    moments.push_back(watchers_[i]->moments());
  }
  view.worst_rhat = worst_rhat(moments);
  return view;
}

void Progress::show() {
  const ProgressView view = look();
  if (in_setup_ && (view.elapsed_s < 1.0 || kind_ == ProgressKind::kJson)) {
    return;  // a moment; and an object is about chains
  }
  if (kind_ == ProgressKind::kJson) {
    print_error(progress_json(view) + "\n");
  } else if (kind_ == ProgressKind::kPlain) {
    print_error((in_setup_ ? setup_line(view.elapsed_s) : plain_line(view)) + "\n");
  } else {
    std::string text = lines_ > 0 ? fmt::format("\x1b[{}A", lines_) : "";
    const auto lines = in_setup_ ? std::vector{setup_line(view.elapsed_s)} : chain_lines(view);
    for (const std::string& line : lines) {
      text += "\r\x1b[K" + cut(line) + "\n";
    }
    lines_ = lines.size();
    print_error(text);
  }
}

std::span<const Word<ProgressKind>> words_of(ProgressKind) noexcept {
  static constexpr Word<ProgressKind> kWords[] = {{"auto", ProgressKind::kAuto},
                                                  {"plain", ProgressKind::kPlain},
                                                  {"json", ProgressKind::kJson},
                                                  {"none", ProgressKind::kNone}};
  return kWords;
}

}  // namespace flymc
