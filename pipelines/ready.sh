# shellcheck shell=bash
# Sets everything up unless there is a built plugin, builds it again if its source is newer, and lets GStreamer find it.
# Source after lib.sh.
# shellcheck disable=SC2154

case " $* " in
*" -h "* | *" --help "*) ;;
*)
    if [[ ! -f $private/plugins/libgstpeople.so ]]; then
        "$pipelines/setup"
        "$pipelines/build"
    elif [[ -n $(newer_than "$private/plugins/libgstpeople.so") ]]; then
        "$pipelines/build"
    fi
    eval "$("$pipelines/env")"
    ;;
esac
