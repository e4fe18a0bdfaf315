# What holds of the packages in a Debian 12 that has nothing else: run by in_empty_debian, as root, in the folder of the packages.
set -euo pipefail
cd /packages
failed=0
part=

say() { printf '%s\n' "$*"; }
fault() {
  say "  FAILED: $part: $*"
  failed=1
}
# expect WHAT COMMAND...: it succeeds, and its output is in $out.
expect() {
  part=$1
  shift
  if out=$("$@" 2>&1); then say "  ok: $part"; else fault "exit code $?: $out"; fi
}
# refuse CODE TEXT WHAT COMMAND...: it ends with this code and says this.
refuse() {
  local code=$1 text=$2 got=0
  part=$3
  shift 3
  out=$("$@" 2>&1) || got=$?
  if ((got == code)) && [[ $out == *"$text"* ]]; then say "  ok: $part"; else fault "exit code $got: $out"; fi
}
says() { if [[ $out == *"$1"* ]]; then :; else fault "does not say '$1': $out"; fi; }
user() { timeout 300 su tester -s /bin/bash -c "cd; $1"; }
megabytes() { dpkg-query -W -f '${Installed-Size}\n' | awk '{ sum += $1 } END { print int(sum / 1024) }'; }
install() {
  local start=$SECONDS before after
  before=$(megabytes)
  DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" >/tmp/apt.log 2>&1 || {
    cat /tmp/apt.log
    exit 1
  }
  apt-get clean
  after=$(megabytes)
  say "installed: apt-get ${*: -2} ($((after - before)) MB more, $((SECONDS - start)) s)"
}

version=$(dpkg-deb -f nsmc_*.deb Version)
useradd -m tester
apt-get -q update >/tmp/apt.log 2>&1 || { cat /tmp/apt.log; exit 1; }

install install --no-install-recommends ./nsmc_*.deb
for absent in cc gcc g++ clang cmake gnuplot python3 mpirun node; do
  if command -v $absent >/dev/null; then fault "this Debian is not empty: it has $absent"; fi
done
if dpkg -l | grep -qE '^ii +(libopenmpi|libllvm|libLLVM)'; then fault "nsmc brought MPI or LLVM along"; fi

models=/usr/share/nsmc/models
expect "says its version" user "nsmc --version"
says "nsmc $version"
start=$(date +%s%N)
expect "runs the Tippe-Top as a user" user "nsmc run $models/tippe_top.nsm -o top.csv"
say "      $((($(date +%s%N) - start) / 1000000)) ms, compilation included"
says "every step converged"
expect "writes its rows" user "test \$(wc -l < top.csv) -gt 100"
start=$(date +%s%N)
expect "and again, from the cache" user "nsmc run $models/tippe_top.nsm"
say "      $((($(date +%s%N) - start) / 1000000)) ms"
says "(cached)"
expect "checks every model" user "for m in $models/*.nsm; do nsmc check \$m || exit 1; done"
expect "sweeps" user "nsmc sweep $models/bouncing_ball.nsm --vary e=0.2:0.8:4 --measure 'max(z)' -o one.csv"
expect "writes a row for each run" user "test \$(wc -l < one.csv) = 5"
expect "writes a page" user "nsmc view $models/tippe_top.nsm --until 0.5 --no-open -o top.html"
expect "with the model in it" user "grep -q tippe_top top.html"
expect "prints equations" user "nsmc emit $models/double_pendulum.nsm --latex"
says "documentclass"
expect "prints the matrices of a step" user "nsmc inspect $models/block.nsm"
expect "describes" user "nsmc describe $models/block.nsm"
expect "formats" user "cp $models/block.nsm . && nsmc fmt --check block.nsm"
refuse 4 "gnuplot" "plot without gnuplot says what is missing" user "nsmc plot $models/bouncing_ball.nsm -y z -o ball.svg"
refuse 1 "error[N" "a wrong model is refused" user "echo 'coord z [m] = 1 +' > wrong.nsm && nsmc check wrong.nsm"
refuse 2 "MPI" "mpirun without MPI says what is missing" user \
  "OMPI_COMM_WORLD_SIZE=2 nsmc sweep $models/bouncing_ball.nsm --vary e=0,1 --measure z"
