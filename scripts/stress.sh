#!/usr/bin/env bash
# Runs all tests of races at every width, in three builds, until the time is up; stops at the first finding and says how to repeat it.
#
#   scripts/stress.sh MINUTES        each width and build is run at least once, however long that takes; then on until the minutes are over
#   scripts/stress.sh --list         the tests that it runs
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
        sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
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
filter="\.($(tr '\n' '|' <<<"$tests" | sed 's/|$//'))\$"

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

declare -A turns seconds
logs=.build/stress
mkdir -p "$logs"

summary() {
    local build width
    echo
    echo "$(wc -l <<<"$tests") tests, $WORKQUEUES_ROUNDS rounds each and turn; turns (seconds in all)"
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

# run BUILD WIDTH
run() {
    local build=$1 width=$2 log=$logs/$1-$2.log begin=$SECONDS status=0 failed
    choose_flags "$build"
    echo "$(date +%T) $build, width $width"
    WORKQUEUES_WIDTHS=$width swift test "${flags[@]}" --skip-build --filter "$filter" >"$log" 2>&1 || status=$?
    turns[$build $width]=$((${turns[$build $width]:-0} + 1))
    seconds[$build $width]=$((${seconds[$build $width]:-0} + SECONDS - begin))
    if [[ $status -eq 0 ]] && grep -Eq 'Executed [1-9][0-9]* tests?, with' "$log"; then return; fi

    # Every test that failed, and the one that never came to an end.
    failed=$(awk '
        /^Test Case .* started/ { running = $3 }
        /^Test Case .* failed/ { print $3 }
        /^Test Case .* (passed|failed|skipped)/ { running = "" }
        END { if (running != "") print running }' "$log" | tr -d "'" | sed 's/\./\//' | sort -u)
    summary
    echo
    echo "FOUND in $build at width $width, exit code $status; everything is in $log:"
    grep -nE 'error:|Sanitizer|Fatal|seed' "$log" | head -n 20 || true
    echo
    echo "To repeat it:"
    local name environment="WORKQUEUES_WIDTHS=$width WORKQUEUES_ROUNDS=$WORKQUEUES_ROUNDS WORKQUEUES_STRESS=$WORKQUEUES_STRESS"
    environment+=" WORKQUEUES_PATIENCE=$WORKQUEUES_PATIENCE"
    case $build in
        thread) environment+=" TSAN_OPTIONS=\"halt_on_error=1 suppressions=scripts/tsan.supp\"" ;;
        address) environment+=" ASAN_OPTIONS=$ASAN_OPTIONS" ;;
    esac
    for name in ${failed:-.}; do echo "$environment swift test ${flags[*]} --filter '$name\$'"; done
    exit 1
}

for build in "${builds[@]}"; do
    choose_flags "$build"
    echo "$(date +%T) building $build"
    if ! swift build --build-tests "${flags[@]}" >"$logs/build-$build.log" 2>&1; then
        tail -n 30 "$logs/build-$build.log" >&2
        exit 1
    fi
done

# The builds do not count.
end=$((SECONDS + 60 * minutes))
isComplete=
while [[ -z $isComplete || $SECONDS -lt $end ]]; do
    for width in "${widths[@]}"; do
        for build in "${builds[@]}"; do
            if [[ -n $isComplete && $SECONDS -ge $end ]]; then break 2; fi
            run "$build" "$width"
        done
    done
    isComplete=1
done
summary
echo "Nothing was found."
