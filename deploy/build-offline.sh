#!/bin/sh
# Builds the image of the Dockerfile where no registry of images is reached, only those of Debian and npm. The base is a Debian of
# its own, made by debootstrap, with Debian's Node and this machine's npm. Needs root, debootstrap and buildah: apt-get install debootstrap buildah
#   sh deploy/build-offline.sh [--build-arg EMBEDDED_ENGINE=1]
# buildah's image is podman's too: podman run --env-file .env clew worker. For Docker: buildah push clew docker-archive:clew.tar, docker load
set -eu
cd "$(dirname "$0")/.."
base=localhost/clew-base
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

refuse() {
  echo "build-offline: $1" >&2
  exit 1
}
[ "$(id -u)" = 0 ] || refuse 'debootstrap makes a root file system, so this needs root.'
for program in debootstrap buildah npm; do
  command -v "$program" >/dev/null || refuse "There is no $program here: apt-get install $program."
done

if ! buildah inspect "$base" >/dev/null 2>&1; then
  container=$(buildah from scratch)
  trap 'buildah rm "$container" >/dev/null' EXIT
  root=$(buildah mount "$container")
  # Trixie is the first Debian whose Node (20.19) runs Clew.
  debootstrap --variant=minbase --include=ca-certificates,nodejs trixie "$root" "$mirror"
  chroot "$root" useradd --create-home --uid 1000 node
  mkdir -p "$root/usr/lib/node_modules" "$root/usr/etc"
  cp -a "$(npm root -g)/npm" "$root/usr/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/bin/npm"
  # A registry inside of a company may have a certificate that only this machine's list holds.
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  echo 'cafile=/etc/ssl/certs/ca-certificates.crt' >"$root/usr/etc/npmrc"
  rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*
  buildah commit --quiet "$container" "$base"
fi
# Commands of the build run in a chroot, which works within containers too, and where no bridge can be made.
buildah build --layers --isolation chroot --network host --pull-never --build-arg "BASE=$base" --tag clew "$@" .
