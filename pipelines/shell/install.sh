# shellcheck shell=bash
# Installs Debian packages into this system. Source it after lib.sh.

# Seconds to wait for another program that installs packages: an update of all packages can take that long.
lock_patience=600

# install_missing PACKAGE...: installs those that are not installed.
install_missing() {
    check_debian
    local missing
    mapfile -t missing < <(missing_packages "$@")
    if [[ ${#missing[@]} -eq 0 ]]; then
        note "all $# are there"
        return
    fi
    apt_install "${missing[@]}"
}

check_debian() {
    command -v dpkg-query >/dev/null ||
        fail "This is neither Debian nor one of its kin: only those are supported."
}

missing_packages() {
    comm -23 <(printf '%s\n' "$@" | LC_ALL=C sort) \
        <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
            sed -n 's/^installed //p' | LC_ALL=C sort)
}

apt_install() {
    [[ $EUID -eq 0 ]] || command -v sudo >/dev/null ||
        fail "Missing, and only root can install them. As root, run:" "apt-get install $*"
    note "installing $*"
    { system_apt_get update -q && system_apt_get install -q -y --no-install-recommends "$@"; } ||
        fail "apt could not install them. Check the network and the lines above, or run by hand:" "apt-get install $*"
}

# system_apt_get ARGUMENT...: as root. While another program holds apt's or dpkg's lock, it waits.
system_apt_get() {
    local errors status end=$((SECONDS + lock_patience)) told=
    errors=$(mktemp)
    while :; do
        status=0
        as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -o DPkg::Lock::Timeout="$lock_patience" "$@" \
            2>"$errors" || status=$?
        cat "$errors" >&2
        { [[ $status -ne 0 ]] && grep -qE 'Could not get lock|Unable to lock' "$errors" && ((SECONDS < end)); } || break
        [[ -n $told ]] || note "another program installs packages: waiting for up to $((lock_patience / 60)) minutes"
        told=yes
        sleep 3
    done
    rm -f "$errors"
    return "$status"
}

# In the foreground, with its output: apt shows its progress and sudo may ask for a password.
as_root() {
    if [[ $EUID -eq 0 ]]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        return 1
    fi
}
