# shellcheck shell=bash
# Sets everything up unless there is a built plugin, builds it again if its source is newer, and lets GStreamer find it.
# Source after lib.sh.
# shellcheck disable=SC2154

if ! asks_for_help "$@"; then
    staged=$private/plugins/libgstpeople.so
    [[ -f $staged ]] || "$pipelines/setup"
    [[ -f $staged && -z $(newer_than "$staged") ]] || "$pipelines/build"
    eval "$("$pipelines/env")"
fi
