# Figures 2 to 9 and 13 to 15 of [Leine 2003], and its remark on Moreau's scheme, see common.gp; figure 12 is drawn by nsmc plot
# (plots.sh).

array colour[5] = ["#000000", "#a0208f", "#1f4fbf", "#1a8f3c", "#cc7a00"]

# --- Figures 6 and 7: force and torque, from the sets themselves --------------------------------------------------------
eval run("contensou_disc", "--every 4", "over_u")
eval run("contensou_disc", "--every 4 --set v=1 --set v_rate=0 --set gamma_tau=0 --set gamma_tau_rate=1", "over_1_u")

eval picture(620, 440, "leine2003_figure6")
set xrange [0:4]; set yrange [0:1.05]
set xlabel "u = v/γ_τ"; set ylabel "|λ_T|/(μ λ_N)"
set title "Friction force"
plot csv("over_u") every 5::1 using (column("sliding")/column("drilling")):"uniform.T[1]" with lines lw 2 lc rgb "#000000" title "uniform pressure", \
     csv("over_u") every 5::1 using (column("sliding")/column("drilling")):"parabolic.T[1]" with lines lw 2 dt 2 lc rgb "#cc1111" title "parabolic pressure"

eval picture(620, 440, "leine2003_figure7")
set yrange [0:0.75]
set xlabel "1/u = γ_τ/v"; set ylabel "|λ_τ|/(μ λ_N)"
set title "Friction torque, λ_τ = τ_N/R"
plot 2.0/3 with lines lc rgb "#999999" title "2/3", 3*pi/16 with lines dt 2 lc rgb "#999999" title "3π/16", \
     csv("over_1_u") every 5::1 using (column("drilling")/column("sliding")):"uniform.tau" with lines lw 2 lc rgb "#000000" title "uniform pressure", \
     csv("over_1_u") every 5::1 using (column("drilling")/column("sliding")):"parabolic.tau" with lines lw 2 dt 2 lc rgb "#cc1111" title "parabolic pressure"

# --- Figure 2: the velocity potential. It is homogeneous: its line Phi = c holds the points c (v, gamma_tau)/Phi, with
#     Phi = v T + gamma_tau tau from the forces of nsmc.
potential(contact) = column("sliding")*column(contact.".T[1]") + column("drilling")*column(contact.".tau")
eval picture(900, 440, "leine2003_figure2")
set multiplot layout 1,2
set xrange [-1.7:1.7]; set yrange [-1.9:1.9]
set xlabel "v"; set ylabel "ωR"
set size ratio -1
do for [pressure in "uniform parabolic"] {
  set title sprintf("Φ/(μ λ_N) = 1/4, ..., 1, %s pressure", pressure)
  plot for [k = 1:4] for [file in "over_u over_1_u"] for [sv = -1:1:2] for [sw = -1:1:2] csv(file) every 20::1 using \
       (sv*k/4.0*column("sliding")/potential(pressure)):(sw*k/4.0*column("drilling")/potential(pressure)) with lines lw 1.5 lc rgb colour[k] notitle
}
unset multiplot

# --- Figures 3 to 5: the friction disc, a section through the axis of the ball, and the ball B_F ----------------------
eval picture(1000, 400, "leine2003_figure3to5")
set multiplot layout 1,3
set xrange [-1.1:1.1]; set yrange [-1.1:1.1]
set xlabel "λ_{T1}/(μ λ_N)"; set ylabel "λ_{T2}/(μ λ_N)"
set title "Disc, λ_τ = 0"
set parametric; set trange [0:2*pi]
plot cos(t), sin(t) with filledcurves fc rgb "#dde6f7" notitle, cos(t), sin(t) with lines lw 2 lc rgb "#1f4fbf" notitle
unset parametric
set ylabel "λ_τ/(μ λ_N)"
set title "Section through the axis, uniform pressure"
plot for [file in "over_u over_1_u"] for [s1 = -1:1:2] for [s2 = -1:1:2] csv(file) every 12::1 using (s1*column("uniform.T[1]")):(s2*column("uniform.tau")) with lines lw 2 lc rgb "#1f4fbf" notitle
set size noratio
set zrange [-0.75:0.75]; set xyplane at -0.75
set ylabel "λ_{T2}"; set xlabel "λ_{T1}"; set zlabel "λ_τ" rotate
set title "The friction ball B_F"
set view 65,30
splot for [file in "over_u over_1_u"] for [k = 0:15] for [s2 = -1:1:2] csv(file) every 25::1 using (cos(k*pi/8)*column("uniform.T[1]")):(sin(k*pi/8)*column("uniform.T[1]")):(s2*column("uniform.tau")) with lines lc rgb "#1f4fbf" notitle
unset multiplot

