# The lines of a page between fences, those that begin as `opening`.
code_of <- function(page, opening) {
  docs <- Sys.getenv("FLYMC_DOCS")
  skip_if(docs == "" || Sys.which("python3") == "", "no pages, or no Python to make their tables")
  lines <- readLines(file.path(docs, page))
  fence <- grepl("^```", lines)
  begins <- which(lines == opening)
  ends <- vapply(begins, function(begin) min(which(fence & seq_along(lines) > begin)), 0)
  unlist(Map(function(begin, end) lines[(begin + 1):(end - 1)], begins, ends))
}

# What the R of a page prints.
printed_by <- function(page, opening = "```r") {
  docs <- Sys.getenv("FLYMC_DOCS")
  code <- code_of(page, opening)
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
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_true(any(grepl("sd.shop", printed_by("README.md"), fixed = TRUE)))
  shown <- printed_by(file.path("howto", "r.md"))
  for (words in c("bought ~ age", "lwr", "2000    4    6", "student-t", "sigma: devicephone",
                  'family = \\"softmax', "device: phone, not desktop", "calibrated",
                  "differences to fit")) {
    expect_true(any(grepl(words, shown, fixed = TRUE)), info = words)
  }
})

test_that("every line of R that the vignette shows runs, without knitr too", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  shown <- printed_by(file.path("..", "r", "vignettes", "flymc.Rmd"), "```{r}")
  for (words in c("devicephone", "sd.campaign", "97.5%", "lwr", "(Intercept)", "town", "size",
                  "place: one more", "differences to fit")) {
    expect_true(any(grepl(words, shown, fixed = TRUE)), info = words)
  }
  expect_true(any(grepl("R-hat < 1.01 and bulk ESS > 400", shown, fixed = TRUE)))
})
