# Is a friction law monotone [Walker 2017, (11)]? From a table of nsmc sweep with the columns q1', q2' (velocities gamma) and
# surface.T[1], surface.T[2] (forces lambda) of single steps, the least product
#     (-lambda_I + lambda_II)^T (gamma_I - gamma_II)
# of all pairs, and the pair. Negative: not monotone.
BEGIN { FS = "," }
NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
{ ++n; g1[n] = $(column["q1'"]); g2[n] = $(column["q2'"]); f1[n] = -$(column["surface.T[1]"]); f2[n] = -$(column["surface.T[2]"]) }
END {
  least = 1e9
  for (i = 1; i <= n; ++i)
    for (j = i + 1; j <= n; ++j) {
      product = (f1[i] - f1[j]) * (g1[i] - g1[j]) + (f2[i] - f2[j]) * (g2[i] - g2[j])
      if (product < least) { least = product; I = i; II = j }
    }
  printf "least product %.4f W: gamma_I = (%.3f, %.3f), -lambda_I = (%.3f, %.3f); gamma_II = (%.3f, %.3f), -lambda_II = (%.3f, %.3f)\n", \
    least, g1[I], g2[I], f1[I], f2[I], g1[II], g2[II], f1[II], f2[II]
}
