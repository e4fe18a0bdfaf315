# Figures 1b, 2a, 2c, 4, 6 and 7 of [Walker 2017], see common.gp; figure 8 is drawn by nsmc plot (plots.sh).

mu1 = 0.6; mu2 = 0.3; mg = 9.81
array ratio[4] = [0.5, 1, 2, 4]                       # p1/p2
array colour[4] = ["#cc7a00", "#1a8f3c", "#1f4fbf", "#a0208f"]

set style line 1 lc rgb "#000000" lw 2

# --- Figures 1b, 2a, 2c and 4: forces and velocities of four laws -----------------------------------------------------
# One step each, with velocities on a square about the origin: what is drawn is the law, whatever the motion.
velocities = "--vary u1=-1:1:7 --vary u2=-1:1:7 --until 1e-6 --step 1e-6 --measure surface.T"
do for [law in "ellipse rectangle collinear"] { eval sweep("slider_".law, velocities, "law_".law) }
eval sweep("slider_two_set", "--set p1=1.2 --set p2=0.3 ".velocities, "law_two_set")
array drawn[4] = ["ellipse", "rectangle", "collinear", "two_set"]
array name[4] = ["figure 1b: ellipse, law (2)", "figure 2a: rectangle, law (2)", "figure 2c: ellipse, collinear (10)", "figure 4: two ellipses, law (22)"]
# On the square, arrows of one length.
on(x) = column("u1")**2 == 1 || column("u2")**2 == 1 ? x : NaN
arrow(x) = 1.3*x/sqrt(column("u1")**2 + column("u2")**2)
D = 0.5                                               # semi-axes of D, 1.2 and 0.3 times this and m g
$square << EOD
x,y
-1,-1
1,-1
1,1
-1,1
-1,-1
EOD
set samples 100
eval picture(900, 760, "walker2017_figure1to4")
set multiplot layout 2,2
set size ratio -1
set parametric
set trange [0:2*pi]
set xlabel "-λ₁ [N]"; set ylabel "-λ₂ [N]"
set xrange [-8:8]; set yrange [-5:5]
ellipse_C = "mu1*mg*cos(t), mu2*mg*sin(t) ls 1 title 'C'"
array sets[4] = [ellipse_C, "$square using (mu1*mg*$1):(mu2*mg*$2) with lines ls 1 title 'C'", ellipse_C, \
                 ellipse_C.", D*1.2*mg*cos(t), D*0.3*mg*sin(t) lw 1.5 dt 2 lc rgb '#a0208f' title 'D'"]
do for [i = 1:4] {
  set title name[i]
  file = csv("law_".drawn[i])
  eval "plot ".sets[i].", \
       file using (on(-column('surface.T[1]'))):(-column('surface.T[2]')):(arrow(column('u1'))):(arrow(column('u2'))) with vectors head size 0.3,20 nofilled lc rgb '#1f4fbf' title 'γ, at -λ', \
       file using (on(-column('surface.T[1]'))):(-column('surface.T[2]')) with points pt 7 ps 0.4 lc rgb '#cc1111' title '-λ'"
}
unset multiplot
unset parametric

# --- Figure 6 ---------------------------------------------------------------------------------------------------------
do for [i = 1:4] { eval run("slider_two_set", sprintf("--method event --step 4e-3 --record 4e-3 --set p1=%g --set p2=0.3", 0.3*ratio[i]), sprintf("two_set_%d", i)) }

eval picture(900, 460, "walker2017_figure6")
set multiplot layout 1,2
set size ratio -1
set parametric
set trange [0:2*pi]
set xlabel "-λ₁ [N]"; set ylabel "-λ₂ [N]"
set xrange [-7:7]; set yrange [-5:5]
set title "(a) reservoir C and normality sets D"
scale(r) = mg*(mu1/r < mu2 ? mu1/r : mu2)             # D is as large as C allows: semi-axes r, 1
plot mu1*mg*cos(t), mu2*mg*sin(t) ls 1 title "C", \
     for [i = 1:4] scale(ratio[i])*ratio[i]*cos(t), scale(ratio[i])*sin(t) lw 1.5 dt 2 lc rgb colour[i] title sprintf("D, p₁/p₂ = %g", ratio[i])
unset parametric
set xlabel "q₁ [m]"; set ylabel "q₂ [m]"
set xrange [0:0.32]; set yrange [0:0.32]
set title "(b) sliding paths"
plot for [i = 1:4] csv(sprintf("two_set_%d", i)) using "q1":"q2" with lines lw 2 lc rgb colour[i] title sprintf("p₁/p₂ = %g", ratio[i])
unset multiplot

# --- Figure 7 ---------------------------------------------------------------------------------------------------------
eval run("slider_circle", "--every 50", "circle")
eval picture(800, 560, "walker2017_figure7")
set size ratio -1
set xlabel "-λ₁ [N]"; set ylabel "-λ₂ [N]"
set xrange [-8:8]; set yrange [-5:5]
set title "Forces of a body that is led along a circle"
k_C(c, s) = 2.5*(((c/mu1)**2 + (s/mu2)**2)**0.5 - 0.6*((c/mu1)**4 + (s/mu2)**4)**0.25)/mg
k_D(x, y) = sqrt((x/mu1)**2 + (y/mu2)**2)/(0.8*mg)
set parametric
plot cos(t)/k_C(cos(t), sin(t)), sin(t)/k_C(cos(t), sin(t)) ls 1 title "boundary of C, (31)", \
     0.8*mu1*mg*cos(t), 0.8*mu2*mg*sin(t) lw 1.5 lc rgb "#1f4fbf" title "D", \
     csv("circle") every ::1 using (-column("surface.T[1]")):(-column("surface.T[2]")) with points pt 7 ps 0.5 lc rgb "#cc1111" title "friction forces -λ", \
     csv("circle") every ::1 using (-column("surface.T[1]")):(-column("surface.T[2]")):"q1'":"q2'" with vectors head size 0.12,20 filled lc rgb "#e08080" title "sliding velocity, at the force", \
     csv("circle") every ::1 using (-column("surface.T[1]")/k_D(column("surface.T[1]"), column("surface.T[2]"))):(-column("surface.T[2]")/k_D(column("surface.T[1]"), column("surface.T[2]"))):"q1'":"q2'" with vectors head size 0.12,20 filled lc rgb "#80a0e0" title "the same, at the point of D"
unset parametric

set output
