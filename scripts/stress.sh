#!/usr/bin/env bash
# Runs all tests of races at every width, in three builds, until the time is up; stops at the first finding and says how to repeat it.
#
#   scripts/stress.sh MINUTES        goes on for so long, builds not counted, and says how far it came
#   scripts/stress.sh --list         the tests that it runs
#
# A turn is one test at one width in one build. First comes one turn of each test, at widths and in builds that change from test to test,
# then the next one of each, and so on, so that a short run has a bit of everything; after all of them it starts over.
#
# Variables: WORKQUEUES_ROUNDS (the fewest rounds of a test, 10000), WORKQUEUES_WIDTHS (1,2,3,4,5,6,7,8), WORKQUEUES_BUILDS
# (release,thread,address), WORKQUEUES_PATIENCE (seconds that a watchdog waits, 300), WORKQUEUES_ONLY (a pattern that the names must match).
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# A race is a test that calls race() or goes through scaled rounds, itself or in a function of its class, or has Race in its name. Tests
# that go through seeds are none: they sample inputs, not moments. The hand-made operation of the tutorials is unsynchronised by nature.
races() {
    # shellcheck disable=SC2016  # what stands in the quotes is awk's
    find Tests/WorkQueuesTests -name '*Tests.swift' ! -name AsyncOperationTests.swift -print0 | sort -z | xargs -0 awk '
        FNR == 1 { flush() }
        match($0, /class [A-Za-z0-9]+: *XCTestCase/) { class = substr($0, RSTART + 6); sub(/:.*/, "", class) }
        match($0, /func [A-Za-z0-9_]+/) {
            name = substr($0, RSTART + 5, RLENGTH - 5)
            if (!(name in body)) names[++count] = name
            owner[name] = class
        }
        name != "" { body[name] = body[name] "\n" $0 }
        END { flush() }
        function flush(   i, k, hit) {
            for (i = 1; i <= count; i++) {
                racing[names[i]] = body[names[i]] ~ /[^A-Za-z]race\(/ || names[i] ~ /Rac(e|ing)/ || owner[names[i]] ~ /Race/ \
                    || body[names[i]] ~ /for (_|round|number) in [01]\.\.[.<]Rounds\.scaled|[^A-Za-z]rounds = .*Rounds\.scaled/
            }
            for (i = 1; i <= count; i++) {
                if (names[i] !~ /^test/) continue
                hit = racing[names[i]]
                for (k = 1; k <= count && !hit; k++) {
                    hit = racing[names[k]] && names[k] !~ /^test/ && body[names[i]] ~ ("[^A-Za-z]" names[k] "\\(")
                }
                if (hit) print owner[names[i]] "/" names[i]
            }
            split("", names); split("", owner); split("", body); split("", racing)
            count = 0; name = ""; class = ""
        }' | grep -E "${WORKQUEUES_ONLY:-.}"
}

tests=$(races)
case ${1:-} in
    --list)
        echo "$tests"
        exit
        ;;
    '' | *[!0-9]*)
        sed -n '2,12s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
        exit 64
        ;;
esac
minutes=$1

IFS=, read -ra widths <<<"${WORKQUEUES_WIDTHS:-1,2,3,4,5,6,7,8}"
IFS=, read -ra builds <<<"${WORKQUEUES_BUILDS:-release,thread,address}"
export WORKQUEUES_ROUNDS=${WORKQUEUES_ROUNDS:-10000}
export WORKQUEUES_PATIENCE=${WORKQUEUES_PATIENCE:-300}
# The share is so small that the fewest rounds count, and every test has the same number.
export WORKQUEUES_STRESS=0.000001
# Sets `flags` to those of a build. Each has a folder of its own.
choose_flags() {
    local release=(-c release -Xswiftc -enable-testing)
    flags=(--scratch-path ".build/stress-$1")
    case $1 in
        release) flags+=("${release[@]}") ;;
        # The sanitizer does not know Mutex, and takes what it guards for races. And it does not see reference counts, which are changed in
        # the runtime: in optimised code, where arrays are inlined, a writer that has become an array's only owner seems to race with the
        # last reader of what was a shared copy. So this build is not optimised.
        thread) flags+=(--sanitize=thread -Xswiftc -DWORKQUEUES_PTHREAD_LOCK) ;;
        address) flags+=("${release[@]}" --sanitize=address) ;;
        *)
            echo "There is no build \"$1\"; there are release, thread and address." >&2
            exit 64
            ;;
    esac
}

