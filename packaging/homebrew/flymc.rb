# A formula for Homebrew on Linux. Syntax checked only; no bottle has been built from it here. Where
# the sources are (url, sha256) is for the one who publishes a release to fill in.
class Flymc < Formula
  desc "Exact Bayesian regression on tall data by Firefly Monte Carlo"
  homepage "https://example.org/flymc"
  url "https://example.org/flymc/flymc-0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "eigen" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "fmt"
  depends_on :linux
  depends_on "zlib"
  depends_on "zstd"

  uses_from_macos "python" => :build

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DFLYMC_NATIVE=OFF",
                    "-DFLYMC_TESTS=OFF", *std_cmake_args
    system "cmake", "--build", "build", "--target", "flymc_main"
    system "cmake", "--install", "build", "--component", "program"
    system "cmake", "--install", "build", "--component", "documents"
  end

  test do
    assert_match "self-test  passed", shell_output("#{bin}/flymc doctor")
  end
end
