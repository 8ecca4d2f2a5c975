
# The rest is the same for every run. All files of the switch are in the program's own directory:
#   armed     there while the switch waits; renamed to firing (by the switch) or to off (by the run),
#             so only one of the two can go on
#   beat      the last heartbeat; any new text counts
#   receipt   what the switch restored; there when it has finished

LC_ALL=C
PATH=${PATH:-/usr/bin:/bin}:/usr/local/sbin:/usr/sbin:/sbin
export LC_ALL PATH
umask 077
unset CDPATH
cd -- "${0%/*}" || exit 1
name=${PWD##*/}

# Seconds since the host booted. Unlike the date, nobody sets them.
uptime_seconds() {
  read -r up ignored </proc/uptime || return 1
  : "$ignored"
  up=${up%%.*}
}

# Sleeps, and can be ended by a signal meanwhile.
rest() {
  sleep "$1" &
  sleeper=$!
  wait "$sleeper"
}

has_line() {
  printf '%s\n' "$text" | grep -Eq -e "$1"
}

watcher() {
  read -r pid <pid && kill -0 "$pid" && tr '\0' ' ' <"/proc/$pid/cmdline" | grep -Fq -e "$name/program watch"
} 2>/dev/null

tell_state() {
  if [ -e receipt ]; then
    echo fired
    cat receipt
  elif [ -e firing ]; then
    if watcher; then echo firing; else echo broken; fi
  elif [ -e armed ]; then
    if watcher; then echo armed; else echo dead; fi
  else
    echo off
  fi
}

one_line() {
  tr -s ' \t\n' ' ' | tr -cd '\040-\176' | cut -c 1-200 | sed 's/^ //; s/ $//'
}

# Restores a part of a domain's settings. What became of it is in $outcome. Values that the run
# cannot have set are someone else's and are left.
restore_part() {
  outcome=kept
  shows "$1" 2>/dev/null && return
  ours=
  tries=1
  while :; do
    if [ -z "$ours" ]; then
      known "$1" 2>errors
      case $? in
        0) ours=yes ;;
        1)
          outcome=left
          return
          ;;
      esac
    fi
    if [ -n "$ours" ] && undo "$1" >/dev/null 2>errors && shows "$1" 2>>errors; then
      outcome=restored
      return
    fi
    if [ "$tries" -ge "$attempts" ]; then
      outcome=failed
      return
    fi
    tries=$((tries + 1))
    rest 2
  done
}

restore_one() {
  tries=1
  until present "$1" 2>/dev/null; do
    if [ "$tries" -ge "$attempts" ]; then
      echo "gone $1"
      return
    fi
    tries=$((tries + 1))
    rest 2
  done
  fate=kept
  left=
  for part in $(parts "$1"); do
    restore_part "$part"
    case $outcome in
      left)
        rows "$part"
        left="$left${left:+; }$(printf '%s\n' "$text" | grep -E -e "$rows" | one_line)"
        ;;
      failed)
        if present "$1" 2>/dev/null; then
          fate="failed $1 $(head -n 1 errors | one_line)"
        else
          fate="gone $1"
        fi
        ;;
      restored) [ "$fate" != kept ] || fate=restored ;;
    esac
  done
  case $fate in
    failed* | gone*) echo "$fate" ;;
    *) if [ -n "$left" ]; then echo "left $1 $left"; else echo "$fate $1"; fi ;;
  esac
}

restore_all() {
  uptime_seconds
  echo "silent $silent"
  echo "date $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  holder=$(readlink "$lock")
  if [ -z "$holder" ]; then
    ln -s "$owner" "$lock"
    holder=$(readlink "$lock")
  fi
  case $holder in
    # Another process of the same run has taken its lock; it ends this switch once it has its own.
    "$owner" | *" (run ${name%-*} of machine "*) ;;
    *)
      echo "aside $(printf '%s' "$holder" | tr -cd '\040-\176' | cut -c 1-200)"
      return
      ;;
  esac
  started=$up
  number=1
  while [ "$number" -le "$count" ]; do
    restore_one "$number"
    number=$((number + 1))
  done
  uptime_seconds
  echo "took $((up - started))"
  if [ "$(readlink "$lock")" = "$owner" ]; then
    rm -f "$lock"
    echo "released"
  fi
} 2>/dev/null

# Fails if the run has told the switch to stand down, or a heartbeat came after all.
fire() {
  mv -f armed firing 2>/dev/null || return 1
  last=
  read -r last <beat
  if [ "$last" != "$seen" ]; then
    seen=$last
    silent=0
    mv -f firing armed
    return 1
  fi
  restore_all >receipt.new
  mv -f receipt.new receipt
  rm -f firing
}

watch() {
  if ! mkdir running 2>/dev/null; then
    echo "this switch has already been started" >&2
    exit 3
  fi
  trap '' HUP
  trap 'kill "$sleeper"; exit 1' INT TERM
  echo $$ >pid
  seen=
  silent=0
  uptime_seconds || exit 1
  before=$up
  while [ -e armed ]; do
    rest "$step"
    uptime_seconds
    passed=$((up - before))
    before=$up
    # A host that was itself suspended gives the run another chance to be heard.
    [ "$passed" -le "$most" ] || passed=$most
    last=
    read -r last <beat
    if [ "$last" != "$seen" ]; then
      seen=$last
      silent=0
    else
      silent=$((silent + passed))
      if [ "$silent" -ge "$limit" ] && fire; then
        break
      fi
    fi
  done
}

beat() {
  if [ -e armed ]; then
    printf '%s\n' "$1" >beat
  fi
  tell_state
}

# Once the file is renamed the switch cannot fire; ending it only saves a few seconds.
stand_down() {
  if mv -f armed off 2>/dev/null; then
    if watcher; then
      kill -TERM "$pid"
    fi
    echo off
  else
    tell_state
  fi
}

clear_all() {
  if [ -e armed ] || [ -e firing ]; then
    if watcher; then
      echo "this switch is still at work" >&2
      exit 3
    fi
  fi
  cd .. || exit 1
  rm -rf -- "./$name"
  parent=$PWD
  cd / || exit 1
  rmdir -- "$parent" 2>/dev/null
  return 0
}

main() {
  case $1 in
    watch) watch ;;
    beat) beat "$2" ;;
    state) tell_state ;;
    stand-down) stand_down ;;
    clear) clear_all ;;
    *)
      echo "usage: sh program watch|beat WORD|state|stand-down|clear" >&2
      exit 2
      ;;
  esac
}

main "$@"
exit
