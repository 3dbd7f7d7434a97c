// The monomials u^alpha of P variables up to degree M, numbered by degree.
#pragma once

#include <array>
#include <cstddef>

namespace flymc::smooth {

[[nodiscard]] constexpr std::size_t choose(int n, int k) noexcept {
  int result = 1;
  for (int i = 1; i <= k; ++i) {
    result = result * (n - k + i) / i;
  }
  return static_cast<std::size_t>(result);
}

template <int P, int M>
struct Monomials {
  using Exponents = std::array<int, P>;
  static constexpr std::size_t kCount = choose(P + M, P);
  static constexpr std::size_t kLower = choose(P + M - 1, P);  // those of degree below M come first
  static constexpr std::size_t kProducts = choose(2 * P + M, M);

  // u^left u^right.
  struct Product {
    std::size_t left, right;
  };

  std::array<Exponents, kCount> exponents{};
  std::array<int, kCount> degree{};
  std::array<double, kCount> ways{};          // the multinomial coefficient
  std::array<std::size_t, kCount> parent{};   // less one of the variable with the largest exponent
  std::array<Product, kProducts> products{};  // by what they give, and that by `left`
  std::array<std::size_t, kCount + 1> first{};  // of those that give this one

  // Looked for among those of its degree: compilers count the steps of what they evaluate.
  [[nodiscard]] constexpr std::size_t find(const Exponents& wanted) const noexcept {
    int sum = 0;
    for (const int exponent : wanted) {
      sum += exponent;
    }
    std::size_t i = sum == 0 ? 0 : choose(P + sum - 1, P);
    while (i < kCount) {
      std::size_t l = 0;
      while (l < P && exponents[i][l] == wanted[l]) {
        ++l;
      }
      if (l == P) {
        break;
      }
      ++i;
    }
    return i;
  }

  constexpr Monomials() noexcept {
    std::size_t next = 0;
    for (int d = 0; d <= M; ++d) {
      Exponents e{};
      e[0] = d;
      for (bool more = true; more; more = advance(e)) {
        degree[next] = d;
        exponents[next++] = e;
      }
    }
    for (std::size_t i = 0; i < kCount; ++i) {
      int count = 1;
      int used = 0;
      for (const int exponent : exponents[i]) {
        for (int k = 1; k <= exponent; ++k) {
          count = count * ++used / k;
        }
      }
      ways[i] = count;
    }
    for (std::size_t i = 1; i < kCount; ++i) {
      Exponents e = exponents[i];
      std::size_t largest = 0;
      for (std::size_t l = 1; l < P; ++l) {
        largest = e[l] > e[largest] ? l : largest;
      }
      --e[largest];
      parent[i] = find(e);
    }
    next = 0;
    for (std::size_t whole = 0; whole < kCount; ++whole) {
      first[whole] = next;
      for (std::size_t left = 0; left <= whole; ++left) {
        Exponents rest = exponents[whole];
        bool divides = true;
        for (std::size_t l = 0; l < P; ++l) {
          rest[l] -= exponents[left][l];
          divides = divides && rest[l] >= 0;
        }
        if (divides) {
          products[next++] = {left, find(rest)};
        }
      }
    }
    first[kCount] = next;
  }

 private:
  // The next of the same degree, first variables first: e_1 comes before e_2. False after the last.
  static constexpr bool advance(Exponents& e) noexcept {
    for (std::size_t l = P - 1; l-- > 0;) {
      if (e[l] > 0) {
        const int tail = e[P - 1];
        e[P - 1] = 0;
        --e[l];
        e[l + 1] = tail + 1;
        return true;
      }
    }
    return false;
  }
};

template <int P, int M>
inline constexpr Monomials<P, M> kMonomials{};

}  // namespace flymc::smooth
