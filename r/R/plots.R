utils::globalVariables(".data")

engines <- c("auto", "ggplot2", "base")

#' Plot a run
#'
#' Draws losses, distributions of a tensor's values, or a heat map of the layers. Uses ggplot2 if it
#' is installed, else base graphics.
#'
#' `autoplot()` of ggplot2 returns the same pictures as objects, to be changed further.
#' @param x,object A [WardenTrial], or what its methods `losses()`, `scalars()`, `statistics()`,
#'   `distribution()` and `heatmap()` return.
#' @param what `"loss"`, `"distribution"` (which needs `name`) or `"heatmap"`.
#' @param ... Arguments of the trial's method: `name`, `mode`, `collection`, `statistic`.
#' @param engine `"auto"`, `"ggplot2"` or `"base"`.
#' @return `plot()` returns `x`, invisibly; `autoplot()` a ggplot.
#' @examples
#' folder <- tempfile("run")
#' hook <- warden_hook(folder)
#' for (i in 1:20) {
#'   hook$begin_step("TRAIN")
#'   hook$save("Loss_output_0", 1 / i)
#' }
#' hook$close()
#' plot(read_trial(folder))
#' @export
plot.WardenTrial <- function(x, what = "loss", ..., engine = "auto") {
  plot(part_of(x, what, ...), engine = engine)
  invisible(x)
}

part_of <- function(trial, what, ...) {
  check_choice("what", what, c("loss", "distribution", "heatmap"))
  part <- switch(what,
    loss = trial$losses(...),
    distribution = trial$distribution(...),
    heatmap = trial$heatmap(...)
  )
  if (nrow(part) == 0) {
    stop(sprintf("%s has no data for what = '%s'", trial$path, what), call. = FALSE)
  }
  part
}

use_ggplot <- function(engine) {
  check_choice("engine", engine, engines)
  installed <- requireNamespace("ggplot2", quietly = TRUE)
  if (engine == "ggplot2" && !installed) {
    stop_bad_value("engine", engine, "'base': ggplot2 is not installed")
  }
  engine != "base" && installed
}

# Draws with ggplot2 or with a function for base graphics.
draw <- function(x, engine, base) {
  if (nrow(x) == 0) stop("there is nothing to plot: the data frame is empty", call. = FALSE)
  if (use_ggplot(engine)) print(ggplot2::autoplot(x)) else base(x)
  invisible(x)
}

#' @rdname plot.WardenTrial
#' @export
plot.warden_scalars <- function(x, ..., engine = "auto") draw(x, engine, draw_lines)

#' @rdname plot.WardenTrial
#' @export
plot.warden_distribution <- function(x, ..., engine = "auto") draw(x, engine, draw_bands)

#' @rdname plot.WardenTrial
#' @export
plot.warden_heatmap <- function(x, ..., engine = "auto") draw(x, engine, draw_cells)

#' @rdname plot.WardenTrial
#' @exportS3Method ggplot2::autoplot
autoplot.WardenTrial <- function(object, what = "loss", ...) {
  ggplot2::autoplot(part_of(object, what, ...))
}

# The name of each line: a tensor, with mode and worker where there are several.
series_labels <- function(x) {
  label <- x$name
  if (length(unique(x$mode)) > 1) label <- paste0(label, " (", tolower(x$mode), ")")
  if (length(unique(x$worker)) > 1) label <- paste0(label, ", ", x$worker)
  label
}

# Whether the axis of the values starts at zero: for losses that are not negative.
starts_at_zero <- function(x) isTRUE(attr(x, "from_zero")) && !any(x$value < 0, na.rm = TRUE)

#' @rdname plot.WardenTrial
#' @exportS3Method ggplot2::autoplot
autoplot.warden_scalars <- function(object, ...) {
  shown <- data.frame(step = object$step, value = object$value, label = series_labels(object))
  many <- length(unique(shown$label))
  picture <- ggplot2::ggplot(shown, ggplot2::aes(
    x = .data$step, y = .data$value, color = .data$label
  )) +
    ggplot2::geom_line() +
    ggplot2::labs(x = "step", y = if (many == 1) shown$label[1] else "value", color = NULL) +
    ggplot2::theme_minimal()
  if (many == 1) {
    picture <- picture + ggplot2::guides(color = "none") +
      ggplot2::scale_color_manual(values = "#1f6f8b")
  }
  if (starts_at_zero(object)) picture <- picture + ggplot2::expand_limits(y = 0)
  # A line of a single step is invisible.
  if (any(table(shown$label) == 1)) picture <- picture + ggplot2::geom_point()
  picture
}

#' @rdname plot.WardenTrial
#' @exportS3Method ggplot2::autoplot
autoplot.warden_distribution <- function(object, ...) {
  wide <- wide_quantiles(object)
  band <- function(low, high, alpha) {
    ggplot2::geom_ribbon(ggplot2::aes(ymin = .data[[low]], ymax = .data[[high]]),
                         fill = "#1f6f8b", alpha = alpha)
  }
  ggplot2::ggplot(wide, ggplot2::aes(x = .data$step)) +
    band("q0", "q1", 0.15) + band("q0.05", "q0.95", 0.25) + band("q0.25", "q0.75", 0.35) +
    ggplot2::geom_line(ggplot2::aes(y = .data$q0.5), color = "#0b3c49") +
    ggplot2::labs(x = "step", y = attr(object, "tensor"),
                  caption = "median, 25-75 %, 5-95 %, minimum to maximum") +
    ggplot2::theme_minimal()
}