# The first report of a sanitizer ends the run, so that the test that was running is the one that it is about.
export TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1 suppressions='$root/scripts/tsan.supp'"
# Swift's runtime keeps what it never frees.
export ASAN_OPTIONS="detect_leaks=0"

declare -A turns seconds binaries
logs=.build/stress
mkdir -p "$logs"
done_turns=0
all_turns=$(($(wc -l <<<"$tests") * ${#widths[@]} * ${#builds[@]}))

summary() {
    local build width
    echo
    echo "$done_turns turns of $all_turns, $WORKQUEUES_ROUNDS rounds each; by width and build (seconds)"
    printf '%-8s' width
    for build in "${builds[@]}"; do printf '%18s' "$build"; done
    echo
    for width in "${widths[@]}"; do
        printf '%-8s' "$width"
        for build in "${builds[@]}"; do
            printf '%18s' "${turns[$build $width]:-0} (${seconds[$build $width]:-0})"
        done
        echo
    done
}

# run TEST BUILD WIDTH: one turn, cut off without a verdict when the time is up.
run() {
    local test=$1 build=$2 width=$3 begin=$SECONDS status=0 log
    log=$logs/$build-$width.log
    WORKQUEUES_WIDTHS=$width timeout --kill-after=5 $((end - SECONDS + 1)) "${binaries[$build]}" "WorkQueuesTests.$test" >"$log" 2>&1 || status=$?
    if [[ $status -eq 124 || $status -eq 137 ]] && [[ $SECONDS -ge $end ]]; then return; fi
    done_turns=$((done_turns + 1))
    turns[$build $width]=$((${turns[$build $width]:-0} + 1))
    seconds[$build $width]=$((${seconds[$build $width]:-0} + SECONDS - begin))
    if [[ $status -eq 0 ]] && grep -Eq 'Executed [1-9][0-9]* tests?, with' "$log"; then return; fi

    summary
    echo
    echo "FOUND in $test, $build, width $width, exit code $status; everything is in $log:"
    grep -nE 'error:|Sanitizer|Fatal|seed' "$log" | head -n 20 || true
    echo
    echo "To repeat it:"
    local environment="WORKQUEUES_WIDTHS=$width WORKQUEUES_ROUNDS=$WORKQUEUES_ROUNDS WORKQUEUES_STRESS=$WORKQUEUES_STRESS"
    environment+=" WORKQUEUES_PATIENCE=$WORKQUEUES_PATIENCE"
    case $build in
        thread) environment+=" TSAN_OPTIONS=\"halt_on_error=1 suppressions=scripts/tsan.supp\"" ;;
        address) environment+=" ASAN_OPTIONS=$ASAN_OPTIONS" ;;
    esac
    echo "$environment ${binaries[$build]} WorkQueuesTests.$test"
    exit 1
}

for build in "${builds[@]}"; do
    choose_flags "$build"
    echo "$(date +%T) building $build"
    if ! swift build --build-tests "${flags[@]}" >"$logs/build-$build.log" 2>&1; then
        tail -n 30 "$logs/build-$build.log" >&2
        exit 1
    fi
    binaries[$build]=$(swift build --build-tests "${flags[@]}" --show-bin-path)/WorkQueuesPackageTests.xctest
done

mapfile -t names <<<"$tests"
kinds=$((${#widths[@]} * ${#builds[@]}))
end=$((SECONDS + 60 * minutes))
turn=0
echo "$(date +%T) $all_turns turns, for $minutes minutes"
while [[ $SECONDS -lt $end ]]; do
    for index in "${!names[@]}"; do
        [[ $SECONDS -lt $end ]] || break
        kind=$(((index + turn) % kinds))
        run "${names[index]}" "${builds[kind % ${#builds[@]}]}" "${widths[kind / ${#builds[@]}]}"
    done
    turn=$((turn + 1))
done
summary
echo "Nothing was found."
