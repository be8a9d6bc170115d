# shellcheck shell=bash
# What the scripts of this directory share. Source it; it runs nothing. Its caller sets step_count.
# shellcheck disable=SC2034,SC2154

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
pipelines=$root/pipelines
private=$(realpath -m "${GST_PEOPLE_SETUP_DIR:-$root/.gst-people}")

# One set of flags: with others SwiftPM compiles everything again.
swift_build=(swift build --package-path "$root" -c release -Xswiftc -warnings-as-errors
    --explicit-target-dependency-import-check error)
# Swift of sid (6.2.3) has the module that joins Testing and Foundation without its library; nothing here needs it.
swift_libraries=$(dirname "$(realpath "$(command -v swift || echo /usr/bin/swift)")")/../lib/swift/linux
[[ ! -d $swift_libraries/_Testing_Foundation.swiftmodule || -f $swift_libraries/lib_Testing_Foundation.so ]] ||
    swift_build+=(-Xswiftc -Xfrontend -Xswiftc -disable-cross-import-overlays)

# What is compiled here may be installed; Package.swift says what follows.
export GST_PEOPLE_FOR_INSTALLATION=1

# The module for OBS is built where the headers of libobs are; Package.swift says why it does not look for them itself.
unset GST_PEOPLE_WITH_OBS
! pkg-config --exists libobs 2>/dev/null || export GST_PEOPLE_WITH_OBS=1

step_number=0
step_title=

asks_for_help() { case " $* " in *" -h "* | *" --help "*) ;; *) return 1 ;; esac; }

# Prints the comment at the top of the script, and ends it, if it is asked to.
answer_help() {
    asks_for_help "$@" || return 0
    sed -n '2,/^[^#]/s/^#\( \|$\)//p' "$0"
    exit
}

step() {
    step_number=$((step_number + 1))
    step_title=$1
    printf '[%d/%d] %s\n' "$step_number" "$step_count" "$step_title"
}

note() { printf '      %s\n' "$*"; }

fail() {
    {
        printf '%s: %s: failed\n' "$(basename "$0")" "${step_title:-start}"
        printf '%s\n' "$@" | sed 's/^/  /'
    } >&2
    exit 1
}

child=

# Runs a command with its output in a log, shown only if it fails, and says how far it is: on a terminal all the time, elsewhere
# every half minute. It runs in the background, in a process group of its own, so that a signal can stop it and all it started
# at once.
quietly() {
    local label=$1 log=$2 start=$SECONDS status=0 told=$SECONDS
    shift 2
    [[ -t 1 ]] || note "$label"
    set -m
    "$@" >"$log" 2>&1 </dev/null &
    child=$!
    set +m
    while kill -0 "$child" 2>/dev/null; do
        if [[ -t 1 ]]; then
            printf '\r      %s (%d s)%s\e[K' "$label" $((SECONDS - start)) "$(steps_in "$log")"
        elif ((SECONDS >= told + 30)); then
            told=$SECONDS
            note "$label (so far $((SECONDS - start)) s)$(steps_in "$log")"
        fi
        sleep 0.2
    done
    wait "$child" || status=$?
    child=
    [[ ! -t 1 ]] || printf '\r      %s (%d s)\e[K\n' "$label" $((SECONDS - start))
    return "$status"
}

# steps_in LOG: prints the last count of steps, as swift and ninja write it: " [12/34]".
steps_in() { tail -c 4000 "$1" | grep -aoE '^\[[0-9]+/[0-9]+\]' | tail -n 1 | sed 's/^/ /' || true; }

stop_child() {
    [[ -n $child ]] || return 0
    kill -- "-$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
}

# Drops a build of another folder: the compiler's cache of modules has absolute paths, so that a checkout which was copied or moved
# could not be built on ("missing required module 'SwiftShims'"). Call it before each build.
drop_foreign_build() {
    local build=$root/.build from
    from=$(folder_of_build "$build")
    if [[ -n $from && ! $from -ef $root ]]; then
        note "The last build was made in $from: everything is built anew."
        rm -rf "$build"
    fi
    mkdir -p "$build"
    (cd "$root" && pwd -P) >"$build/.checkout"
}

# folder_of_build BUILD: prints the checkout that a build was made in, as it was noted there or as SwiftPM's plan has it.
folder_of_build() {
    cat "$1/.checkout" 2>/dev/null ||
        sed -n 's|^[^"]*"\(/[^"]*\)/\.build/.*|\1|p; T; q' "$1/release.yaml" 2>/dev/null || true
}

needs_swift() { command -v swift >/dev/null || fail "There is no \`swift\` on the PATH. Run pipelines/setup."; }

# build_tests LOG: builds the tests, and sets `program` to the file that runs them.
build_tests() {
    needs_swift
    drop_foreign_build
    quietly "compiling" "$1" "${swift_build[@]}" --build-tests ||
        fail "$(grep -av 'prohibited flag(s): -pthread' "$1" | tail -n 40)"
    program=$("${swift_build[@]}" --show-bin-path 2>/dev/null)/gst-peoplePackageTests.xctest
}

# A source that is newer than a file.
newer_than() { find "$root/Sources" -newer "$1" -print -quit; }

# Prints the address of the mirror that this machine's apt takes Debian from; DEBIAN_MIRROR overrides.
# shellcheck disable=SC2016 # apt expands it
debian_mirror() {
    echo "${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | head -n 1)}"
}

# share_network FOLDER: lets a system in a folder reach the network as this one does. Its commands need the variables that are
# put into `passed`.
share_network() {
    cp /etc/resolv.conf "$1/etc/"
    mkdir -p "$1/etc/ssl/certs"
    cp /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
    [[ ! -f /etc/pip.conf ]] || cp /etc/pip.conf "$1/etc/"
    mapfile -t passed < <(env | grep -E '^(PIP_[A-Z_]*|[a-z]*_proxy|SSL_CERT_FILE|REQUESTS_CA_BUNDLE)=')
}

# copy_checkout FOLDER: makes the files there that git knows or would; builds and set-up of before stay, and files that are the
# same, so that they are not compiled again.
copy_checkout() {
    mkdir -p "$1"
    git -C "$root" ls-files -z --cached --others --exclude-standard >"$log"
    (cd "$1" && find . -type f ! -path './.build/*' ! -path './.gst-people/*' ! -path './.git/*' -printf '%P\0') |
        LC_ALL=C sort -z | LC_ALL=C comm -z -23 - <(LC_ALL=C sort -z "$log") | (cd "$1" && xargs -0 rm -f)
    tar -C "$root" --null --files-from "$log" --ignore-failed-read -cf - | tar -C "$1" --keep-newer-files -xf - 2>/dev/null
    # Tests ask git which files there are.
    git -C "$1" init -q && git -C "$1" add -A
}
