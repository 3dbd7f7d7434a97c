#include "family/auto/tape.hpp"

#include <array>
#include <cstring>
#include <memory>

#include "flymc/detail/family/auto/dual.hpp"
#include "flymc/detail/family/auto/functions.hpp"
#include "flymc/detail/family/auto/intrinsics.hpp"
#include "flymc/detail/family/auto/remainder.hpp"
#include "flymc/detail/family/auto/slope.hpp"

namespace flymc::typed {
namespace {

using smooth::Change;
using smooth::Enclosure;
using smooth::Interval;
using smooth::Slope;

template <class Visit>
decltype(auto) with_function(Op op, double number, Visit&& visit) {
  switch (op) {
    case Op::kPower:
      return visit(smooth::Power{number});
    case Op::kLogRising:
      return visit(smooth::LogRising{number});
    case Op::kExp:
      return visit(smooth::Exp{});
    case Op::kExpm1:
      return visit(smooth::Expm1{});
    case Op::kLog:
      return visit(smooth::Log{});
    case Op::kLog1p:
      return visit(smooth::Log1p{});
    case Op::kSqrt:
      return visit(smooth::Sqrt{});
    case Op::kSquare:
      return visit(smooth::Square{});
    case Op::kInverse:
      return visit(smooth::Inverse{});
    case Op::kSoftplus:
      return visit(smooth::Softplus{});
    case Op::kSigmoid:
      return visit(smooth::Sigmoid{});
    case Op::kTanh:
      return visit(smooth::Tanh{});
    case Op::kLog1mExp:
      return visit(smooth::Log1mExp{});
    case Op::kLogGamma:
      return visit(smooth::LogGamma{});
    case Op::kDigamma:
      return visit(smooth::Digamma{});
    default:
      return visit(smooth::LogNormalCdf{});
  }
}

// Any function, chosen when it is called: a slope's composition is compiled once, not once a
// function.
struct AnyFunction {
  Op op;
  double number;

  void taylor(double x, int n, double* f) const noexcept {
    with_function(op, number, [&](const auto& function) { function.taylor(x, n, f); });
  }
  [[nodiscard]] Enclosure enclose(Interval x, int m) const noexcept {
    return with_function(op, number, [&](const auto& function) { return function.enclose(x, m); });
  }
};

template <class T>
[[nodiscard]] T applied(Op op, double number, const T& x) noexcept {
  return with_function(op, number, [&](const auto& function) { return apply(function, x); });
}
template <int P, int M>
[[nodiscard]] Slope<P, M> applied(Op op, double number, const Slope<P, M>& x) noexcept {
  return apply(AnyFunction{op, number}, x);
}

// Room for values that are not made before they are needed: a slope is up to 856 bytes.
template <class T>
class Registers {
 public:
  const T& operator[](std::size_t i) const noexcept { return slots_[i].value; }
  void set(std::size_t i, const T& value) noexcept { std::construct_at(&slots_[i].value, value); }

 private:
  union Slot {
    Slot() noexcept {}  // NOLINT: no value yet
    T value;
  };
  std::array<Slot, Tape::kMostRegisters> slots_;
};

// What steps gave for these values of predictors, of several tapes and regions; one for a thread.
// Found by the bits of what goes in, so that nothing hangs on what is remembered.
template <class T>
class Memory {
 public:
  struct Slot {
    std::uint64_t tape = 0;
    T predictor{};
    std::size_t known = 0;  // steps, in their order
    std::array<T, Tape::kMostKept> values{};
  };

  // Null where it is seen for the first time: a predictor that rows do not share always is.
  [[nodiscard]] Slot* find(std::uint64_t tape, std::size_t k, const T& predictor) noexcept {
    for (Slot& slot : slots_[k]) {
      if (slot.tape == tape && have_same_bits<double>(slot.predictor, predictor) &&
          have_same_bits<T>(slot.predictor, predictor)) {
        return &slot;
      }
    }
    Slot& oldest = slots_[k][next_[k]++ % kSlots];
    oldest.tape = tape;
    oldest.predictor = predictor;
    oldest.known = 0;
    return nullptr;
  }

 private:
  static constexpr std::size_t kSlots = 8;
  static constexpr auto kPredictors = static_cast<std::size_t>(T::kVariables);

  // Of the first numbers in them, or of all.
  template <class Part>
  [[nodiscard]] static bool have_same_bits(const T& a, const T& b) noexcept {
    return std::memcmp(&a, &b, sizeof(Part)) == 0;
  }