says "libmpi"
lsp='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
expect "the language server answers" user "printf 'Content-Length: ${#lsp}\r\n\r\n%s' '$lsp' | nsmc lsp | head -c 2000"
says "completionProvider"
expect "the studio shows its page" user "nsmc studio --no-open $models > studio.txt & pid=\$!
  for k in \$(seq 100); do grep -q http studio.txt 2>/dev/null && break; sleep 0.1; done
  port=\$(grep -oP '127.0.0.1:\K[0-9]+' studio.txt); path=\$(grep -oP '127.0.0.1:[0-9]+\K\S*' studio.txt)
  exec 3<>/dev/tcp/127.0.0.1/\$port; printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' \"\${path:-/}\" \$port >&3
  head -c 15 <&3; exec 3>&-; kill \$pid"
says "200"

install install --no-install-recommends man-db bash-completion zsh
expect "man nsmc" user "MANWIDTH=80 man nsmc"
says "nsmc-sweep(1)"
expect "man nsmc-run" user "MANWIDTH=80 man nsmc-run"
says "--checkpoint DT"
expect "man finds no fault" user "man --warnings=all -l /usr/share/man/man1/nsmc-sweep.1* 2>&1 >/dev/null"
[[ -z $out ]] || fault "$out"
expect "bash completes options" user ". /usr/share/bash-completion/bash_completion; _completion_loader nsmc || true
  COMP_WORDS=(nsmc run --sol); COMP_CWORD=2; _nsmc; echo \"\${COMPREPLY[*]}\""
says "--solver"
cat >/tmp/complete.zsh <<'Z'
# What zsh shows after the words of the first argument and two tabs.
zmodload zsh/zpty
zpty z "zsh -f -i"
zpty -w z "PS1='> '; unsetopt zle_bracketed_paste 2>/dev/null; autoload -U compinit; compinit -u -D; setopt auto_list; LISTMAX=0"
sleep 1
zpty -n -w z "$1"$'\t\t'
sleep 1
zpty -r -t z out; while zpty -r -t z more; do out+=$more; done
print -r -- "$out"
Z
expect "zsh completes commands" user "zsh -f /tmp/complete.zsh 'nsmc ins'"
says "nsmc inspect"
expect "zsh completes options" user "zsh -f /tmp/complete.zsh 'nsmc run --sol'"
says "nsmc run --solver"
expect "zsh completes words" user "zsh -f /tmp/complete.zsh 'nsmc run --solver=new'"
says "newton"
expect "zsh takes it as a stream, too" user \
  "zsh -fc 'autoload -U compinit; compinit -u -D; source <(nsmc completion zsh); print \$_comps[nsmc]'"
says "_nsmc"

install install --no-install-recommends openmpi-bin
expect "sweeps under mpirun" user \
  "mpirun --oversubscribe -n 2 nsmc sweep $models/bouncing_ball.nsm --vary e=0.2:0.8:4 --measure 'max(z)' -o two.csv"
says "on each of 2 ranks"
expect "with the same table" user "cmp one.csv two.csv"

install install --no-install-recommends ./python3-nsmc_*.deb
expect "import nsmc without numpy" user "python3 -c 'import nsmc; print(nsmc.load(\"$models/bouncing_ball.nsm\").run(until=1).ok)'"
says "True"
install install --no-install-recommends python3-numpy
expect "the numbers of the command line" user "nsmc run $models/bouncing_ball.nsm --quiet -o cli.csv; python3 -c '
import nsmc
r = nsmc.load(\"$models/bouncing_ball.nsm\").run()
r.save(\"py.csv\"); r.save(\"py.npz\"); r.view(\"py.html\")
t = r.model.sweep(\"max(z)\", e=[0.2, 0.4])
print(nsmc.__version__, nsmc.__file__, t.ok, nsmc.prox(\"disc(1)\", [3, 4]))'; cmp cli.csv py.csv && test -s py.html"
says "$version /usr/lib/python3/dist-packages/nsmc/__init__.py True [0.6 0.8]"
expect "is compiled for python3" test -d /usr/lib/python3/dist-packages/nsmc/__pycache__

part="removal"
apt-get -q -y remove nsmc python3-nsmc >/tmp/apt.log 2>&1 || fault "$(cat /tmp/apt.log)"
left=$(find /usr -path '*nsmc*' -o -name 'nsm.vim' -o -name 'nsm-mode*' | grep -v /usr/share/doc/ | head || true)
if [[ -n $left ]]; then fault "left behind: $left"; else say "  ok: nothing is left after its removal"; fi

if ((failed)); then
  say "the packages have faults, see above"
  exit 1
fi
say "the packages work in an empty Debian 12"
