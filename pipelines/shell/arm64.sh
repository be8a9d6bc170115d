# shellcheck shell=bash
# Debian 13 for arm64 in a folder, with a copy of this checkout, for machines with x86-64: its programs run in QEMU, but its
# `swift` is the compiler of x86-64, which compiles for it. Nothing needs root. Source it after lib.sh, and set `work` and `log`
# first.
# shellcheck disable=SC2154

# shellcheck source-path=SCRIPTDIR/..
. "$pipelines/shell/apt.sh"

arm64_cache=${arm64_cache:-/var/tmp/gst-people-arm64}
# QEMU and the compiler are of x86-64.
arm64_system=$arm64_cache/system
arm64_tools=$arm64_cache/tools
# A processor of small computers: without SVE.
arm64_processor=cortex-a76
# Folders of the tools that the system has at the same place, as Debian's multiarch would have them.
arm64_shared=(usr/lib64 usr/lib/x86_64-linux-gnu usr/include/x86_64-linux-gnu usr/lib/gcc/x86_64-linux-gnu
    usr/libexec/swift/bin usr/libexec/swift/lib/swift/host)
# The whole compiler with x86-64's modules, for Package.swift.
arm64_compiler=/usr/libexec/swift-x86-64
passed=()

prepare_arm64() {
    check_emulation
    if [[ ! -d $arm64_cache ]]; then
        rm -rf "$arm64_cache.part"
        make_apt "$(debian_source trixie)"
        unpack_debian amd64 "$arm64_cache.part/tools" swiftlang g++ qemu-user
        # shellcheck disable=SC2046 # these are words
        unpack_debian arm64 "$arm64_cache.part/system" '?essential' ca-certificates debian-archive-keyring dpkg-dev meson swiftlang \
            $(cat "$pipelines/requirements/packages.txt")
        configure_system "$arm64_cache.part/system"
        mv "$arm64_cache.part" "$arm64_cache"
    fi
    share_network "$arm64_system"
    copy_checkout "$arm64_system/checkout"
    # It takes minutes to draw there.
    [[ ! -s $root/forest.jpg ]] || cp -u "$root/forest.jpg" "$arm64_system/checkout/"
}

# Prepared models and media are the same files there; their own set-up checks that.
share_models() {
    local tree there=$arm64_system/checkout/.gst-people
    mkdir -p "$there"
    for tree in models media; do
        [[ -d $there/$tree || ! -d $private/$tree ]] || cp -a --reflink=auto "$private/$tree" "$there/"
    done
}

check_emulation() {
    [[ $(uname -sm) == "Linux x86_64" ]] || fail "This is for x86-64; on arm64, use the other commands as they are."
    unshare --user --map-root-user --mount mount -t binfmt_misc none /proc/sys/fs/binfmt_misc 2>"$log" ||
        fail "$(tail -n 1 "$log")" "This needs Linux 6.7 or newer, where a user may make namespaces with programs of their own."
}

# unpack_debian ARCHITECTURE FOLDER PACKAGE...: packages with all that they need, without running their scripts. What dpkg knows
# of installed ones, scripts of ours ask for.
unpack_debian() {
    local architecture=$1 folder=$2 archives=$work/apt/cache/archives
    shift 2
    download_packages "$architecture" "$@"
    mkdir -p "$folder/var/lib/dpkg"/{info,updates}
    # Without it, dpkg looks for names without the architecture.
    echo 1 >"$folder/var/lib/dpkg/info/format"
    quietly "unpacking packages ($architecture)" "$log" unpack_all "$folder" "$archives"/base-files_*.deb "$archives"/*.deb ||
        fail "$(tail -n 6 "$log")"
    rm "$archives"/*.deb
}

# unpack_all FOLDER PACKAGE...
unpack_all() {
    local folder=$1 package fields name info
    shift
    for package; do
        fields=$(dpkg-deb --field "$package")
        name=$(sed -n 's/^Package: //p' <<<"$fields")
        [[ $fields != *"Multi-Arch: same"* ]] || name+=:$(sed -n 's/^Architecture: //p' <<<"$fields")
        info=$folder/var/lib/dpkg/info
        [[ ! -f $info/$name.list ]] || continue
        dpkg-deb --fsys-tarfile "$package" | unpack_files "$folder" | sed 's|^\.||; s|/$||; s|^$|/.|' >"$info/$name.list"
        dpkg-deb --ctrl-tarfile "$package" |
            tar --extract --directory "$info" --transform "s|^\./|$name.|" --wildcards './shlib[s]' './symbol[s]' 2>/dev/null || true
        printf '%s\n\n' "${fields/$'\n'/$'\nStatus: install ok installed\n'}" >>"$folder/var/lib/dpkg/status"
    done
}

# unpack_files FOLDER: prints their names. The compiler for arm64 and its debugger are not needed.
unpack_files() {
    local unused=()
    [[ $1 != */system ]] || unused=(--exclude ./usr/libexec/swift/bin)
    tar --extract --verbose --directory "$1" --keep-directory-symlink --no-same-owner --wildcards --no-wildcards-match-slash \
        --exclude './usr/share/doc/*' --exclude './usr/share/man/*' --exclude './usr/share/locale/*' \
        --exclude './usr/libexec/swift/lib/*.so*' "${unused[@]}"
}

