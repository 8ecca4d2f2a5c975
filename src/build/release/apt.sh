#!/usr/bin/env bash
# Makes a repository for apt that any web server, or a directory, can serve: apt.sh RELEASE ARCHITECTURE [KEY]. Signed if a key is named.
# Its date is SOURCE_DATE_EPOCH.
set -euo pipefail
: "${SOURCE_DATE_EPOCH:?is not set}"
release=$1 architecture=$2 key=${3:-}
apt=$release/apt
mkdir -p "$apt"
cp "$release"/slicewise_*_"$architecture".deb "$release"/slicewise-lab_*.deb "$apt/"
cd "$apt"
for package in *.deb; do
  dpkg-deb -f "$package"
  printf 'Filename: ./%s\nSize: %s\nMD5sum: %s\nSHA256: %s\n\n' "$package" "$(stat -c %s "$package")" \
    "$(md5sum <"$package" | cut -d' ' -f1)" "$(sha256sum <"$package" | cut -d' ' -f1)"
done >Packages
xz -k -6 Packages
{
  printf 'Origin: Slicewise\nLabel: Slicewise\nSuite: stable\nArchitectures: %s\nComponents: main\n' "$architecture"
  printf 'Date: %s\n' "$(date -u -R -d "@$SOURCE_DATE_EPOCH" | sed 's/+0000/UTC/')"
  echo 'Description: finds the CPU-scheduler settings of Xen and libvirt/KVM for a workload'
  echo 'SHA256:'
  for list in Packages Packages.xz; do
    echo " $(sha256sum <"$list" | cut -d' ' -f1) $(stat -c %s "$list") $list"
  done
} >Release
if [[ -n $key ]]; then
  gpg --batch --yes --local-user "$key" --armor --detach-sign --output Release.gpg Release
  gpg --batch --yes --local-user "$key" --clearsign --output InRelease Release
  gpg --batch --yes --armor --export "$key" >slicewise.asc
fi
