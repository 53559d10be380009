#!/usr/bin/env bash
# Runs every benchmark at small sizes and proves that each gives its rows in the documented form. What the figures say is not looked at.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

swift build -c release --product Benchmarks
program=$(swift build -c release --product Benchmarks --show-bin-path)/Benchmarks

scenarios=$("$program" --list)
begin=$SECONDS
rows=$("$program" --quick --format json)
seconds=$((SECONDS - begin))

text='"[^"\\]+"'
number='-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?'
form="\{\"scenario\": $text, \"subject\": $text, \"n\": [0-9]+, \"width\": (-?[0-9]+|null), \"nsPerJob\": $number"
form+=", \"rival\": $text, \"rivalNsPerJob\": $number, \"ratio\": $number, \"target\": ($number|null)"
form+=", \"met\": (true|false|null), \"unit\": \"(ns|bytes|jobs)\"\}"
if grep -Evx "$form" <<<"$rows" >&2; then
    echo "These rows (above) do not have the form that docs/performance.md gives." >&2
    exit 1
fi

missing=
while read -r scenario; do
    if ! grep -Eq "^\{\"scenario\": \"${scenario}[\"/]" <<<"$rows"; then missing+=" $scenario"; fi
done <<<"$scenarios"
if [[ -n $missing ]]; then
    echo "Scenarios without a row:$missing" >&2
    exit 1
fi

status=0
"$program" --filter no-such-scenario 2>/dev/null || status=$?
if [[ $status -ne 64 ]]; then
    echo "A wrong argument ends the benchmarks with code $status; 64 is due." >&2
    exit 1
fi
echo "$(wc -l <<<"$scenarios") scenarios gave $(wc -l <<<"$rows") rows in $seconds s."
