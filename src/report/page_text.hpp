// Files of src/report/page, put together by cmake/report_page.cmake.
#pragma once

#include <string_view>

namespace flymc {

extern const std::string_view kPageText;   // the page; @TITLE@ and @DATA@ stand for the run
extern const std::string_view kBaseStyle;  // what all our pages look like

}  // namespace flymc
