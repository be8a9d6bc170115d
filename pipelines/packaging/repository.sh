# shellcheck shell=bash
# Makes an apt repository of Debian packages. Source it after lib.sh, and set `work` and `log` first.
# shellcheck disable=SC2154

# Debian's suites with their GStreamer, as the number after `1.`.
suites=(bookworm:22 trixie:26 sid:28)

# publish FOLDER REPOSITORY KEY URL: adds the packages of a folder to the repository, and writes its indexes again.
publish() {
    local folder=$1 repository=$2 key=$3 url=${4%/} suite
    export_key "$key"
    add_to_pool "$folder" "$repository"
    rm -rf "$repository/dists.new"
    for suite in "${suites[@]}"; do
        index_suite "$repository" "${suite%:*}" "${suite#*:}"
        sign "$repository/dists.new/${suite%:*}" "$key"
        write_source "$url" "${suite%:*}" >"$repository/${suite%:*}.sources"
        note "$repository/${suite%:*}.sources"
    done
    rm -rf "$repository/dists"
    mv "$repository/dists.new" "$repository/dists"
}

export_key() {
    gpg --batch --armor --export-options export-minimal --export "$1" >"$work/key.asc" 2>"$log"
    [[ -s $work/key.asc ]] || fail "gpg has no key '$1': \`gpg --list-secret-keys\` prints those that it has."
}

# A file of a repository keeps its content, as apt compares it with the hashes of the index that it has.
add_to_pool() {
    local package pooled
    ls "$1"/gst-people*.deb >/dev/null 2>&1 || fail "$1 holds no packages: run pipelines/package $1"
    mkdir -p "$2/pool"
    for package in "$1"/gst-people*.deb; do
        pooled=$2/pool/${package##*/}
        [[ ! -f $pooled ]] || cmp -s "$package" "$pooled" ||
            fail "$pooled is another build of this version: raise the version, or remove one of the two files."
        cp "$package" "$pooled"
    done
}

# index_suite REPOSITORY SUITE GSTREAMER
index_suite() {
    local architectures architecture index
    architectures=$(find "$1/pool" -name '*.deb' ! -name '*_all.deb' | sed 's/.*_\(.*\)\.deb/\1/' | sort -u | paste -sd ' ')
    for architecture in $architectures; do
        index=$1/dists.new/$2/main/binary-$architecture
        mkdir -p "$index"
        (cd "$1" && apt-ftparchive --arch "$architecture" packages pool) 2>"$log" | without_newer_gstreamer "$3" >"$index/Packages" ||
            fail "$(tail -n 6 "$log")"
        xz --keep "$index/Packages"
    done
    # Its date is the time of the index, not of the sources: apt takes no index that is older than the last one.
    env -u SOURCE_DATE_EPOCH apt-ftparchive -o APT::FTPArchive::MD5=false -o APT::FTPArchive::SHA1=false \
        -o APT::FTPArchive::Release::Origin=gst-people -o APT::FTPArchive::Release::Label=gst-people \
        -o APT::FTPArchive::Release::Suite="$2" -o APT::FTPArchive::Release::Codename="$2" \
        -o APT::FTPArchive::Release::Components=main -o APT::FTPArchive::Release::Architectures="$architectures" \
        release "$1/dists.new/$2" >"$work/Release" 2>"$log" || fail "$(tail -n 6 "$log")"
    mv "$work/Release" "$1/dists.new/$2/Release"
}

# Leaves out packages that need a newer GStreamer than 1.NUMBER.
without_newer_gstreamer() {
    awk -v RS= -v ORS='\n\n' -v newest="$1" '
        match($0, /libgstreamer1\.0-0 \(>= 1\.[0-9]+/) && substr($0, RSTART + 24, RLENGTH - 24) + 0 > newest { next }
        { print }'
}

sign() {
    gpg --batch --yes --local-user "$2" --clearsign --output "$1/InRelease" "$1/Release" 2>"$log" ||
        fail "gpg does not sign with '$2':" "$(tail -n 6 "$log")"
}

# write_source URL SUITE: what users put into /etc/apt/sources.list.d, with the key within it.
write_source() {
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By:\n' "$1" "$2"
    sed 's/^$/./; s/^/ /' "$work/key.asc"
}