  std::array<std::array<Slot, kSlots>, kPredictors> slots_{};
  std::array<std::size_t, kPredictors> next_{};
};

// One evaluation's use of it. A likelihood of one predictor has nothing to share.
template <class T>
class Remembered {
 public:
  Remembered(const Tape& /*tape*/, std::span<const T> /*predictors*/) noexcept {}
  [[nodiscard]] const T* find(const Tape::Step& /*step*/) const noexcept { return nullptr; }
  void keep(const Tape::Step& /*step*/, const T& /*value*/) noexcept {}
};

template <class T>
requires(T::kVariables > 1) class Remembered<T> {
 public:
  Remembered(const Tape& tape, std::span<const T> predictors) noexcept {
    thread_local Memory<T> memory;
    for (std::size_t k = 0; tape.serial != 0 && k < predictors.size(); ++k) {
      slots_[k] = memory.find(tape.serial, k, predictors[k]);
    }
  }
  [[nodiscard]] const T* find(const Tape::Step& step) const noexcept {
    const Slot* const slot = slot_of(step);
    return slot != nullptr && step.place < slot->known ? &slot->values[step.place] : nullptr;
  }
  void keep(const Tape::Step& step, const T& value) noexcept {
    if (Slot* const slot = slot_of(step); slot != nullptr) {
      slot->values[step.place] = value;
      slot->known = step.place + std::size_t{1};
    }
  }

 private:
  using Slot = typename Memory<T>::Slot;
  [[nodiscard]] Slot* slot_of(const Tape::Step& step) const noexcept {
    return step.place == Tape::kNotKept ? nullptr : slots_[step.predictor];
  }

  std::array<Slot*, static_cast<std::size_t>(T::kVariables)> slots_{};
};

}  // namespace

template <class T>
T Tape::evaluate(const double* values, std::span<const T> predictors) const noexcept {
  Remembered<T> remembered(*this, predictors);
  Registers<T> registers;
  for (std::size_t k = 0; k < predictors.size(); ++k) {
    registers.set(k, predictors[k]);
  }
  for (const Step& step : steps) {
    if (const T* const known = remembered.find(step)) {
      registers.set(step.to, *known);
      continue;
    }
    const T& x = registers[step.left];
    switch (step.op) {
      case Op::kAdd:
        registers.set(step.to, x + registers[step.right]);
        break;
      case Op::kSubtract:
        registers.set(step.to, x - registers[step.right]);
        break;
      case Op::kMultiply:
        registers.set(step.to, x * registers[step.right]);
        break;
      case Op::kAddNumber:
        registers.set(step.to, x + values[step.right]);
        break;
      case Op::kNumberMinus:
        registers.set(step.to, values[step.right] - x);
        break;
      case Op::kScale:
        registers.set(step.to, x * values[step.right]);
        break;
      default:
        registers.set(step.to, applied(step.op, values[step.right], x));
    }
    remembered.keep(step, registers[step.to]);
  }
  return is_number ? T(values[result]) : registers[result];
}

using smooth::Dual;
using smooth::Jet2;
using smooth::Remainder;
using smooth::Value;

template Value Tape::evaluate(const double*, std::span<const Value>) const noexcept;
template Dual<1> Tape::evaluate(const double*, std::span<const Dual<1>>) const noexcept;
template Dual<2> Tape::evaluate(const double*, std::span<const Dual<2>>) const noexcept;
template Dual<3> Tape::evaluate(const double*, std::span<const Dual<3>>) const noexcept;
template Dual<4> Tape::evaluate(const double*, std::span<const Dual<4>>) const noexcept;
template Jet2<1> Tape::evaluate(const double*, std::span<const Jet2<1>>) const noexcept;
template Jet2<2> Tape::evaluate(const double*, std::span<const Jet2<2>>) const noexcept;
template Jet2<3> Tape::evaluate(const double*, std::span<const Jet2<3>>) const noexcept;
template Jet2<4> Tape::evaluate(const double*, std::span<const Jet2<4>>) const noexcept;
template Remainder<1> Tape::evaluate(const double*, std::span<const Remainder<1>>) const noexcept;
template Remainder<2> Tape::evaluate(const double*, std::span<const Remainder<2>>) const noexcept;
template Remainder<3> Tape::evaluate(const double*, std::span<const Remainder<3>>) const noexcept;
template Remainder<4> Tape::evaluate(const double*, std::span<const Remainder<4>>) const noexcept;
template Slope<1, 4> Tape::evaluate(const double*, std::span<const Slope<1, 4>>) const noexcept;
template Slope<2, 4> Tape::evaluate(const double*, std::span<const Slope<2, 4>>) const noexcept;
template Slope<3, 4> Tape::evaluate(const double*, std::span<const Slope<3, 4>>) const noexcept;
template Slope<4, 4> Tape::evaluate(const double*, std::span<const Slope<4, 4>>) const noexcept;

const Tape& Program::tape_of(std::span<const double> data) const noexcept {
  if (choices.empty()) {
    return tapes.front();
  }
  std::array<double, RowCode::kMostValues> values;
  conditions.run(data, values.data());
  std::size_t at = 0;
  while (at < kTape) {
    const Choice& choice = choices[at];
    at = values[choice.condition] != 0.0 ? choice.yes : choice.no;
  }
  return tapes[at - kTape];
}

}  // namespace flymc::typed
