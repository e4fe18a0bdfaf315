# The fewest iterations of jor and of sor, and at which omega, from a table of nsmc sweep with the columns solver, omega,
# iterations.
BEGIN { FS = "," }
NR > 1 && (!($1 in least) || $3 < least[$1]) { least[$1] = $3; at[$1] = $2 }
END { printf "jor %d at %g, sor %d at %g\n", least["jor"], at["jor"], least["sor"], at["sor"] }
