# Does an SVG of gnuplot have curves? Every plot in it must have at least three vertices (the sample in the key has two) or
# a point. Exit code 1 and a message if not.
function close_plot() {
  if (plot != "" && vertices < 3 && points == 0) { printf "%s: %s is empty\n", FILENAME, plot; bad = 1 }
  plot = ""
}
/<g id="gnuplot_plot_/ {
  close_plot()
  plot = $0; sub(/.*id="/, "", plot); sub(/".*/, "", plot)
  ++plots; vertices = points = 0
}
plot != "" {
  line = $0
  vertices += gsub(/[ML]-?[0-9.]+,-?[0-9.]+/, "", line)
  points += gsub(/<use /, "", line) + gsub(/<polygon/, "", line) + gsub(/<circle/, "", line)
  # Long paths go on in lines of their own.
  vertices += gsub(/L?-?[0-9]+\.[0-9]+,-?[0-9]+\.[0-9]+/, "", line)
}
END { close_plot(); if (!plots) { printf "%s: no plot\n", FILENAME; bad = 1 } exit bad }
