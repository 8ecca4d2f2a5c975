package io.slicewise.sweep;

import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunPlace;
import io.slicewise.run.ThisProcess;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The owner of a host's lock, and the earlier owners from which it may take the lock.
 *
 * @param text names the run and its id, the machine's id, and the process
 * @param id of the run now
 * @param earlier ids of the run before its directory was adopted
 */
record HostLockOwner(String text, String id, Set<String> earlier) {
  private static final Pattern TEXT =
      Pattern.compile(
          ".* \\(run ([0-9a-f]{16}) of machine ([0-9a-f]{16}), process (\\d{1,9}) on .*\\)");

  static HostLockOwner of(RunDirectory run) {
    String id = run.place().map(RunPlace::run).orElseThrow();
    Set<String> earlier =
        RunDirectory.ids(run.events()).stream()
            .filter(one -> !one.equals(id))
            .collect(Collectors.toUnmodifiableSet());
    String text =
        "%s (run %s of machine %s, %s)"
            .formatted(run.name(), id, ThisProcess.machineId(), ThisProcess.text());
    return new HostLockOwner(text, id, earlier);
  }

  /**
   * Whether the lock may be taken from its holder. The run's own lock may, because no other process
   * works on its directory by then. The lock of the original of an adopted copy may if its process
   * is known to be dead; if it is known to run, not even by force.
   */
  boolean mayTakeFrom(String holder, boolean force) {
    Matcher named = TEXT.matcher(holder);
    if (!named.matches()) {
      return force;
    }
    if (named.group(1).equals(id)) {
      return true;
    }
    if (!earlier.contains(named.group(1))) {
      return force;
    }
    boolean here = named.group(2).equals(ThisProcess.machineId());
    return here ? !lives(Long.parseLong(named.group(3))) : force;
  }

  private static boolean lives(long process) {
    return Optional.of(process)
        .flatMap(ProcessHandle::of)
        .filter(ProcessHandle::isAlive)
        .filter(one -> one.pid() != ThisProcess.id())
        .isPresent();
  }
}
