# What functions of the R package performanceEstimation give on a small problem, as lines "name value ...".
# Rscript performance_estimation.R [FILE]; FILE defines the functions where the package is not installed.
file <- commandArgs(trailingOnly = TRUE)
if (length(file)) source(file) else suppressPackageStartupMessages(library(performanceEstimation))
say <- function(name, values) {
  if (is.factor(values)) values <- as.character(values)
  if (is.numeric(values)) values <- format(values, digits = 12, trim = TRUE)
  cat(name, values, "\n")
}
cases <- data.frame(
  a = c(1, 2.5, 3, 4.5, 5, 6.5, 7, 8.5, 9, 10.5, NA, 4),
  b = c(2, 1, 4, 3, NA, 5, 8, 7, 10, 9, 6, 3.5),
  c = factor(c("u", "u", "v", "u", "v", "v", NA, "u", "v", "v", "v", "u")),
  y = c(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
)
later <- data.frame(a = c(3, NA), b = c(NA, 20), c = factor(c("u", NA), levels = c("u", "v")), y = c(1, 2))
for (k in c(1, 3, 5)) {
  found <- knnImp(cases[, 1:3], k = k)
  say(paste0("knnImp.", k), c(found$a[11], found$b[5]))
  say(paste0("knnImp.c.", k), found$c[7])
}
found <- standardPRE(y ~ ., cases, later, steps = "centralImp")
say("centralImp.train", c(found$train$a[11], found$train$b[5]))
say("centralImp.test", c(found$test$a[2], found$test$b[1]))
say("centralImp.c", c(as.character(found$train$c[7]), as.character(found$test$c[2])))
found <- standardPRE(y ~ ., found$train, found$test, steps = "scale")
say("scale.train", found$train$a)
say("scale.test", found$test$b)
preds <- c(-2, 3.4, NA, 14.6)
say("na2central", standardPOST(y ~ ., cases, later, preds, "na2central"))
say("onlyPos", standardPOST(y ~ ., cases, later, c(-2, 3.4, 14.6), "onlyPos"))
say("cast2int", standardPOST(y ~ ., cases, later, c(-2, 3.4, 14.6), "cast2int", infLim = 0, supLim = 10))
matrix.of.use <- matrix(c(1, -10, -100, 100), byrow = TRUE, ncol = 2)
shares <- matrix(c(0.99, 0.95, 0.948, 0.9, 0.5), ncol = 1)
shares <- cbind(shares, 1 - shares)
train <- data.frame(x = 1:4, y = factor(c("benign", "malignant", "benign", "benign")))
say("maxutil", standardPOST(y ~ ., train, train, shares, "maxutil", cb.matrix = matrix.of.use))
set.seed(1)
rare <- data.frame(p = rnorm(30), q = rnorm(30), y = factor(rep(c("rare", "common"), c(6, 24))))
for (over in c(2, 6)) for (under in c(1, 2)) {
  found <- smote(y ~ ., rare, perc.over = over, k = 3, perc.under = under)
  say(paste("smote", over, under, sep = "."), as.integer(table(found$y)[c("rare", "common")]))
}
found <- standardPRE(y ~ ., rare, rare, steps = "undersample", perc.under = 2)
say("undersample", as.integer(table(found$train$y)[c("rare", "common")]))
