# Does an SVG of gnuplot have curves? Every plot in it must have at least three vertices, or a point. What has a text is in
# the key, where a sample has two vertices or a point of its own. Exit code 1 and a message if not.
function close_plot() {
  if (plot != "" && vertices < 3 && points < 1 + in_key) { printf "%s: %s is empty\n", FILENAME, plot; bad = 1 }
  plot = ""
}
/<g id="gnuplot_plot_/ {
  close_plot()
  plot = $0; sub(/.*id="/, "", plot); sub(/".*/, "", plot)
  ++plots; vertices = points = in_key = 0
}
plot != "" {
  line = $0
  if (/<text/) in_key = 1
  vertices += gsub(/[ML]-?[0-9.]+,-?[0-9.]+/, "", line)
  points += gsub(/<use /, "", line) + gsub(/<polygon/, "", line) + gsub(/<circle/, "", line)
}
END { close_plot(); if (!plots) { printf "%s: no plot\n", FILENAME; bad = 1 } exit bad }