# What scripts of the packages would do, as far as it is needed, and the compiler.
configure_system() {
    local system=$1 name
    cp "$system/usr/share/base-passwd/passwd.master" "$system/etc/passwd"
    cp "$system/usr/share/base-passwd/group.master" "$system/etc/group"
    for name in blas lapack; do ln -s "$name/lib$name.so.3" "$system/usr/lib/aarch64-linux-gnu/lib$name.so.3"; done
    ln -s mawk "$system/usr/bin/awk"
    ln -s gcc "$system/usr/bin/cc"
    ln -s usr/lib64 "$system/lib64"
    mkdir -p "$system/usr/local/bin" "$system$arm64_compiler"
    # The linker for Package.swift.
    ln -s "$arm64_compiler/bin/lld" "$system/usr/local/bin/ld"
    cat >"$system/etc/swift-arm64.json" <<-END
	{
	    "version": 1, "target": "aarch64-unknown-linux-gnu", "sdk": "/", "toolchain-bin-dir": "/usr/libexec/swift/bin",
	    "extra-cc-flags": [], "extra-cpp-flags": [], "extra-swiftc-flags": []
	}
	END
    cat >"$system/usr/local/bin/swift" <<-END
	#!/bin/sh
	export LD_LIBRARY_PATH=$arm64_compiler/lib/swift/linux:$arm64_compiler/lib/swift/host
	[ "\$1" != build ] || { shift && set -- build --destination /etc/swift-arm64.json "\$@"; }
	exec $arm64_compiler/bin/swift "\$@"
	END
    chmod +x "$system/usr/local/bin/swift"
}

# in_arm64 COMMAND...: in the copy of the checkout, and with the folders in SHARED_FOLDERS at the same place as here. Mounts,
# processes and what the kernel knows of QEMU end with the command.
in_arm64() {
    # shellcheck disable=SC2016 # the inner shell expands them
    unshare --user --map-root-user --mount --pid --fork --kill-child -- bash -euc '
        system=$1 tools=$2 compiler=$3 tool_folders=$4
        shift 4
        mount -t proc proc "$system/proc"
        mount --rbind /dev "$system/dev"
        mount --rbind /sys "$system/sys"
        mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
        # ELF for 64 bits, little-endian, of this processor: a program or a library.
        magic="\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
        mask="\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
        printf %s ":arm64:M::$magic:$mask:$tools/usr/bin/qemu-aarch64:PF" >/proc/sys/fs/binfmt_misc/register
        show() { mkdir -p "$system/$2" && mount --rbind "$1" "$system/$2"; }
        for folder in $tool_folders; do show "$tools/$folder" "$folder"; done
        show "$tools/usr/libexec/swift" "$compiler"
        for folder in ${SHARED_FOLDERS:-}; do show "$folder" "$folder"; done
        exec chroot "$system" env --chdir /checkout "$@"' - \
        "$arm64_system" "$arm64_tools" "$arm64_compiler" "${arm64_shared[*]}" \
        --ignore-environment HOME=/root PATH=/usr/local/bin:/usr/sbin:/usr/bin LC_ALL=C.UTF-8 QEMU_CPU="$arm64_processor" \
        "${passed[@]}" "$@"
}
