// Made-up run folders, removed when the test ends.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "flymc/error.hpp"

namespace flymc {

class RunFolderTest : public ::testing::Test {
 protected:
  RunFolderTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("flymc-") + test->test_suite_name() + "-" + test->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
  }
  ~RunFolderTest() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }

  // `text` with the folder, which differs from machine to machine, as "RUN/".
  [[nodiscard]] std::string with_short_folder(std::string text) const {
    const std::string folder = folder_.string() + "/";
    for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
      text.replace(at, folder.size(), "RUN/");
    }
    return text;
  }

  // "CODE MESSAGE" of the Error that `action` throws.
  [[nodiscard]] std::string error_of(const std::function<void()>& action) const {
    try {
      action();
    } catch (const Error& error) {
      return std::to_string(error.exit_code()) + " " + with_short_folder(error.what());
    }
    return "no error";
  }

  std::filesystem::path folder_;
};

}  // namespace flymc
