# Writes the version and the commit that is built into a properties file: version.sh FILE VERSION.
# Outside a clone the commit is unknown.
set -eu
cd "$(dirname "$0")/../.."
commit=unknown time= changed=
if found=$(git rev-parse --short=12 HEAD 2>/dev/null); then
  commit=$found
  time=$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y-%m-%dT%H:%M:%SZ)
  [ -z "$(git status --porcelain --untracked-files=no)" ] || changed=true
fi
mkdir -p "$(dirname "$1")"
printf 'version=%s\ncommit=%s\ntime=%s\nchanged=%s\n' "$2" "$commit" "$time" "$changed" >"$1.new"
cmp -s "$1.new" "$1" && rm "$1.new" || mv "$1.new" "$1"
