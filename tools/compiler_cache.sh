# For build scripts to source, in the project's folder: what one build has compiled serves the
# others, whatever folder of the project they are in.
export CCACHE_NOHASHDIR=1 CCACHE_BASEDIR=$PWD CCACHE_SLOPPINESS=pch_defines,time_macros
# Builds that run with another home folder use the same cache.
export CCACHE_DIR=${CCACHE_DIR:-$HOME/.cache/ccache}
# Preprocessing everything first would take a tenth longer with an empty cache.
export CCACHE_DEPEND=1
