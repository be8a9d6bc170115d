# shellcheck shell=bash
# Commands that run beside each other: `start_job` each, then `finish_job` those that others need, and `finish_jobs`. Source after
# lib.sh, and call `stop_jobs` in the trap of EXIT.

# Names of the jobs that run, by their process ids.
declare -A jobs=()

# start_job NAME COMMAND...: runs a command in the background with its name before each line of its output, in a process
# group of its own, so that a signal reaches all it runs in the foreground.
start_job() {
    set -m
    run_job "$@" &
    set +m
    jobs[$!]=$1
}

# The shells and sed outlive a signal to the group, so that the command tidies up first and says its last.
run_job() {
    trap : INT TERM HUP
    { trap : INT TERM HUP && "${@:2}" 2>&1 </dev/null; } | (trap '' INT TERM HUP && exec sed -u "s/^/$1: /")
}

# Waits for all jobs. If one fails, the others are stopped, and so is the script; the job has said why.
finish_jobs() { while [[ ${#jobs[@]} -gt 0 ]]; do finish_next; done; }

# finish_job NAME: waits for one job, while others may end and fail.
finish_job() { while [[ " ${jobs[*]} " == *" $1 "* ]]; do finish_next; done; }

# Waits for the job that ends next.
finish_next() {
    local ended name status=0
    wait -n -p ended "${!jobs[@]}" || status=$?
    name=${jobs[$ended]}
    unset "jobs[$ended]"
    [[ $status -eq 0 ]] || fail_for "$name"
}

fail_for() {
    [[ ${#jobs[@]} -eq 0 ]] || note "stopping ${jobs[*]}, because $1 has failed"
    stop_jobs
    fail "$1 has failed; it says why above."
}

# Ends when they have tidied up.
stop_jobs() {
    local job
    for job in "${!jobs[@]}"; do kill -- "-$job" 2>/dev/null || true; done
    for job in "${!jobs[@]}"; do wait "$job" 2>/dev/null || true; done
    jobs=()
}
