#!/usr/bin/env bash
# Builds the packages of the current commit twice, in two clones at different paths, and compares them. With --release also the
# forms with a runtime.
set -euo pipefail
home=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for place in one "another place"; do
  git clone -q "$home" "$work/$place"
  (cd "$work/$place" && mvn -B -q -Dmaven.test.skip=true package && cd target \
    && sha256sum slicewise.jar slicewise-*.tar.gz slicewise*.deb slicewise-*.cdx.json) >"$work/${place%% *}.sums"
  if [[ ${1:-} == --release ]]; then
    (cd "$work/$place" && version=$(sed -n 's/^version=//p' target/classes/build.properties) \
      && src/build/release.sh "$version" "$(sed -n 's/.*outputTimestamp>\(.*\)<.*/\1/p' pom.xml)" \
      && cat target/release/SHA256SUMS) >>"$work/${place%% *}.sums"
  fi
done
cat "$work/one.sums"
if ! diff "$work/one.sums" "$work/another.sums"; then
  trap - EXIT
  echo "the builds differ; both are kept in $work" >&2
  exit 1
fi
echo "both builds are identical"
