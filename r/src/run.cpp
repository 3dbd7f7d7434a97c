// A fit as R holds it: made, sampled while R listens for its interrupt, and read.
#include "run.hpp"

#include <R_ext/Utils.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <utility>

#include "glue.hpp"
#include "wording.hpp"

namespace flymc::r {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kStatistics = 4;  // columns before the parameters: lp__ ... queries__

// What the chains publish while they run, for the main thread, which alone may print.
class Watcher final : public FitObserver {
 public:
  void started(const std::vector<ChainProgress>& chains, const Schedule& /*schedule*/) override {
    const std::lock_guard lock(mutex_);
    chains_ = &chains;
  }
  void finished() noexcept override {
    const std::lock_guard lock(mutex_);
    chains_ = nullptr;
  }

  // Draws of the slowest chain.
  [[nodiscard]] std::uint64_t least_draws() {
    const std::lock_guard lock(mutex_);
    if (chains_ == nullptr || chains_->empty()) {
      return 0;
    }
    std::uint64_t least = chains_->front().draws;
    for (const ChainProgress& chain : *chains_) {
      least = std::min<std::uint64_t>(least, chain.draws);
    }
    return least;
  }

 private:
  std::mutex mutex_;
  const std::vector<ChainProgress>* chains_ = nullptr;
};

struct Run {
  Run(Table table, const FitSettings& settings) : fit(std::move(table), settings, &watcher) {}

  Watcher watcher;
  Fit fit;
};
using RunPointer = cpp11::external_pointer<Run>;

// R_CheckUserInterrupt signals a condition and jumps: to here, and the interrupt is over.
bool interrupted() {
  static const SEXP kinds = [] {
    const SEXP words = Rf_mkString("interrupt");
    R_PreserveObject(words);
    return words;
  }();
  const auto look = [](void*) {
    R_CheckUserInterrupt();
    return Rf_ScalarLogical(FALSE);
  };
  const auto hear = [](SEXP /*condition*/, void*) { return Rf_ScalarLogical(TRUE); };
  const SEXP heard = cpp11::unwind_protect(
      [&] { return R_tryCatch(look, nullptr, kinds, hear, nullptr, nullptr, nullptr); });
  return Rf_asLogical(heard) == TRUE;
}

// Sets it when all is over: whoever waits for chains must not wait for all their draws.
class StopAtEnd {
 public:
  explicit StopAtEnd(std::atomic<bool>& stop) : stop_(stop) {}
  ~StopAtEnd() { stop_ = true; }
  StopAtEnd(const StopAtEnd&) = delete;
  StopAtEnd& operator=(const StopAtEnd&) = delete;

 private:
  std::atomic<bool>& stop_;
};

std::vector<std::string> in_words(const std::vector<Message>& messages) {
  std::vector<std::string> words;
  for (const Message& message : messages) {
    words.push_back(message.in(argument_wording()));
  }
  return words;
}

// Values of the columns [first, last), as draw x chain x column.
cpp11::writable::doubles columns_of(const RunChains& run, std::size_t first, std::size_t last) {
  const std::size_t length = run.chains.front().draws();
  const std::size_t chains = run.chains.size();
  cpp11::writable::doubles values(static_cast<R_xlen_t>(length * chains * (last - first)));
  double* out = REAL(values.data());
  for (std::size_t column = first; column < last; ++column) {
    for (const ChainDraws& chain : run.chains) {
      out = std::copy(chain.values[column].begin(), chain.values[column].end(), out);
    }
  }
  values.attr("dim") = cpp11::writable::integers(
      {static_cast<int>(length), static_cast<int>(chains), static_cast<int>(last - first)});
  return values;
}

cpp11::writable::doubles to_doubles(const Settings& settings) {
  cpp11::writable::doubles values(static_cast<R_xlen_t>(settings.size()));
  std::vector<std::string> names;
  R_xlen_t i = 0;
  for (const auto& [name, value] : settings) {
    values[i++] = value;
    names.push_back(name);
  }
  values.attr("names") = cpp11::as_sexp(names);
  return values;
}

cpp11::writable::list cost_of(const Summary& summary) {
  using namespace cpp11::literals;
  return cpp11::writable::list({"engine"_nm = summary.engine,
                                "queries_per_iteration"_nm = summary.cost.queries_per_iteration,
                                "mean_bright"_nm = summary.cost.mean_bright,
                                "seconds_setup"_nm = summary.cost.seconds_setup,
                                "seconds_sampling"_nm = summary.cost.seconds_sampling});
}

}  // namespace

const Fit& fit_of(SEXP pointer) { return RunPointer(pointer)->fit; }

SEXP make_fit(SEXP data, SEXP asked) {
  return called([&]() -> SEXP {
    return RunPointer(new Run(to_table(cpp11::list(data)), to_fit_settings(cpp11::list(asked))));
  });
}

SEXP advance_fit(SEXP pointer, SEXP draws, SEXP progress) {
  return called([&]() -> SEXP {
    const RunPointer run(pointer);
    const auto wanted = static_cast<std::uint64_t>(cpp11::as_cpp<double>(draws));
    const bool shows = cpp11::as_cpp<bool>(progress);
    std::atomic<bool> stop{false};
    std::future<void> work =
        std::async(std::launch::async, [&] { run->fit.advance(wanted, stop); });
    bool asked_to_stop = false;
    const StopAtEnd guard(stop);
    auto shown = Clock::now();
    while (work.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
      if (!asked_to_stop && interrupted()) {
        asked_to_stop = true;
        stop = true;
      }
      if (shows && Clock::now() - shown > std::chrono::milliseconds(500)) {
        shown = Clock::now();
        REprintf("\rdraw %llu of %llu in every chain",
                 static_cast<unsigned long long>(run->watcher.least_draws()),
                 static_cast<unsigned long long>(wanted));
      }
    }
    if (shows) {
      REprintf("\r%*s\r", 60, "");
    }
    work.get();
    return cpp11::as_sexp(asked_to_stop);
  });
}

SEXP read_fit(SEXP pointer) {
  return called([&]() -> SEXP {
    using namespace cpp11::literals;
    const RunPointer held(pointer);
    const Fit* const run = &held->fit;
    std::vector<std::string> columns;
    std::vector<std::string> labels;
    for (const ParameterName& parameter : run->parameters()) {
      columns.push_back(parameter.column);
      labels.push_back(parameter.label);
    }
    std::vector<std::string> auxiliaries;
    for (const Auxiliary& auxiliary : run->family().type().auxiliaries) {
      auxiliaries.emplace_back(auxiliary.name);
    }
    const RunChains chains = run->chains();
    return cpp11::writable::list(
        {"draws"_nm = columns_of(chains, kStatistics, kStatistics + run->parameters().size()),
         "statistics"_nm = columns_of(chains, 0, kStatistics), "columns"_nm = columns,
         "labels"_nm = labels, "features"_nm = run->features(), "auxiliaries"_nm = auxiliaries,
         "settings"_nm = to_doubles(run->family().settings()), "notes"_nm = in_words(run->notes()),
         "warnings"_nm = in_words(run->warnings()), "separated"_nm = run->separated(),
         "enough"_nm = run->enough(), "cost"_nm = cost_of(run->summary())});
  });
}

SEXP is_alive(SEXP pointer) { return cpp11::as_sexp(R_ExternalPtrAddr(pointer) != nullptr); }

SEXP count_draws(SEXP pointer) {
  return called([&]() -> SEXP {
    return cpp11::as_sexp(static_cast<double>(RunPointer(pointer)->fit.draws()));
  });
}

}  // namespace flymc::r
