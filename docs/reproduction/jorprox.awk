# JORprox as [Studer 2006, (60), (61)] print it, for the block of sec. 5.8: r_i = omega/G_hh (66) in all rows, never halved,
# which nsmc has no option for. G and c are nsmc's (nsmc inspect models/block.nsm), loads, start and stopping rule too, so
# that the curves can be compared. -v nsmc=PROGRAM: another than the one in PATH.
#     awk -f docs/reproduction/jorprox.awk -v what=curve [-v n=77]   state, omega, iterations (none where it does not end within 400)
#     awk -f docs/reproduction/jorprox.awk -v what=limits            the omega at which rho(I - R G) = 1, and the fewest iterations
#     awk -f docs/reproduction/jorprox.awk -v what=rows              how dominant the diagonal of G is
#     awk -f docs/reproduction/jorprox.awk -v what=small             iterations for omega -> 0, stopped by the change of lambda
# -v printed=1: the G that (74)-(77) print, in place of nsmc's. -v advice=1: r_i of (69) and (70), which is nsmc's.

# What nsmc has for the block with these loads, in the order (N_left, N_right, T_left, T_right) of the paper: G, and
# c/dt, which from rest are the accelerations W^T M^-1 h.
function ask_nsmc(Fx, Mz,  command, line, part, i, j, dt, names, place) {
  command = nsmc " inspect models/block.nsm --json --set Fx=" Fx " --set Mz=" Mz
  while ((command | getline line) > 0) {
    if (line ~ /"rows"/) {
      sub(/.*\["/, "", line)
      split(line, names, /[", ]+/)
      for (i = 1; i <= 4; ++i) place[i] = (names[i] ~ /N$/ ? 1 : 3) + (names[i] ~ /^right/)
    } else if (line ~ /"dt"/) {
      sub(/.*: /, "", line)
      dt = line + 0
    } else if (line ~ /"c"/) {
      sub(/.*\[/, "", line)
      split(line, part, ",")
      for (i = 1; i <= 4; ++i) c[place[i]] = part[i] / dt
    } else if (line ~ /"G"/) {
      for (i = 1; i <= 4; ++i) {
        command | getline line
        sub(/.*\[/, "", line)
        split(line, part, ",")
        for (j = 1; j <= 4; ++j) G[place[i], place[j]] = part[j] + 0
      }
    }
  }
  close(command)
  if (!((4, 4) in G)) { print "no G from " command > "/dev/stderr"; exit 2 }
}
function load(state,  i, j, k, sum) {
  if (state == "stick") ask_nsmc(3, 0)
  if (state == "slide") ask_nsmc(9, 0.4)
  if (state == "opening") ask_nsmc(0, -3.4)
  if (printed) {
    split("1.8 -0.8 -0.4 -0.4 -0.8 1.8 0.4 0.4 -0.4 0.4 0.6 0.6 -0.4 0.4 0.6 0.6", k, " ")
    for (i = 1; i <= 4; ++i) for (j = 1; j <= 4; ++j) G[i, j] = k[4 * (i - 1) + j]
  }
  for (i = 1; i <= 4; ++i) {
    sum = 0
    for (j = 1; j <= 4; ++j) sum += G[i, j] < 0 ? -G[i, j] : G[i, j]
    r[i] = 1 / (advice && 2 * G[i, i] <= sum ? sum : G[i, i])
  }
}

# next_ = prox(lambda - omega r_i (G lambda + c)), the friction limits from the normal forces of the last sweep.
function sweep(omega, next_,  i, j, x, a) {
  for (i = 1; i <= 4; ++i) {
    x = c[i]
    for (j = 1; j <= 4; ++j) x += G[i, j] * lambda[j]
    x = lambda[i] - omega * r[i] * x
    if (i <= 2) next_[i] = x > 0 ? x : 0
    else {
      a = mu * lambda[i - 2]
      next_[i] = x > a ? a : x < -a ? -a : x
    }
  }
}
function sweep_plain(next_,  i, kept) {
  for (i = 1; i <= 4; ++i) { kept[i] = r[i]; r[i] = 1 / G[i, i] }
  sweep(1, next_)
  for (i = 1; i <= 4; ++i) r[i] = kept[i]
}
# Distance of lambda from next_ and the size of lambda, in the norm max_i sqrt(G_ii) |x_i|.
function measure(next_,  i, d, l) {
  distance = size = 0
  for (i = 1; i <= 4; ++i) {
    d = sqrt(G[i, i]) * (next_[i] - lambda[i]); if (d < 0) d = -d
    l = sqrt(G[i, i]) * lambda[i]; if (l < 0) l = -l
    if (d > distance) distance = d
    if (l > size) size = l
  }
}
# Sweeps until the residual, a sweep with r_i = 1/G_ii, is below the tolerance; -1 if it never is.
function iterations(omega,  i, k) {
  for (i = 1; i <= 4; ++i) lambda[i] = 0
  for (k = 0; k <= most; ++k) {
    sweep_plain(probe)
    measure(probe)
    if (distance <= tolerance * size) return k
    if (!(size < 1e100)) return -1
    sweep(omega, after)
    for (i = 1; i <= 4; ++i) lambda[i] = after[i]
  }
  return -1
}
# Sweeps until one changes lambda by less than the tolerance, a rule of the kind that sec. 5.5 speaks of.
function until_still(omega,  i, k) {
  for (i = 1; i <= 4; ++i) lambda[i] = 0
  for (k = 1; k <= 100000; ++k) {
    sweep(omega, after)
    for (i = 1; i <= 4; ++i) before[i] = lambda[i]
    for (i = 1; i <= 4; ++i) lambda[i] = after[i]
    measure(before)
    if (distance <= absolute + relative * size) return k
  }
  return -1
}
# Growth of an error per sweep once the state of the contacts is found. In stick T_left and T_right change alike: their
# sum is all that matters.
function spectral_radius(state, omega,  i, j, k, x, e, f, s, growth) {
  e[1] = 1; e[2] = 0.3; e[3] = 0.5; e[4] = 0.7
  for (k = 0; k < 600; ++k) {
    for (i = 1; i <= 4; ++i) {
      x = 0
      for (j = 1; j <= 4; ++j) x += G[i, j] * e[j]
      if (state == "opening" && (i == 1 || i == 3)) f[i] = 0
      else if (state == "slide" && i > 2) f[i] = -mu * e[i - 2]
      else f[i] = e[i] - omega * r[i] * x
    }
    if (state == "stick") { f[3] += f[4]; f[4] = 0 }
    s = sqrt(f[1]^2 + f[2]^2 + f[3]^2 + f[4]^2)
    for (i = 1; i <= 4; ++i) e[i] = f[i] / s
    if (k >= 300) growth += log(s)
  }
  return exp(growth / 300)
}
function limit(state,  low, high, middle, k) {
  low = 0.1; high = 2
  for (k = 0; k < 20; ++k) {
    middle = (low + high) / 2
    if (spectral_radius(state, middle) < 1) low = middle; else high = middle
  }
  return low
}

BEGIN {
  mu = 0.3; tolerance = 1e-10
  if (!n) n = 77
  if (!most) most = 400
  if (nsmc == "") nsmc = "nsmc"
  states = split("stick slide opening", state, " ")
  if (what == "rows") {
    load("stick")
    printf "off the diagonal, over it: %.3f in the normal rows, %.3f in the rows of friction\n", \
      (-G[1, 2] + 2 * G[2, 3]) / G[1, 1], (2 * G[2, 3] + G[3, 4]) / G[3, 3]
  } else if (what == "curve") {
    print "state,omega,iterations"
    for (s = 1; s <= states; ++s) {
      load(state[s])
      for (k = 0; k < n; ++k) {
        omega = 0.05 + 1.9 * k / (n - 1)
        found = iterations(omega)
        if (found >= 0) printf "%s,%.9g,%d\n", state[s], omega, found
      }
    }
  } else if (what == "limits") {
    for (s = 1; s <= states; ++s) {
      load(state[s])
      fewest = 1e9
      for (k = 0; k < 77; ++k) {
        omega = 0.05 + 1.9 * k / 76
        found = iterations(omega)
        if (found >= 0 && found < fewest) { fewest = found; at = omega }
      }
      printf "%s: rho = 1 at omega = %.4f; fewest iterations %d, at omega = %.4g\n", state[s], limit(state[s]), fewest, at
    }
  } else if (what == "small") {
    relative = 1e-6; absolute = 1e-6
    load("stick")
    for (omega = 1e-1; omega > 5e-8; omega *= omega > 0.01 ? 1e-2 : 1e-4) {
      found = until_still(omega)
      printf "omega = %.0e: %d sweeps, N_left = %.4g\n", omega, found, lambda[1]
    }
  } else {
    print "what is rows, curve, limits or small" > "/dev/stderr"
    exit 2
  }
}
