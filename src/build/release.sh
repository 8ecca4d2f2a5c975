#!/usr/bin/env bash
# Makes target/release/ from what the build left in target/: the archives and packages without Java, the same with a runtime inside,
# a repository for apt, an image, the bill of materials, and their checksums. Called by the profile release:
# release.sh VERSION TIMESTAMP [KEY], the key that signs the repository. Needs a JDK, GNU tar, xz and dpkg-deb.
set -euo pipefail
export LC_ALL=C TZ=UTC
version=$1 SOURCE_DATE_EPOCH=$(date -d "$2" +%s) key=${3:-}
export SOURCE_DATE_EPOCH
home=$(cd "$(dirname "$0")/../.." && pwd)
target=$home/target
if [[ $version != *-SNAPSHOT ]] && ! grep -qE "^## ${version//./\\.} \([0-9]{4}-[0-9]{2}-[0-9]{2}\)$" "$home/CHANGELOG.md"; then
  echo "release.sh: CHANGELOG.md has no section '## $version (YYYY-MM-DD)'; a version without SNAPSHOT needs one" >&2
  exit 1
fi
case $(uname -m) in
  x86_64) platform=linux-x64 architecture=amd64 ;;
  aarch64) platform=linux-arm64 architecture=arm64 ;;
  *) echo "release.sh: there is no image for $(uname -m)" >&2; exit 1 ;;
esac
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
# All in a place without blanks: below one that has them, fewer or other classes get into an archive of classes.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$target/release" "$target/runtime"
mkdir -p "$target/release"

settle() { # DIRECTORY: gives everything in it the time of this version
  find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}
packed() { # DIRECTORY NAME...: a tar whose bytes depend on the content alone
  tar -C "$1" --sort=name --format=posix --pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime \
    --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -c "${@:2}"
}
export -f settle packed

# The archive without Java, unpacked, is what every form holds.
name=slicewise-$version-$platform
mkdir "$work/$name"
tar -xzf "$target/slicewise-$version.tar.gz" -C "$work/$name" --strip-components=1

# The modules that the jars refer to, and those that are only found by name at run time: java.se for JMeter's elements and scripts,
# the user's name and number, elliptic curves of TLS and SSH, bundles as file systems, and the character sets of servers.
jars=("$work/$name"/slicewise.jar "$work/$name"/l{ib,ab}/*.jar)
referred() { "${bin}jdeps" -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -s --multi-release 17 "$@" 2>/dev/null || true; }
mapfile -t plain < <(grep -L module-info.class "${jars[@]}")
mapfile -t named < <(grep -l module-info.class "${jars[@]}") # each by itself: some require modules that are not here
modules=$({ referred "${plain[@]}"; for jar in "${named[@]}"; do referred "$jar"; done; } | grep -oE '(java|jdk)\.[a-z.]+$' | sort -u)
"${bin}jlink" --add-modules "$(echo $modules java.se jdk.security.auth jdk.crypto.ec jdk.zipfs jdk.charsets | tr ' ' ,)" \
  --strip-java-debug-attributes --no-header-files --no-man-pages --output "$work/$name/runtime"
java=$work/$name/runtime/bin/java

# What a JVM writes into an archive of classes depends on addresses, compiled methods, its heap, and on which thread runs when: all of them
# are fixed. A collection of garbage, which full metaspace would start, would wake the threads that clean up after it. Where fixing is
# forbidden (`chrt` needs root), an archive as good, but not surely the same each time.
fixed=()
for way in "chrt -f 1" "taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')" "setarch -R"; do
  ! $way true 2>/dev/null || fixed+=($way)
done
quiet() {
  "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }
}
dump() { # FILE OPTION...: the result that comes three times
  local sum
  local -A times=()
  for _ in {1..9}; do
    quiet env -C "$work" "${fixed[@]}" "$java" -Xint -XX:+UseSerialGC -Xms512m -Xmx512m -XX:MetaspaceSize=1g -Xlog:disable -Xshare:dump \
      -XX:SharedArchiveFile="$1" "${@:2}"
    sum=$(sha256sum <"$1")
    times[$sum]=$((${times[$sum]:-0} + 1))
    ((times[$sum] < 3)) || return 0
  done
  echo "release.sh: none of 9 archives came three times; the last is used: ${1##*/}" >&2
}
dump "$work/$name/runtime/lib/server/classes.jsa"
cp -a "$work/$name/runtime" "$target/runtime" # for the tests that run in it

