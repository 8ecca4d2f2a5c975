#!/usr/bin/env bash
# Makes an OCI image without a daemon and from nothing but files of this machine: image.sh WORK NAME VERSION ARCHITECTURE RELEASE, called by
# release.sh, whose functions it uses. The image holds the installation WORK/NAME, the shell and the few tools that its launcher and lab call,
# and the libraries of all of them.
set -euo pipefail
work=$1 name=$2 version=$3 architecture=$4 release=$5
root=$work/root
mkdir -p "$root"/{opt,etc,tmp,state,work,usr/bin,usr/lib,home/slicewise}
for merged in bin lib lib64 sbin; do ln -s "usr/${merged/sbin/bin}" "$root/$merged"; done
mkdir -p "$root/usr/lib64"
cp -a "$work/$name" "$root/opt/slicewise"
ln -s /opt/slicewise/slicewise "$root/usr/bin/slicewise"

tools=(bash cat chmod cksum cp cut date dirname env find grep head id kill ls mkdir mktemp mv nproc od ps pwd readlink rm rmdir sed
  sleep sort stat stty tail tr uname wc)
for tool in "${tools[@]}"; do cp -L "$(type -P "$tool")" "$root/usr/bin/$tool"; done
ln -s bash "$root/usr/bin/sh"
# Libraries of all programs, and those that the C library loads to resolve names.
programs=("${tools[@]/#/$root/usr/bin/}" "$root/opt/slicewise/runtime/bin/java")
mapfile -t own < <(find "$root/opt/slicewise/runtime/lib" -name '*.so')
libc=$(ldd "$(type -P bash)" | awk '/libc\.so/ {print $3}')
{
  ldd "${programs[@]}" "${own[@]}" 2>/dev/null | awk '$2 == "=>" && $3 ~ "^/" && $3 !~ "/runtime/" {print $3} $1 ~ "^/.*ld-linux" {print $1}'
  printf '%s\n' "$(dirname "$libc")"/{libnss_files,libnss_dns,libresolv,libpthread,libdl,librt}.so.[0-9]*
} | sort -u | while read -r library; do
  [[ -e $library ]] || continue
  mkdir -p "$root/usr$(dirname "${library#/usr}")"
  cp -L "$library" "$root/usr${library#/usr}"
done
# The locale of the image, which PostgreSQL's initdb asks for.
[[ ! -d /usr/lib/locale/C.utf8 ]] || { mkdir -p "$root/usr/lib/locale" && cp -a /usr/lib/locale/C.utf8 "$root/usr/lib/locale/"; }
# The licences of what is copied.
mkdir -p "$root/usr/share/doc"
for package in bash coreutils findutils grep sed procps libc6 libtinfo6 libgcc-s1 libstdc++6 zlib1g libselinux1 libpcre2-8-0; do
  [[ ! -f /usr/share/doc/$package/copyright ]] || install -D -m 644 "/usr/share/doc/$package/copyright" "$root/usr/share/doc/$package/copyright"
done
printf 'root:x:0:0::/root:/bin/sh\nslicewise:x:1000:1000::/home/slicewise:/bin/bash\n' >"$root/etc/passwd"
printf 'root:x:0:\nslicewise:x:1000:\n' >"$root/etc/group"
printf '127.0.0.1 localhost\n' >"$root/etc/hosts"
printf 'passwd: files\ngroup: files\nhosts: files dns\n' >"$root/etc/nsswitch.conf"
chmod 1777 "$root/tmp"
chmod 777 "$root/state" "$root/work" "$root/home/slicewise"
settle "$root"

oci=$work/oci
blobs=$oci/blobs/sha256
mkdir -p "$blobs"
blob() { # FILE: names it by its content; prints digest and size
  local digest bytes
  digest=$(sha256sum <"$1" | cut -d' ' -f1) bytes=$(stat -c %s "$1")
  mv "$1" "$blobs/$digest"
  printf '%s %s\n' "$digest" "$bytes"
}
packed "$root" . >"$work/layer.tar"
content=$(sha256sum <"$work/layer.tar" | cut -d' ' -f1)
gzip -n -6 "$work/layer.tar"
read -r layer size < <(blob "$work/layer.tar.gz")
created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
cat >"$work/config.json" <<JSON
{"created":"$created","architecture":"$architecture","os":"linux","config":{"User":"1000:1000","Env":["PATH=/usr/bin","HOME=/home/slicewise","XDG_STATE_HOME=/state","LANG=C.UTF-8"],"Entrypoint":["/opt/slicewise/slicewise"],"WorkingDir":"/work","Volumes":{"/state":{}},"Labels":{"org.opencontainers.image.title":"slicewise","org.opencontainers.image.version":"$version","org.opencontainers.image.licenses":"Apache-2.0"}},"rootfs":{"type":"layers","diff_ids":["sha256:$content"]},"history":[{"created":"$created","created_by":"slicewise $version"}]}
JSON
read -r config length < <(blob "$work/config.json")
cat >"$work/manifest.json" <<JSON
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"sha256:$config","size":$length},"layers":[{"mediaType":"application/vnd.oci.image.layer.v1.tar+gzip","digest":"sha256:$layer","size":$size}]}
JSON
read -r manifest bytes < <(blob "$work/manifest.json")
echo '{"imageLayoutVersion":"1.0.0"}' >"$oci/oci-layout"
cat >"$oci/index.json" <<JSON
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:$manifest","size":$bytes,"platform":{"architecture":"$architecture","os":"linux"},"annotations":{"org.opencontainers.image.ref.name":"slicewise:$version"}}]}
JSON
packed "$oci" blobs index.json oci-layout >"$release/slicewise-$version-oci-$architecture.tar"
