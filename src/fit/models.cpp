#include "fit/models.hpp"

#include <array>
#include <type_traits>

namespace flymc {
namespace {

template <ModelKind kind>
using Model = std::variant_alternative_t<static_cast<std::size_t>(kind), AnyModel>;

template <ModelKind kind>
constexpr ModelEntry entry(const char* word, ResponseKind response) {
  return {kind, word, response, kHasGlobalBound<Model<kind>>};
}

constexpr std::array<ModelEntry, std::variant_size_v<AnyModel>> kModels = {
    entry<ModelKind::kLogistic>("logistic", ResponseKind::kTwoClasses),
    entry<ModelKind::kSoftmax>("softmax", ResponseKind::kClasses),
    entry<ModelKind::kStudentT>("student-t", ResponseKind::kNumbers),
    entry<ModelKind::kPoisson>("poisson", ResponseKind::kCounts),
    entry<ModelKind::kProbit>("probit", ResponseKind::kTwoClasses),
    entry<ModelKind::kBinomial>("binomial", ResponseKind::kSuccesses),
    entry<ModelKind::kNegativeBinomial>("negative-binomial", ResponseKind::kCounts)};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kModels.size(); ++i) {
    if (static_cast<std::size_t>(kModels[i].kind) != i) {
      return false;
    }
  }
  return true;
}
static_assert(in_order());
static_assert(std::is_same_v<Model<ModelKind::kNegativeBinomial>, NegativeBinomial>);

}  // namespace

std::span<const ModelEntry> all_models() noexcept { return kModels; }

const ModelEntry& entry_of(ModelKind kind) noexcept {
  return kModels[static_cast<std::size_t>(kind)];
}

const char* name_of(ModelKind kind) noexcept { return entry_of(kind).word; }

}  // namespace flymc
