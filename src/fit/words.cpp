#include "fit/words.hpp"

namespace flymc {

std::span<const Word<EngineKind>> words_of(EngineKind) noexcept {
  static constexpr Word<EngineKind> kWords[] = {
      {"auto", EngineKind::kAuto}, {"fly", EngineKind::kFly}, {"regular", EngineKind::kRegular}};
  return kWords;
}

std::span<const Word<KernelKind>> words_of(KernelKind) noexcept {
  static constexpr Word<KernelKind> kWords[] = {{"split-hmc", KernelKind::kSplitHmc},
                                                {"hmc", KernelKind::kHmc},
                                                {"mala", KernelKind::kMala},
                                                {"rwmh", KernelKind::kRandomWalk},
                                                {"slice", KernelKind::kSlice},
                                                {"elliptical", KernelKind::kElliptical},
                                                {"independence", KernelKind::kIndependence}};
  return kWords;
}

std::span<const Word<FrameKind>> words_of(FrameKind) noexcept {
  static constexpr Word<FrameKind> kWords[] = {{"whitened", FrameKind::kWhitened},
                                               {"plain", FrameKind::kPlain}};
  return kWords;
}

std::span<const Word<InitKind>> words_of(InitKind) noexcept {
  static constexpr Word<InitKind> kWords[] = {
      {"laplace", InitKind::kLaplace}, {"prior", InitKind::kPrior}, {"map", InitKind::kMap}};
  return kWords;
}

std::span<const Word<AnchorSearch>> words_of(AnchorSearch) noexcept {
  static constexpr Word<AnchorSearch> kWords[] = {{"newton", AnchorSearch::kNewton},
                                                  {"sgd", AnchorSearch::kSgd}};
  return kWords;
}

std::span<const Word<BoundKind>> words_of(BoundKind) noexcept {
  static constexpr Word<BoundKind> kWords[] = {{"local", BoundKind::kLocal},
                                               {"map", BoundKind::kMapTuned},
                                               {"untuned", BoundKind::kUntuned}};
  return kWords;
}

std::span<const Word<ZKind>> words_of(ZKind) noexcept {
  static constexpr Word<ZKind> kWords[] = {{"weighted", ZKind::kWeighted},
                                           {"implicit", ZKind::kImplicit},
                                           {"explicit", ZKind::kExplicit}};
  return kWords;
}

std::span<const Word<LevelDraws>> words_of(LevelDraws) noexcept {
  static constexpr Word<LevelDraws> kWords[] = {
      {"auto", LevelDraws::kAuto}, {"all", LevelDraws::kAll}, {"summary", LevelDraws::kSummary}};
  return kWords;
}

std::span<const Word<ZOrder>> words_of(ZOrder) noexcept {
  static constexpr Word<ZOrder> kWords[] = {{"random", ZOrder::kRandom},
                                            {"shuffled", ZOrder::kShuffled},
                                            {"sequential", ZOrder::kSequential}};
  return kWords;
}

std::span<const Word<Missing>> words_of(Missing) noexcept {
  static constexpr Word<Missing> kWords[] = {
      {"error", Missing::kError}, {"drop", Missing::kDrop}, {"indicator", Missing::kIndicator}};
  return kWords;
}

std::span<const Word<HeaderLine>> words_of(HeaderLine) noexcept {
  static constexpr Word<HeaderLine> kWords[] = {
      {"auto", HeaderLine::kAuto}, {"yes", HeaderLine::kYes}, {"no", HeaderLine::kNo}};
  return kWords;
}

std::span<const Word<Format>> words_of(Format) noexcept {
  static constexpr Word<Format> kWords[] = {{"auto", Format::kAuto}, {"csv", Format::kCsv},
                                            {"tsv", Format::kTsv},   {"npy", Format::kNpy},
                                            {"npz", Format::kNpz},   {"libsvm", Format::kLibsvm},
                                            {"fly", Format::kFly},   {"parquet", Format::kParquet}};
  return kWords;
}

}  // namespace flymc
