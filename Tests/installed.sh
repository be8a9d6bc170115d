# shellcheck shell=bash
# What has to work wherever gst-people is installed, for the tests beside this file: in a Debian in a folder, as an ordinary user
# and without a network. Source it after debian.sh.
# shellcheck disable=SC2154

# Makes Debian packages in $made, unless the user has named a folder of them, and sets `version`.
make_debian_packages() {
    if [[ -z $made ]]; then
        made=$work/made
        quietly "pipelines/package" "$log" "$pipelines/package" "$made" || fail "$(tail -n 6 "$log")"
    fi
    version=$(dpkg-deb --field "$made"/gst-people_*.deb Version)
    note "$version"
}

# prepare_user SUITE FOLDER: a fresh Debian in this folder, with a user and a portrait.
prepare_user() {
    system=$2
    copy_base "$1" "$system"
    mkdir "$system/packages"
    cp "$private/media/astronaut.png" "$system/packages/portrait.png"
    inside "$system" useradd --create-home someone
}

# in_system LABEL inside|inside_offline COMMAND...
in_system() { quietly "$1" "$log" "$2" "$system" "${@:3}" || fail "$(tail -n 12 "$log")"; }

# use_them [VARIABLE=VALUE]: what has to work for a user, without a network.
use_them() {
    rm -rf "$system/home/someone/.cache"
    check_elements "$@"
    local quality
    as_user "the line with a test picture" "$@" gst-launch-1.0 -q videotestsrc num-buffers=30 ! personsegment quality=fast ! \
        blendmask background-color=0xff00b140 ! fakesink
    for quality in fast balanced; do check_pixels "$quality" "$@"; done
    as_user "facepose and bodypose" "$@" gst-launch-1.0 -q filesrc location=/packages/portrait.png ! pngdec ! videoconvert ! \
        facepose draw=all ! bodypose ! fakesink
    check_programs "$@"
    [[ -n ${archive_plugins:-} ]] || check_documents
}

# The Python module, the examples in Python, and the links of the documents. Two examples need more of Debian than is installed, and
# Tests/check-recipes runs them.
check_documents() {
    local documents=/usr/share/doc/gst-people clip=/usr/share/gst-people/stand-in.webm source
    source="filesrc location=$clip ! decodebin ! videoconvert"
    as_user "import gst_people" python3 -c "import gst_people; print(gst_people.mask)"
    local example
    for example in "embed.py $clip 5" "yaw.py $clip /home/someone/yaw.png"; do
        # shellcheck disable=SC2086 # these are words
        as_user "$example" python3 "$documents"/examples/$example
    done
    example=$documents/examples
    as_user "raised_hand.py" python3 "$example/raised_hand.py" "$source" fakesink /usr/share/gst-people/backgrounds/{forest,beach}.jpg
    as_user "reframe.py" python3 "$example/reframe.py" "$source" "videoconvert ! fakesink"
    as_user "squats.py" python3 "$example/squats.py" "$source"
    quietly "links of the documents" "$log" "$root/Tests/check-links" "$system$documents" || fail "$(cat "$log")"
}

# as_user LABEL [VARIABLE=VALUE] COMMAND...
as_user() {
    local label=$1
    shift
    in_system "$label" inside_offline timeout 600 setpriv --reuid someone --regid someone --clear-groups \
        env -i HOME=/home/someone PATH=/usr/bin:/bin "$@"
}

check_elements() {
    local documented found
    documented=$(sed -n 's/^## \([a-z]*\)$/\1/p' "$root/docs/elements.md" | sort)
    as_user "gst-inspect-1.0 people" "$@" gst-inspect-1.0 people
    found=$(sed -n 's/^  \([a-z]*\): .*/\1/p' "$log" | sort)
    [[ -n $found && $found == "$documented" ]] || fail "The plugin has these elements: $found" "documented are: $documented"
}

# The portrait before green: the corner is green, the face is as it was.
check_pixels() {
    local quality=$1 face green=00b140
    shift
    # shellcheck disable=SC2054 # commas are part of caps
    local line=(gst-launch-1.0 -q filesrc location=/packages/portrait.png ! pngdec ! videoconvert ! videoscale !
        video/x-raw,format=RGB,width=128,height=128)
    as_user "the portrait as it is" "$@" "${line[@]}" ! filesink location=/home/someone/before.rgb
    as_user "the portrait before green, quality=$quality" "$@" "${line[@]}" ! personsegment "quality=$quality" ! \
        blendmask background-color=0xff$green ! filesink location=/home/someone/after.rgb
    [[ $(pixel after 2 2) == "$green" ]] || fail "The corner is $(pixel after 2 2), not $green."
    face=$(pixel before 56 28)
    [[ $face != "$green" && $(pixel after 56 28) == "$face" ]] || fail "The face is $(pixel after 56 28), not $face."
}

# pixel before|after X Y
pixel() { od -An -tx1 -j $((3 * (128 * $3 + $2))) -N 3 "$system/home/someone/$1.rgb" | tr -d ' \n'; }

# check_programs [VARIABLE=VALUE]: they come with Swift's libraries.
check_programs() {
    local program
    for program in $(programs); do
        in_system "ldd $program" inside_offline ldd "$program"
        ! grep -E 'not found|libswift' "$log" >/dev/null || fail "$program: $(grep -E 'not found|libswift' "$log")"
        as_user "$program photo" env "$@" "$program" photo /packages/portrait.png /home/someone/out.png --force
        as_user "$program webcam --stand-in" env "$@" "$program" webcam --stand-in --sink="fakesink num-buffers=3"
    done
}

programs() {
    if [[ -n ${archive_plugins:-} ]]; then
        (cd "$system" && find opt -path '*/bin/*' -type f | sed 's|^|/|')
    else
        inside "$system" dpkg-query --listfiles gst-people | grep '^/usr/bin/'
    fi
}

remove_packages() {
    in_system "apt-get purge" inside_offline sh -c "apt-get purge -q -y gst-people gst-people-models gst-people-openvino"
    local left
    left=$(cd "$system" && find usr etc var opt \( -name 'gst-people*' -o -name 'libgstpeople*' -o -name 'org.gst_people*' \) -print)
    [[ -z $left ]] || fail "These files are left: $left"
    note "nothing is left"
}
