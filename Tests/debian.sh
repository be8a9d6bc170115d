# shellcheck shell=bash
# Debian in a folder, for the tests beside this file. Source it after lib.sh, and set `cache` first to have another folder.
# shellcheck disable=SC2154

cache=${cache:-/var/tmp/gst-people-debian}

# The mirror of this machine's apt, and its proxies, serve here too.
mirror=$(debian_mirror)

needs_root() {
    [[ $EUID -eq 0 ]] || fail "This needs root, for debootstrap, mount and chroot: sudo $0"
    local program
    for program in debootstrap unshare chroot; do
        command -v "$program" >/dev/null || fail "There is no \`$program\`: apt-get install debootstrap util-linux"
    done
    [[ -n $mirror ]] || fail "apt names no mirror of Debian here: set DEBIAN_MIRROR to its address."
    take_cache
}

# Waits until no other of these tests uses the cache: apt does not share a folder of downloaded packages.
take_cache() {
    local lock
    mkdir -p "$cache"
    exec {lock}>"$cache/lock"
    flock --nonblock "$lock" || { note "waiting for another test that uses $cache" && flock "$lock"; }
}

# make_base SUITE: $cache/SUITE, the smallest system.
make_base() {
    local base=$cache/$1
    [[ ! -d $base ]] || return 0
    mkdir -p "$cache"
    rm -rf "$base.part"
    quietly "installing Debian ($1) into $cache" "$log" proxied debootstrap --variant=minbase "$1" "$base.part" "$mirror" ||
        fail "$(tail -n 6 "$log")"
    apt-config dump | grep -E '^Acquire::https?::' >"$base.part/etc/apt/apt.conf.d/90-from-host" || true
    # A mirror may be a snapshot of an older day.
    echo 'Acquire::Check-Valid-Until "false";' >"$base.part/etc/apt/apt.conf.d/90-any-day"
    # Each package would wait for the disk; what is in these folders can be made again.
    echo force-unsafe-io >"$base.part/etc/dpkg/dpkg.cfg.d/90-in-a-folder"
    mv "$base.part" "$base"
}

proxied() {
    local http_proxy
    eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
    if [[ -n ${http_proxy:-} ]]; then env http_proxy="$http_proxy" "$@"; else "$@"; fi
}

# copy_base SUITE FOLDER
copy_base() {
    make_base "$1"
    cp -a --reflink=auto "$cache/$1" "$2"
    cp /etc/resolv.conf "$2/etc/resolv.conf"
}

# inside FOLDER COMMAND...: as root in that system. Downloaded packages stay in the cache; mounts and processes end with
# the command.
inside() { isolated "$@"; }

# inside_offline FOLDER COMMAND...: the same without a network.
inside_offline() { isolated --net "$@"; }

isolated() {
    local options=(--mount --pid --fork --kill-child)
    [[ $1 != --net ]] || { options+=(--net) && shift; }
    local system=$1
    shift
    mkdir -p "$cache/archives/partial"
    # The shell stays the first process: coreutils' timeout (9.10, sid) takes itself for an orphan there, and fails.
    # shellcheck disable=SC2016 # the inner shell expands them
    unshare "${options[@]}" -- bash -euc '
        system=$1 archives=$2
        shift 2
        mount -t proc proc "$system/proc"
        mount --rbind /dev "$system/dev"
        mount --rbind -o ro /sys "$system/sys"
        mount --bind "$archives" "$system/var/cache/apt/archives"
        for folder in ${SHARED_FOLDERS:-}; do
            mkdir -p "$system$folder"
            mount --bind -o ro "$folder" "$system$folder"
        done
        chroot "$system" "$@" || exit $?' - "$system" "$cache/archives" \
        env -i HOME=/root PATH="${SHARED_PATH:-}/usr/sbin:/usr/bin:/sbin:/bin" DEBIAN_FRONTEND=noninteractive \
        LC_ALL=C.UTF-8 "${passed[@]}" "$@"
}

# Further variables for `inside`, as NAME=VALUE.
passed=()
