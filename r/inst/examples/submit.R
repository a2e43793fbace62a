# Starts a training that does not learn as a job, prints what a rule finds, and draws the loss.
#   Rscript submit.R [loss.png]    with a service: warden serve
library(sagemaker.debugger)

picture <- c(commandArgs(trailingOnly = TRUE), "loss.png")[1]
session <- warden_session()
job <- session$train(
  system.file("examples", "train_spiral.R", package = "sagemaker.debugger"),
  hyperparameters = list(steps = 200, rate = 1e-6),
  rules = list(
    debugger_rule(loss_not_decreasing(), rule_parameters = c(num_steps = 20)),
    vanishing_gradient()
  ),
  hook = hook_config(collections = list(
    collection_config("losses", save_interval = 1),
    collection_config("gradients", save_interval = 10)
  ))
)
job$wait()
print(job$rules()[, c("rule", "status")])
found <- job$findings()
cat(sprintf("%s at step %d: %s\n  Try: %s\n", found$rule, as.integer(found$step), found$message,
            found$advice), sep = "")

grDevices::png(picture, 800, 500, res = 110)
plot(job$trial())
invisible(grDevices::dev.off())
