# shellcheck shell=bash
# Adds Debian's packages to a folder of ours, for machines without a network. Source it after lib.sh, from pipelines/package.
# shellcheck disable=SC2154

# add_debian: what the packages need of Debian, those that they recommend among it.
add_debian() {
    step "Debian's packages ($suite)"
    local mirror keys=/usr/share/keyrings/debian-archive-keyring.gpg wanted
    mirror=$(debian_mirror)
    [[ -n $mirror ]] || fail "apt names no mirror of Debian here: set DEBIAN_MIRROR to its address."
    [[ -f $keys ]] || fail "There is no $keys: apt-get install debian-archive-keyring"
    wanted="gst-people $(dpkg-deb --field "$folder"/gst-people_*.deb Recommends | tr -d ,)"
    list_packages
    make_apt "deb [trusted=yes] file:${folder// /%20} ./" "deb [signed-by=$keys] $mirror $suite main"
    quietly "reading what $suite has" "$log" apt_get update --error-on=any || fail "$(tail -n 6 "$log")"
    # shellcheck disable=SC2086 # these are words
    quietly "downloading what a fresh system needs" "$log" apt_get install --no-install-recommends --download-only -y $wanted ||
        fail "$(tail -n 12 "$log")"
    local package
    for package in "$work"/apt/cache/archives/*.deb; do
        # Names with an epoch hold a percent sign, which addresses would need twice.
        mv "$package" "$folder/$(basename "$package" | sed 's/_[0-9]*%3a/_/')"
    done
    list_packages
    write_installer "$wanted"
    note "$(find "$folder" -name '*.deb' | wc -l) packages, $(du -sh "$folder" | cut -f 1): $folder"
}

# The index that apt reads.
list_packages() { (cd "$folder" && dpkg-scanpackages --multiversion . >Packages) 2>"$log" || fail "$(tail -n 6 "$log")"; }

# make_apt SOURCE...: an apt of its own, on whose system nothing is installed; proxies are those of this machine's.
make_apt() {
    mkdir -p "$work"/apt/{state/lists/partial,cache/archives/partial}
    : >"$work/apt/status"
    printf '%s\n' "$@" >"$work/apt/sources.list"
}

apt_get() {
    apt-get -q -o APT::Architecture="$architecture" -o APT::Architectures::="$architecture" -o APT::Sandbox::User="$(id -un)" \
        -o Dir::State="$work/apt/state" -o Dir::State::status="$work/apt/status" -o Dir::Cache="$work/apt/cache" \
        -o Dir::Etc::SourceList="$work/apt/sources.list" -o Dir::Etc::SourceParts=- \
        -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=- "$@"
}

# write_installer NAMES
write_installer() {
    sed "s/@SUITE@/$suite/; s/@PACKAGES@/$1/" "$pipelines/packaging/install-offline" >"$folder/install"
    chmod +x "$folder/install"
}
