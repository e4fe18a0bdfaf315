# Figures 1 to 9 of [Glowinski 2004], see common.gp.

tau = 0.003
eval run("two_masses", sprintf("--method lie --step %g", tau), "lie")

exact = "#999999"
first = "#1f4fbf"
second = "#cc1111"
lambda1(t) = t < 1 ? 1 : t < 2 ? t - 1.5 : t < 3 ? -1 : -0.5
lambda2(t) = t < 2 ? 1 - t : 1

# Figures 1 to 6: the computed curves over the solution.
eval picture(900, 900, "glowinski2004_figure1to6")
set xlabel "t"; set xrange [0:4]
set multiplot layout 3,2 title "Two masses with friction, τ = 0.003"
set ylabel "v_1"
plot csv("lie") using "t":"v1_exact" with lines lw 5 lc rgb exact title "solution", \
     csv("lie") using "t":"x1'" with lines lw 1.5 lc rgb first title "figure 1: v_1"
set ylabel "v_2"
plot csv("lie") using "t":"v2_exact" with lines lw 5 lc rgb exact title "solution", \
     csv("lie") using "t":"x2'" with lines lw 1.5 lc rgb second title "figure 2: v_2"
set ylabel "x_1"
plot csv("lie") using "t":"x1_exact" with lines lw 5 lc rgb exact title "solution", \
     csv("lie") using "t":"x1" with lines lw 1.5 lc rgb first title "figure 3: x_1"
set ylabel "x_2"
plot csv("lie") using "t":"x2_exact" with lines lw 5 lc rgb exact title "solution", \
     csv("lie") using "t":"x2" with lines lw 1.5 lc rgb second title "figure 4: x_2"
set yrange [-1.2:1.2]
set ylabel "λ_1"
plot csv("lie") every ::1 using "t":(lambda1(column("t"))) with lines lw 5 lc rgb exact title "solution", \
     csv("lie") every ::1 using "t":"lambda1" with lines lw 1.5 lc rgb first title "figure 5: λ_1"
set ylabel "λ_2"
plot csv("lie") every ::1 using "t":(lambda2(column("t"))) with lines lw 5 lc rgb exact title "solution", \
     csv("lie") every ::1 using "t":"lambda2" with lines lw 1.5 lc rgb second title "figure 6: λ_2"
unset multiplot

# Figures 7 to 9: errors in L2 over tau, as sums over the steps; lambda is compared in the middle of its step.
set print csv("errors")
print "tau,V,X,lambda"
do for [k = 0:(coarse > 1 ? 3 : 9)] {
  tau = 0.012*2**(-k/3.0)
  eval run("two_masses", sprintf("--method lie --step %.17g", tau), "error")
  sum_V = 0.0; sum_X = 0.0; sum_lambda = 0.0
  stats csv("error") every ::1 using (sum_V = sum_V + (column("x1'") - column("v1_exact"))**2 + (column("x2'") - column("v2_exact"))**2) nooutput
  stats csv("error") every ::1 using (sum_X = sum_X + (column("x1") - column("x1_exact"))**2 + (column("x2") - column("x2_exact"))**2) nooutput
  stats csv("error") every ::1 using (sum_lambda = sum_lambda + (column("lambda1") - lambda1(column("t") - tau/2))**2 + (column("lambda2") - lambda2(column("t") - tau/2))**2) nooutput
  print sprintf("%.9g,%.9g,%.9g,%.9g", tau, sqrt(tau*sum_V), sqrt(tau*sum_X), sqrt(tau*sum_lambda))
}
unset print
eval picture(900, 420, "glowinski2004_figure7to9")
set yrange [*:*]; set xrange [0.001:0.015]
set logscale xy
set xlabel "τ"; set ylabel "error in L²"
set title "Errors of V, X and λ over τ"
plot csv("errors") using "tau":"V" with linespoints pt 7 ps 0.6 lw 1.5 lc rgb first title "figure 7: V", \
     csv("errors") using "tau":"X" with linespoints pt 7 ps 0.6 lw 1.5 lc rgb second title "figure 8: X", \
     csv("errors") using "tau":"lambda" with linespoints pt 7 ps 0.6 lw 1.5 lc rgb "#1a8f3c" title "figure 9: λ", \
     5*x with lines dt 2 lc rgb exact title "τ", 4*sqrt(x) with lines dt 3 lc rgb exact title "√τ"
unset logscale
unset title
set output
