# shellcheck shell=bash
# Sets everything up unless there is a built plugin, and lets GStreamer find it. Source after lib.sh.
# shellcheck disable=SC2154

case " $* " in
*" -h "* | *" --help "*) ;;
*)
    if [[ ! -f $private/plugins/libgstpeople.so ]]; then
        "$pipelines/setup"
        "$pipelines/build"
    fi
    eval "$("$pipelines/env")"
    ;;
esac