#' @rdname plot.WardenTrial
#' @exportS3Method ggplot2::autoplot
autoplot.warden_heatmap <- function(object, ...) {
  cells <- heat_cells(object)
  ggplot2::ggplot(cells$data, ggplot2::aes(
    x = .data$step, y = .data$layer, fill = .data$shade
  )) +
    ggplot2::geom_tile(width = cells$width) +
    ggplot2::scale_fill_viridis_c(name = cells$title, na.value = "#b00020") +
    ggplot2::labs(x = "step", y = NULL) +
    ggplot2::theme_minimal()
}

# One row for each step, a column for each quantile.
wide_quantiles <- function(x) {
  shares <- sort(unique(x$quantile))
  steps <- sort(unique(x$step))
  columns <- lapply(shares, function(share) {
    part <- x[x$quantile == share, ]
    part$value[match(steps, part$step)]
  })
  names(columns) <- paste0("q", shares)
  data.frame(step = steps, columns, check.names = FALSE)
}

# Layers in the order in which the training saves them, and colors on a logarithmic scale where
# values differ by orders of magnitude.
heat_cells <- function(x) {
  layers <- unique(x$name)
  value <- x$value
  finite <- value[is.finite(value)]
  positive <- finite[finite > 0]
  title <- attr(x, "title") %||% "value"
  if (length(positive) && all(finite >= 0) && max(positive) > 30 * min(positive)) {
    value <- log10(pmax(value, min(positive)))
    title <- paste0(title, "\n(log10)")
  }
  value[!is.finite(value)] <- NA
  steps <- sort(unique(x$step))
  list(
    data = data.frame(step = x$step, layer = factor(x$name, levels = rev(layers)), shade = value),
    title = title,
    width = if (length(steps) > 1) min(diff(steps)) else 1
  )
}

draw_lines <- function(x) {
  label <- series_labels(x)
  labels <- unique(label)
  colors <- if (length(labels) == 1) "#1f6f8b" else {
    grDevices::hcl.colors(length(labels), "Dark 3")
  }
  finite <- is.finite(x$value)
  if (!any(finite)) stop("there is nothing to plot: no value is finite", call. = FALSE)
  limits <- range(x$value[finite], if (starts_at_zero(x)) 0)
  plot(range(x$step), limits, type = "n", xlab = "step",
       ylab = if (length(labels) == 1) labels else "value")
  for (i in seq_along(labels)) {
    part <- x[label == labels[i], ]
    graphics::lines(part$step, part$value, col = colors[i],
                    type = if (nrow(part) == 1) "p" else "l")
  }
  if (length(labels) > 1) {
    graphics::legend("topright", labels, col = colors, lty = 1, bty = "n", cex = 0.8)
  }
}

draw_bands <- function(x) {
  wide <- wide_quantiles(x)
  plot(range(wide$step), range(c(wide$q0, wide$q1)), type = "n", xlab = "step",
       ylab = attr(x, "tensor"))
  band <- function(low, high, alpha) {
    graphics::polygon(c(wide$step, rev(wide$step)), c(low, rev(high)), border = NA,
                      col = grDevices::adjustcolor("#1f6f8b", alpha))
  }
  band(wide$q0, wide$q1, 0.15)
  band(wide$q0.05, wide$q0.95, 0.25)
  band(wide$q0.25, wide$q0.75, 0.35)
  graphics::lines(wide$step, wide$q0.5, col = "#0b3c49")
}

draw_cells <- function(x) {
  cells <- heat_cells(x)
  layers <- levels(cells$data$layer)
  steps <- sort(unique(cells$data$step))
  grid <- matrix(NA_real_, length(steps), length(layers))
  grid[cbind(match(cells$data$step, steps), as.integer(cells$data$layer))] <- cells$data$shade
  before <- graphics::par(mar = c(4, 2 + 0.45 * max(nchar(layers)), 3, 1))
  on.exit(graphics::par(before))
  graphics::image(steps, seq_along(layers), grid, col = grDevices::hcl.colors(64, "viridis"),
                  xlab = "step", ylab = "", yaxt = "n")
  limits <- signif(range(grid, na.rm = TRUE), 3)
  graphics::title(sprintf("%s: %s (dark) to %s", sub("\n", " ", cells$title), limits[1], limits[2]),
                  cex.main = 0.9, adj = 1)
  graphics::axis(2, seq_along(layers), layers, las = 1, tick = FALSE, cex.axis = 0.8)
}

#' Show a report in the viewer pane
#'
#' Opens the profiling report or the XGBoost report of a job in the viewer pane of RStudio, else in
#' a browser.
#' @param job A [WardenJob], or the path of a report that exists.
#' @param kind `"profiler"` or `"xgboost"`.
#' @return The path of the page, invisibly.
#' @examples
#' \dontrun{
#' view_report(warden_session()$job("my-job"))
#' }
#' @export
view_report <- function(job, kind = "profiler") {
  if (inherits(job, "WardenJob")) {
    # The viewer pane shows only files in the session's temporary folder.
    path <- job$report(kind)
  } else if (is_text(job) && file.exists(job)) {
    path <- job
  } else {
    stop_bad_value("job", job, "a WardenJob or the path of a report")
  }
  viewer <- getOption("viewer", utils::browseURL)
  viewer(path)
  invisible(path)
}
