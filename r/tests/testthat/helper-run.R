# A run of a small linear model, recorded by the hook.
record_line <- function(folder, steps = 20, rate = 0.1, close = TRUE) {
  hook <- warden_hook(folder, c("weights", "gradients", "losses"), save_interval = 1)
  weight <- matrix(c(0, 0.5, 1, 1.5, 2, 2.5), 2)
  for (i in seq_len(steps)) {
    hook$begin_step("TRAIN")
    gradient <- 2 * (weight - 3)
    hook$save("fc1.weight", weight)
    hook$save("gradient/fc1.weight", gradient)
    hook$save("gradient/fc2.weight", gradient[1, ] * 1e-5)
    hook$save("Loss_output_0", mean((weight - 3)^2))
    if (i %% 5 == 0) {
      hook$begin_step("EVAL")
      hook$save("Loss_output_0", mean((weight - 3)^2) + 1)
    }
    weight <- weight - rate * gradient
  }
  if (close) hook$close()
  invisible(hook)
}