# --- Figures 8 and 9: over one velocity, for several values of the other ------------------------------------------------
array other[5] = [0, 0.1, 0.3, 1, 3]
do for [i = 1:5] {
  eval run("contensou_disc", sprintf("--every 16 --set v=-2 --set gamma_tau=%g", other[i]), sprintf("over_v_%d", i))
  eval run("contensou_disc", sprintf("--every 16 --set gamma_tau=-2 --set gamma_tau_rate=1 --set v_rate=0 --set v=%g", other[i]), sprintf("over_gamma_%d", i))
}
eval picture(900, 440, "leine2003_figure8")
set multiplot layout 1,2
set xrange [-2:2]; set yrange [-1.1:1.1]
set xlabel "v [m/s]"; set ylabel "-λ_T/(μ λ_N)"
do for [pressure in "uniform parabolic"] {
  set title sprintf("Friction force, %s pressure", pressure)
  plot for [i = 1:5] csv(sprintf("over_v_%d", i)) every ::1 using "sliding":sprintf("%s.T[1]", pressure) with lines lw 2 lc rgb colour[i] title sprintf("γ_τ = %g", other[i])
}
unset multiplot
eval picture(900, 440, "leine2003_figure9")
set multiplot layout 1,2
set yrange [-0.75:0.75]
set xlabel "γ_τ [m/s]"; set ylabel "-λ_τ/(μ λ_N)"
do for [pressure in "uniform parabolic"] {
  set title sprintf("Friction torque, %s pressure", pressure)
  plot for [i = 1:5] csv(sprintf("over_gamma_%d", i)) every ::1 using "drilling":sprintf("%s.tau", pressure) with lines lw 2 lc rgb colour[i] title sprintf("v = %g", other[i])
}
unset multiplot

# --- Figure 13: the Tippe-Top. Nutation has a period of 0.04 s ------------------------------------------------
record = coarse > 1 ? "1e-2" : "5e-3"
event = sprintf("--method event --step %s --record %s", record, record)
eval run("tippe_top", event." --outputs head.gap,tip.gap", "top")
eval run("tippe_top", sprintf("--method event --until 4.95 --step %g --record %g --outputs head.gap,tip.gap", 2.5e-4*coarse, 2.5e-4*coarse), "rocking")
eval picture(900, 420, "leine2003_figure13")
set multiplot layout 1,2
set xrange [0:8]; set yrange [-1:25]
set ylabel "contact distance [mm]"
set title "Contact distances"
plot csv("top") every 2 using "t":(1e3*column("head.gap")) with lines lw 1.5 lc rgb "#1f4fbf" title "head, g_{N1}", \
     csv("top") every 2 using "t":(1e3*column("tip.gap")) with lines lw 1.5 lc rgb "#cc1111" title "tip, g_{N2}"
set xrange [4.72:4.92]; set yrange [-0.05:0.25]
set title "the rocking, enlarged"
plot csv("rocking") using "t":(column("t") < 4.7 ? NaN : 1e3*column("head.gap")) with lines lw 1.5 lc rgb "#1f4fbf" title "head, g_{N1}", \
     csv("rocking") using "t":(column("t") < 4.7 ? NaN : 1e3*column("tip.gap")) with lines lw 1.5 lc rgb "#cc1111" title "tip, g_{N2}"
unset multiplot

