# Trains a network with one hidden layer, written in R, on two spirals.
#   Rscript train_spiral.R [--steps 300] [--rate 1] [--out FOLDER]
# Without --out, `warden run`, `warden serve` or nobody says what is saved.
library(sagemaker.debugger)

given <- commandArgs(trailingOnly = TRUE)
option <- function(name, default) {
  at <- match(paste0("--", name), given)
  if (is.na(at)) default else given[at + 1]
}
steps <- as.integer(option("steps", "300"))
rate <- as.numeric(option("rate", "1"))
out <- option("out", NULL)

hook <- if (is.null(out)) warden_hook() else {
  warden_hook(out, list(
    collection_config("losses", save_interval = 1), collection_config("weights"),
    collection_config("biases"), collection_config("gradients")
  ), save_interval = 5)
}

set.seed(7)
points <- 100
angle <- seq(0.5, 6, length.out = points)
spiral <- cbind(angle * cos(angle), angle * sin(angle)) / 6
inputs <- rbind(spiral, -spiral) + rnorm(4 * points, sd = 0.02)
labels <- rep(0:1, each = points)

weight <- list(matrix(rnorm(2 * 24), 2), matrix(rnorm(24) / 5, 24))
bias <- list(rnorm(24), 0)
for (step in seq_len(steps)) {
  hook$begin_step("TRAIN")
  hidden <- tanh(sweep(inputs %*% weight[[1]], 2, bias[[1]], "+"))
  score <- as.vector(hidden %*% weight[[2]]) + bias[[2]]
  chance <- 1 / (1 + exp(-score))
  loss <- mean(pmax(score, 0) - score * labels + log1p(exp(-abs(score))))

  error <- (chance - labels) / length(labels)
  back <- outer(error, as.vector(weight[[2]])) * (1 - hidden^2)
  gradient <- list(crossprod(inputs, back), crossprod(hidden, error))
  slope <- list(colSums(back), sum(error))

  hook$save("Loss_output_0", loss)
  for (layer in 1:2) {
    # Files of other frameworks have a row for each output.
    hook$save(sprintf("fc%d.weight", layer), t(weight[[layer]]))
    hook$save(sprintf("fc%d.bias", layer), bias[[layer]])
    hook$save(sprintf("gradient/fc%d.weight", layer), t(gradient[[layer]]))
    weight[[layer]] <- weight[[layer]] - rate * gradient[[layer]]
    bias[[layer]] <- bias[[layer]] - rate * slope[[layer]]
  }
  if (step %% 50 == 0) {
    correct <- mean((chance > 0.5) == labels)
    hook$save_scalar("accuracy", correct)
    cat(sprintf("step %d: loss %.4f, accuracy %.2f\n", step, loss, correct))
  }
}
hook$close()
