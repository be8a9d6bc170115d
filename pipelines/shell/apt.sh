# shellcheck shell=bash
# An apt of its own, on whose system nothing is installed. Source it after lib.sh, and set `work` to the folder that has it.
# shellcheck disable=SC2154

# make_apt SOURCE...: from where it takes packages; proxies are those of this machine's apt.
make_apt() {
    mkdir -p "$work"/apt/{state/lists/partial,cache/archives/partial}
    : >"$work/apt/status"
    printf '%s\n' "$@" >"$work/apt/sources.list"
}

# Prints the source of a suite of Debian: this machine's mirror, with Debian's keys.
debian_source() {
    local mirror keys=/usr/share/keyrings/debian-archive-keyring.gpg
    mirror=$(debian_mirror)
    [[ -n $mirror ]] || fail "apt names no mirror of Debian here: set DEBIAN_MIRROR to its address."
    [[ -f $keys ]] || fail "There is no $keys: apt-get install debian-archive-keyring"
    printf 'deb [signed-by=%s] %s %s main\n' "$keys" "$mirror" "$1"
}

# apt_get ARCHITECTURE ARGUMENT...
apt_get() {
    apt-get -q -o APT::Architecture="$1" -o APT::Architectures::="$1" -o APT::Sandbox::User="$(id -un)" \
        -o Dir::State="$work/apt/state" -o Dir::State::status="$work/apt/status" -o Dir::Cache="$work/apt/cache" \
        -o Dir::Etc::SourceList="$work/apt/sources.list" -o Dir::Etc::SourceParts=- \
        -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=- "${@:2}"
}

# download_packages ARCHITECTURE PACKAGE...: with all that they need, into $work/apt/cache/archives.
download_packages() {
    quietly "reading what Debian has" "$log" apt_get "$1" update --error-on=any || fail "$(tail -n 6 "$log")"
    quietly "downloading packages ($1)" "$log" apt_get "$1" install --no-install-recommends --download-only -y "${@:2}" ||
        fail "$(tail -n 12 "$log")"
}
