# The pictures of docs/reproduction.md that `nsmc plot` draws; scripts/reproduce reads this file, as it does the scripts of
# gnuplot for the others. `figure PAPER_NAME ARGUMENTS of nsmc plot`; $coarse is 1, or a factor by which steps may be larger.

# Nutation has a period of 0.04 s.
fine=$((5 * coarse))[ms]

figure leine2003_figure12 models/tippe_top.nsm -y inclination --method event --step "$fine" --record "$fine" \
  --title "Inclination of the Tippe-Top, R = 5·10⁻⁴ m"

figure moeller2009_figure4 models/tippe_top.nsm models/tippe_top_ellipsoid.nsm models/tippe_top_cylinder.nsm -y inclination \
  --method event --step "$fine" --record "$fine" --label B_F,E_F,C_F --title "Inclination of the Tippe-Top"

figure walker2017_figure8 models/slider_rectangle.nsm models/slider_ellipse.nsm models/slider_collinear.nsm models/slider_nonconvex.nsm \
  -x q1 -y q2 --method event --step 4[ms] --record 4[ms] --title "Sliding paths until stick" \
  --label "rectangle (2),ellipse (2),ellipse collinear (10),non-convex reservoir (31) (22)"
