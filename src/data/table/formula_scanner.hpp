// The characters of a formula, one after another, and the place of a mistake.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace flymc {

class FormulaScanner {
 public:
  // REQUIRES: the text outlives it.
  explicit FormulaScanner(const std::string& text, std::size_t at = 0) : text_(text), at_(at) {}

  [[nodiscard]] std::size_t at() const noexcept { return at_; }

  // The next character that is not blank; zero at the end (where a text may hold a zero too).
  [[nodiscard]] char peek();
  // Whether nothing but blanks is left.
  [[nodiscard]] bool at_end();
  char take() { return text_[at_++]; }
  // Takes the character where it is next.
  bool take_if(char symbol);
  // Takes the name and the ( behind it where they are next.
  bool take_call(std::string_view function);
  void expect(char symbol, const char* what);

  // A column or a function; `backquotes` hold any name. THROWS Error kUsage where none stands here.
  struct Name {
    std::string text;
    bool quoted = false;
  };
  [[nodiscard]] Name name();
  // A number without a sign. THROWS as name().
  [[nodiscard]] double number();
  [[nodiscard]] bool at_number();
  // A . that begins neither a name nor a number.
  [[nodiscard]] bool at_dot();

  [[noreturn]] void fail(const std::string& what) const;

  // Guards the stack against parentheses within parentheses.
  class Level {
   public:
    explicit Level(FormulaScanner& scanner);
    ~Level() { --scanner_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    FormulaScanner& scanner_;
  };

 private:
  const std::string& text_;
  std::size_t at_;
  int depth_ = 0;
};

// Whether names that need no backquotes hold this character.
[[nodiscard]] bool is_word(char c);

// The name of a column as a formula has it: in backquotes where it is not a word.
[[nodiscard]] std::string formula_word(const std::string& name);

}  // namespace flymc
