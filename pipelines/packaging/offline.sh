# shellcheck shell=bash
# Adds Debian's packages to a folder of ours, for machines without a network. Source it after lib.sh and apt.sh, from
# pipelines/package.
# shellcheck disable=SC2154

# add_debian: what the packages need of Debian, those that they recommend among it.
add_debian() {
    step "Debian's packages ($suite)"
    local debian wanted
    debian=$(debian_source "$suite")
    wanted="gst-people $(dpkg-deb --field "$folder"/gst-people_*.deb Recommends | tr -d ,)"
    list_packages
    make_apt "deb [trusted=yes] file:${folder// /%20} ./" "$debian"
    # shellcheck disable=SC2086 # these are words
    download_packages "$architecture" $wanted
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

# write_installer NAMES
write_installer() {
    sed "s/@SUITE@/$suite/; s/@PACKAGES@/$1/" "$pipelines/packaging/install-offline" >"$folder/install"
    chmod +x "$folder/install"
}
