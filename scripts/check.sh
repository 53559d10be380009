#!/usr/bin/env bash
# Runs all that has to hold before a change goes in, stage by stage, and stops at the first stage that fails.
#
#   scripts/check.sh              every stage, in the order in which they are listed at the end
#   scripts/check.sh STAGE...     only these: format links mutations-apply build tests examples surface benchmarks sanitizer
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# Flags of the strict build would make the plain one build everything anew, and the other way round: each has a folder of its own.
strict=.build/strict
tsan=.build/tsan

current=
begin=0

finish() {
    local status=$?
    if [[ $status -ne 0 ]]; then
        echo
        echo "check.sh: FAILED in stage \"${current:-start}\" after $((SECONDS - begin)) s, exit code $status; no later stage ran." >&2
    fi
}
trap finish EXIT

stage() {
    current=$1
    begin=$SECONDS
    echo
    echo "=== $current ==="
    "stage_$current"
    echo "--- $current: passed in $((SECONDS - begin)) s"
}

stage_format() {
    local paths=(Package.swift) folder
    for folder in Sources Tests Examples Benchmarks; do
        if [[ -d $folder ]]; then paths+=("$folder"); fi
    done
    swift format lint --strict --parallel --recursive --configuration .swift-format "${paths[@]}"
}

stage_links() {
    scripts/check-no-foundation.sh
}

# That the faults can still be put into the sources; that the tests catch them takes much longer: scripts/mutate.sh.
stage_mutations-apply() {
    scripts/mutate.sh --check
}

stage_build() {
    swift build --build-tests --scratch-path "$strict" -Xswiftc -warnings-as-errors
}

# The command that the README gives, as it stands there.
stage_tests() {
    if ! grep -Eq '(^|[^[:alnum:]])swift test($|[^[:alnum:][:space:]])' README.md; then
        echo "The README no longer names the command 'swift test', which this stage stands for." >&2
        return 1
    fi
    swift test
}

stage_examples() {
    local binaries
    binaries=$(swift build --scratch-path "$strict" -Xswiftc -warnings-as-errors --show-bin-path)
    swift build --scratch-path "$strict" -Xswiftc -warnings-as-errors
    scripts/check-examples.sh "$binaries"
}

stage_surface() {
    scripts/check-surface.sh
}

stage_benchmarks() {
    scripts/check-benchmarks.sh
}

# A fiftieth of the rounds is about what it can run in the
# time that the plain tests take; WORKQUEUES_TSAN_STRESS sets another share. The hand-made operation of the tutorials, which the parity tests and
# AsyncOperationTests use as it stands, is unsynchronised by nature and left out.
stage_sanitizer() {
    local log=$tsan/race.log
    mkdir -p "$tsan"
    WORKQUEUES_STRESS=${WORKQUEUES_TSAN_STRESS:-0.02} \
        TSAN_OPTIONS="suppressions='$root/scripts/tsan.supp'" \
        swift test --sanitize=thread --scratch-path "$tsan" -Xswiftc -DWORKQUEUES_PTHREAD_LOCK --filter "Rac(e|ing)" --skip ParityTests --skip AsyncOperationTests 2>&1 | tee "$log"
    if ! grep -Eq 'Executed [1-9][0-9]* tests?' "$log"; then
        echo "No test has Race in its name: this lane has run nothing." >&2
        return 1
    fi
}

stages=(format links mutations-apply build tests examples surface benchmarks sanitizer)
if [[ $# -eq 0 ]]; then
    set -- "${stages[@]}"
fi
for name in "$@"; do
    if ! declare -F "stage_$name" >/dev/null; then
        echo "usage: scripts/check.sh [STAGE...]   with the stages ${stages[*]}" >&2
        trap - EXIT
        exit 64
    fi
done
for name in "$@"; do
    stage "$name"
done
echo
echo "check.sh: all passed in $SECONDS s ($*)"