# The archive of classes refers to the jars by the time and size that they have when it is unpacked. Its list is made without a compiler,
# which loads the classes of the signatures of what it happens to compile.
settle "$work/$name"
exec 9<"$work/$name"
path=/proc/self/fd/9/slicewise.jar
for jar in "$work/$name"/lib/*.jar; do path+=:/proc/self/fd/9/lib/${jar##*/}; done
quiet "$java" -Xint -Xshare:off -XX:+UseSerialGC -Xlog:disable -XX:DumpLoadedClassList="$work/classes" \
  -Dslicewise.home="$work/$name" -cp "$path:$work/$name/lab/*" \
  io.slicewise.cli.CommonClasses "$work/$name" "$work/runs"
# Which classes of java.util.concurrent are loaded depends on who had to wait: those of the runtime's own list stand for them.
concurrent='^java/util/concurrent/'
sort -u -o "$work/classes" <(grep -v "$concurrent" "$work/classes") <(grep "$concurrent" "$work/$name/runtime/lib/classlist")
dump "$work/$name/slicewise.jsa" -XX:SharedClassListFile="$work/classes" -cp "$path"
exec 9<&-
chmod 644 "$work/$name/slicewise.jsa"
settle "$work/$name"
packed "$work" "$name" | xz -T2 -6 >"$target/release/$name.tar.xz"

# The package with a runtime: what the package without Java holds, and the runtime.
mkdir "$work/deb"
dpkg-deb -R "$target/slicewise_$(basename "$target"/slicewise_*_all.deb | cut -d_ -f2)_all.deb" "$work/deb"
cp -a "$work/$name/runtime" "$work/$name/slicewise.jsa" "$work/deb/usr/share/slicewise/"
sed -i -e "s/^Architecture: .*/Architecture: $architecture/" -e "s/^Depends: .*/Depends: bash, libc6, zlib1g/" \
  -e "/^Installed-Size:/d" "$work/deb/DEBIAN/control"
find "$work/deb" -path '*/DEBIAN' -prune -o -type f -printf '%s\n' |
  awk '{ size += int(($1 + 1023) / 1024) } END { print "Installed-Size: " size }' >"$work/size"
sed -i "/^Architecture: /r $work/size" "$work/deb/DEBIAN/control"
rm -f "$work/deb/DEBIAN/md5sums"
(cd "$work/deb" && find usr -type f | sort | xargs -d '\n' md5sum >DEBIAN/md5sums)
cp -p "$work/$name/slicewise.jar" "$work/deb/usr/share/slicewise/"
cp -p "$work/$name"/lib/*.jar "$work/deb/usr/share/slicewise/lib/"
settle "$work/deb"
debian=$(sed -n 's/^Version: //p' "$work/deb/DEBIAN/control")
dpkg-deb --root-owner-group -Zxz -b "$work/deb" "$target/release/slicewise_${debian}_$architecture.deb" >/dev/null

# The forms without Java.
cp "$target/slicewise-$version.tar.gz" "$target"/slicewise_*_all.deb "$target"/slicewise-lab_*.deb "$target/release/"
[[ ! -f $target/slicewise-$version.cdx.json ]] || cp "$target/slicewise-$version.cdx.json" "$target/release/"

"$home/src/build/release/apt.sh" "$target/release" "$architecture" "$key"
"$home/src/build/release/image.sh" "$work" "$name" "$version" "$architecture" "$target/release"
(cd "$target/release" && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs -d '\n' sha256sum >SHA256SUMS)
