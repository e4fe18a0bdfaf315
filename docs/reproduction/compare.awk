# Are the numbers `expected` among those of standard input, in this order, to one unit of their last digit? "<x": the number
# after the last one found is below x in size. The header of a table is not looked at. Exit code 1 and a message if not.
function last_digit(number,  mantissa, exponent, at) {
  mantissa = number; exponent = 0
  if ((at = index(number, "e"))) { mantissa = substr(number, 1, at - 1); exponent = substr(number, at + 1) + 0 }
  at = index(mantissa, ".")
  return 10^(exponent - (at ? length(mantissa) - at : 0))
}
function size(x) { return x < 0 ? -x : x }
NR == 1 && (/^t,/ || /,status$/) { next }
{
  line = $0; before = " "
  while (match(line, /[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?/)) {
    previous = RSTART > 1 ? substr(line, RSTART - 1, 1) : before
    # Digits in names, as in G_11, are no numbers.
    if (previous !~ /[A-Za-z_.[]/) found[++count] = substr(line, RSTART, RLENGTH) + 0
    before = substr(line, RSTART + RLENGTH - 1, 1)
    line = substr(line, RSTART + RLENGTH)
  }
}
END {
  n = split(expected, want, " ")
  at = 0
  for (k = 1; k <= n; ++k) {
    if (want[k] ~ /^</) {
      bound = substr(want[k], 2) + 0
      if (++at > count || !(size(found[at]) < bound)) { printf "expected less than %g, found %s\n", bound, at > count ? "nothing" : found[at]; exit 1 }
      continue
    }
    # A little more than a unit, for decimals are not exact.
    for (++at; at <= count && !(size(found[at] - want[k]) <= 1.0001 * last_digit(want[k])); ++at) {}
    if (at > count) { printf "%s is not among the numbers\n", want[k]; exit 1 }
  }
}
