# Errors of a run of models/two_masses.nsm [Glowinski 2004, sec. 5] in L2, as sums over its steps; lambda is compared in the
# middle of its step:
#     nsmc run models/two_masses.nsm --method lie --step 0.003 -o - --quiet | awk -f docs/reproduction/l2_errors.awk
# prints tau (of the first step), V, X, lambda.
BEGIN { FS = "," }
function lambda1(t) { return t < 1 ? 1 : t < 2 ? t - 1.5 : t < 3 ? -1 : -0.5 }
function lambda2(t) { return t < 2 ? 1 - t : 1 }
NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
NR == 3 { tau = $1 }
NR > 2 {
  step = $1 - before # the last one may be shorter
  V += step * (($(column["x1'"]) - $(column["v1_exact"]))^2 + ($(column["x2'"]) - $(column["v2_exact"]))^2)
  X += step * (($(column["x1"]) - $(column["x1_exact"]))^2 + ($(column["x2"]) - $(column["x2_exact"]))^2)
  L += step * (($(column["lambda1"]) - lambda1($1 - step / 2))^2 + ($(column["lambda2"]) - lambda2($1 - step / 2))^2)
}
{ before = $1 }
END { printf "%.9g,%.5g,%.5g,%.5g\n", tau, sqrt(V), sqrt(X), sqrt(L) }
