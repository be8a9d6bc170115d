# shellcheck shell=bash
# Makes packages for arm64 on x86-64. Source it after lib.sh, from pipelines/package.
# shellcheck disable=SC2154

# Whether packages for another architecture are wanted.
is_foreign() { [[ $architecture != "$(dpkg --print-architecture)" && $kind != repository && $kind != source ]]; }

# The same program in a system for arm64. Of gst-people-models, which is for all architectures, there is one file: that of x86-64.
make_for_arm64() {
    [[ $architecture == arm64 ]] || fail "Packages are for amd64 and arm64, not $architecture."
    # shellcheck source-path=SCRIPTDIR/..
    . "$pipelines/shell/arm64.sh"
    local options=() settings made=$folder
    if [[ $kind == deb ]]; then made=$work/made; else options=("--$kind" --suite "$suite"); fi
    mkdir -p "$made"
    mapfile -t settings < <(env | grep -E '^(DEB(FULLNAME|EMAIL)|SOURCE_DATE_EPOCH|GST_PEOPLE_(PACKAGE_NAME|PACKAGE_ORIGIN|AUTHORS|DOCUMENTATION))=')
    step "Debian 13 for arm64" && prepare_arm64
    share_models
    step "Set up, build and pack there"
    in_arm64 pipelines/setup
    SHARED_FOLDERS="$made $(git -C "$root" rev-parse --path-format=absolute --git-common-dir)" in_arm64 env "${settings[@]}" \
        GIT_DIR="$(git -C "$root" rev-parse --absolute-git-dir)" GIT_WORK_TREE=/checkout GIT_OPTIONAL_LOCKS=0 GST_PEOPLE_IS_INNER=yes \
        DEBIAN_MIRROR="$(debian_mirror)" pipelines/package "${options[@]}" "$made"
    [[ $kind != deb ]] || cp "$made"/*_arm64.deb "$folder/"
}
