# Sourced by the scripts for the R package: where it finds the library of the release build, and
# where R packages of this build are installed.
folder=$PWD/build/r
mkdir -p "$folder/home" "$folder/library"
ln -sfn "$PWD/include" "$folder/home/include"
ln -sfn "$PWD/build/release" "$folder/home/lib"
export TENSORWARDEN_HOME=$folder/home
export R_LIBS=$folder/library