# --- Figure 14: stability of both equilibria ----------------------------------------------------------------------------
# Small tilts, a little below and above the critical spins (18); mu and R so small that the spin is hardly lost.
w1 = 21.6998; w2 = 88.1074
small = sprintf("--set R=5e-5 --record 2e-2 --outputs inclination --step %g", 5e-5*coarse)
do for [percent in "90 110"] {
  eval run("tippe_top", sprintf("%s --set mu=1e-3 --set theta0=1e-5 --set z0=0.012 --until 8 --set spin=%g", small, w1*percent/100), "head_".percent)
  eval run("tippe_top", sprintf("%s --set mu=3e-3 --set theta0=3.1415826535897932 --set z0=0.021 --until 1 --set spin=%g", small, w2*percent/100), "tip_".percent)
}
eval picture(1100, 420, "leine2003_figure14")
set multiplot layout 1,3
set xrange [0:2]; set yrange [0:2]
set xlabel "r/h"; set ylabel "I_3/I_1"
set title "Regions of stability"
unset key
set arrow 1 from 1,0 to 1,2 nohead lc rgb "#000000"
set label 1 "I\nstable" at 1.25,1.75 center
set label 2 "II\nstable if ω > ω_k" at 0.5,1.4 center
set label 3 "III\nunstable" at 0.75,0.25 center
set label 4 "IV\nstable if ω < ω_k" at 1.5,0.5 center
plot x with lines lc rgb "#000000", "+" using (1.25):(0.875) every ::0::0 with points pt 7 lc rgb "#1f4fbf", "+" using (5.0/21):(0.875) every ::0::0 with points pt 7 lc rgb "#cc1111"
unset arrow 1; unset label 1; unset label 2; unset label 3; unset label 4
set key below samplen 2 height 0.8
set logscale y
set xrange [0:8]; set yrange [1e-7:1e-4]
set format y "10^{%T}"
set xlabel "t [s]"; set ylabel "tilt"
set title sprintf("head down, ω_k = %.1f rad/s", w1)
plot csv("head_90") using "t":"inclination" with lines lw 1.5 lc rgb "#1f4fbf" title "0.9 ω_k", \
     csv("head_110") using "t":"inclination" with lines lw 1.5 lc rgb "#cc1111" title "1.1 ω_k"
set xrange [0:1]; set yrange [1e-7:1e-2]
set title sprintf("tip down, ω_k = %.1f rad/s", w2)
plot csv("tip_90") using "t":(pi - column("inclination")) with lines lw 1.5 lc rgb "#1f4fbf" title "0.9 ω_k", \
     csv("tip_110") using "t":(pi - column("inclination")) with lines lw 1.5 lc rgb "#cc1111" title "1.1 ω_k"
unset multiplot
unset logscale y
set format y

# --- Figure 15: several radii, those of the page ------------------------------------------------------------------------
array radius[4] = [5e-5, 1e-4, 3e-4, 1e-3]
do for [i = 1:4] { eval run("tippe_top", sprintf("%s --until 6 --outputs inclination --set R=%g", event, radius[i]), sprintf("radius_%d", i)) }
eval picture(800, 420, "leine2003_figure15")
set xrange [0:6]; set yrange [0:3.3]
set ytics ("0" 0, "π/4" pi/4, "π/2" pi/2, "3π/4" 3*pi/4, "π" pi)
set xlabel "t [s]"; set ylabel "θ"
set title "Inclination for several contact radii R"
plot for [i = 1:4] csv(sprintf("radius_%d", i)) using "t":"inclination" with lines lw 1.5 lc rgb colour[i + 1] title sprintf("%g mm", 1e3*radius[i])

# --- The conclusion: Moreau's scheme diverges, Runge-Kutta does not. Nutation on a smooth floor, in Euler's angles. -------
nutation = "--no-stabilisation --set mu=0 --set theta0=0.5 --until 1 --record 4e-3 --outputs inclination"
array steps[3] = [4e-4, 2e-4, 1e-4]
do for [i = 1:3] { eval attempt("tippe_top_euler", sprintf("%s --step %g", nutation, steps[i]), sprintf("moreau_%d", i)) }
# The start lies 0.35 mm below the floor, which --strict does not allow.
eval attempt("tippe_top_euler", nutation." --method rk --step 4e-4", "rk")
eval attempt("tippe_top_euler", nutation." --method event --step 4e-3", "event")
eval picture(900, 420, "leine2003_divergence")
set multiplot layout 1,2
set xrange [0:1]; set yrange [0:pi]
set title "Moreau's scheme, steps of 0.4, 0.2 and 0.1 ms"
plot for [i = 1:3] csv(sprintf("moreau_%d", i)) using "t":"inclination" with lines lw 1.2 lc rgb colour[i + 2] title sprintf("moreau, %g ms", 1e3*steps[i])
set title "Runge-Kutta, 0.4 ms"
set yrange [0.46:0.56]
set ytics auto
plot csv("event") using "t":"inclination" with lines lw 5 lc rgb "#bbbbbb" title "event", \
     csv("rk") using "t":"inclination" with lines lw 1.2 lc rgb "#1f4fbf" title "rk, 0.4 ms"
unset multiplot
set output
