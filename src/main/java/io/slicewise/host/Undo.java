package io.slicewise.host;

import io.slicewise.ssh.Command;
import java.util.HashSet;
import java.util.List;

/**
 * How a host restores one running domain by itself: commands that work whatever its current
 * settings are, and how to see that they worked.
 *
 * @param domain its name
 * @param present answers only while the same domain still runs
 * @param commands in order
 * @param readings that show the restored settings
 */
public record Undo(String domain, Reading present, List<Command> commands, List<Reading> readings) {
  public Undo {
    commands = List.copyOf(commands);
    readings = List.copyOf(readings);
  }

  /** Returns whether this undo does everything that another one does. */
  public boolean covers(Undo other) {
    return domain.equals(other.domain)
        && present.equals(other.present)
        && new HashSet<>(commands).containsAll(other.commands)
        && new HashSet<>(readings).containsAll(other.readings);
  }

  /**
   * A command and what it must print.
   *
   * @param lines POSIX extended regular expressions; each must match one of the printed lines
   */
  public record Reading(Command command, List<String> lines) {
    public Reading {
      lines = List.copyOf(lines);
    }
  }
}
