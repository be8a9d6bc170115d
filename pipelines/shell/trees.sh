# shellcheck shell=bash
# Directories that are either whole or not there. Each is filled beside its place and renamed into
# it; a seal inside tells what it was made from and what it holds. Source after lib.sh.
# shellcheck disable=SC2154

# Text arguments and the contents of file arguments, as one hash.
key_of() {
    local argument
    for argument; do
        if [[ -f $argument ]]; then cat "$argument"; else printf '%s\n' "$argument"; fi
    done | sha256sum | cut -d ' ' -f 1
}

seal_of() {
    local key=$1 tree=$2
    (cd "$tree" && find . \( -type f -o -type l \) ! -name .seal ! -name '*.pyc' -printf '%p %s\n') |
        LC_ALL=C sort | cat - <(echo "$key") | sha256sum
}

is_whole() {
    local key=$1 tree=$2
    [[ -f $tree/.seal && $(<"$tree/.seal") == "$(seal_of "$key" "$tree")" ]]
}

# install_tree NAME KEY FILL...: unless $private/NAME was made from KEY and is whole, makes it by
# calling FILL with an empty directory as its first argument.
install_tree() {
    local name=$1 key=$2 fill=$3
    shift 3
    if is_whole "$key" "$private/$name"; then
        note "$name: up to date"
        return
    fi
    mkdir "$work/$name"
    "$fill" "$work/$name" "$@"
    { seal_of "$key" "$work/$name" >"$work/$name/.seal"; } 2>"$log" || explain
    [[ ! -e $private/$name ]] || mv "$private/$name" "$work/$name.old"
    mv "$work/$name" "$private/$name"
    note "$name: ready"
}

# Prints the Python that environments are made with, and its version: part of their keys.
environment_python() {
    python3 -c 'import sys; print(sys.executable, *sys.version_info[:2])' || fail "There is no working \`python3\` on the PATH."
}

# make_venv TREE REQUIREMENTS WHAT MEGABYTES: fills TREE with a Python environment of pinned packages.
make_venv() {
    local tree=$1 requirements=$2 what=$3 megabytes=$4
    check_space "$megabytes"
    quietly "making a Python environment" "$log" python3 -m venv "$tree" || explain
    quietly "downloading and installing $what" "$log" \
        "$tree/bin/python" -m pip install --no-deps --only-binary :all: --require-hashes \
        --disable-pip-version-check -r "$requirements" || explain
    # The tree is moved when it is whole; programs in it name their Python by its path.
    { find "$tree/bin" -type f -exec grep -lI "^#!$tree/" {} + || true; } |
        xargs -r sed -i "1s|^#!$tree/|#!$private/$(basename "$tree")/|"
}

# Makes the private directory, waits for its lock, and clears what a killed run left behind.
start_work() {
    mkdir -p "$private" || fail "Cannot make $private: choose another with GST_PEOPLE_SETUP_DIR."
    exec 9>"$private/.lock"
    flock -n 9 || {
        note "waiting for another setup of $private"
        flock 9
    }
    rm -rf "$private"/.work.*
    trap 'rm -rf "$work"' EXIT
    trap 'stop_child; echo "Interrupted; nothing half-done is left." >&2; exit 130' INT TERM HUP
    work=$(mktemp -d "$private/.work.XXXXXX") || fail "Cannot write in $private."
    log=$work/log
    given_tmpdir=${TMPDIR:-}
    export TMPDIR=$work
}

# Lets others set up, before a program begins that may do so itself.
end_work() {
    rm -rf "$work"
    if [[ -n $given_tmpdir ]]; then TMPDIR=$given_tmpdir; else unset TMPDIR; fi
    exec 9>&-
}

free_megabytes() { df --output=avail -BM "$private" | tail -n 1 | tr -dc 0-9; }

check_space() {
    local megabytes=$1 free
    free=$(free_megabytes)
    [[ $free -ge $megabytes ]] ||
        fail "$private has $free MB free and needs $megabytes MB." \
            "Make room, or choose another place with GST_PEOPLE_SETUP_DIR, and run setup again."
}

# Ends the run with the log's last lines and, where the log tells the cause, what to do.
explain() {
    local advice="Run setup again once the cause is mended; what is done stays done."
    case "$(free_megabytes) MB free $(<"$log")" in
    "0 MB"* | *"No space left"*) advice="The disk of $private is full. Make room and run setup again." ;;
    *"DO NOT MATCH THE HASHES"* | *"wrong hash"*)
        advice="A file is not the one this project was tested with. It was not used. If it stays so, a proxy or mirror alters downloads, or a manifest here is wrong." ;;
    *"No matching distribution"* | *"Could not find a version"* | *ConnectionError* | *"connection broken"* | *"timed out"*)
        advice="A package could not be downloaded. Check the network and pip's settings (\`pip config list\`: proxy, index) and run setup again." ;;
    esac
    fail "$(tail -n 6 "$log")" "$advice"
}
