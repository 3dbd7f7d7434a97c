# What the R of a page prints.
printed_by <- function(page) {
  docs <- Sys.getenv("FLYMC_DOCS")
  skip_if(docs == "" || Sys.which("python3") == "", "no pages, or no Python to make their tables")
  lines <- readLines(file.path(docs, page))
  fence <- grepl("^```", lines)
  begins <- which(lines == "```r")
  ends <- vapply(begins, function(begin) min(which(fence & seq_along(lines) > begin)), 0)
  code <- unlist(Map(function(begin, end) lines[(begin + 1):(end - 1)], begins, ends))
  folder <- tempfile()
  dir.create(folder)
  old <- setwd(folder)
  on.exit({
    setwd(old)
    unlink(folder, recursive = TRUE)
  })
  expect_equal(system2("python3", file.path(docs, "howto", "tables.py")), 0)
  utils::capture.output(
    source(exprs = parse(text = code), local = new.env(), echo = FALSE, print.eval = TRUE)
  )
}

test_that("every line of R that the pages show runs", {
  expect_true(any(grepl("sd.shop", printed_by("README.md"), fixed = TRUE)))
  shown <- printed_by(file.path("howto", "r.md"))
  for (words in c("bought ~ age", "lwr", "2000    4    6", "student-t", 'family = \\"softmax')) {
    expect_true(any(grepl(words, shown, fixed = TRUE)), info = words)
  }
})
