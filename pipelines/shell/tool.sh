# shellcheck shell=bash
# Runs a program of the package; builds it when it is not there or older than its source. Source after lib.sh.
# shellcheck disable=SC2154

# run_tool PRODUCT ARGUMENTS...
run_tool() {
    local product=$1 tool=$root/.build/release/$1
    shift
    if [[ $product == gst-people ]] && asks_for_help "$@"; then
        help "$tool" "$@"
        return
    fi
    # shellcheck source-path=SCRIPTDIR/..
    . "$pipelines/shell/ready.sh" >&2
    [[ -x $tool && -z $(newer_than "$tool") ]] || build_tool "$product"
    exec "$tool" "$@"
}

# The help of gst-people, before it is built that of the documents.
help() {
    local tool=$1
    shift
    if [[ -x $tool ]]; then exec "$tool" "$@"; fi
    awk -v command="$1" '
        /^## / { shown = $0 == "## gst-people " command; found = found || shown; next }
        /^### / { shown = found && index(", " substr($0, 5) ",", ", " command ","); next }
        shown { sub(/^    /, ""); print }
        END { exit !found }' "$root/docs/commands.md" ||
        sed -n 's/^## //p' "$root/docs/commands.md"
}

build_tool() {
    local log status=0
    drop_foreign_build >&2
    log=$(mktemp)
    trap 'stop_child; rm -f "$log"' EXIT
    trap 'exit 130' INT TERM HUP
    quietly "building $1" "$log" "${swift_build[@]}" --product "$1" >&2 || status=$?
    [[ $status -eq 0 ]] || fail "$(grep -v "prohibited flag(s): -pthread" "$log")" "If something is missing, run pipelines/setup."
    rm -f "$log"
    # A build that has nothing to do leaves the program as old as it was.
    touch "$root/.build/release/$1"
    trap - EXIT INT TERM HUP
}
