package io.slicewise.lab.xl;

import io.slicewise.lab.shell.Getopt;
import java.util.Set;

/**
 * Features of a real {@code xl} that this one lacks. It refuses them with a message that no real xl
 * prints, because an imitation of xl's output would mislead the reader.
 */
final class NotModelled {
  static final Set<String> COMMANDS =
      Set.of(
          "create",
          "config-update",
          "shutdown",
          "reboot",
          "save",
          "restore",
          "migrate",
          "console",
          "mem-set",
          "mem-max",
          "debug-keys",
          "sharing",
          "claims",
          "rename",
          "trigger",
          "sysrq");

  private static final int STATUS = 1;

  private NotModelled() {}

  static XlFailure command(String name) {
    return new XlFailure(STATUS, "xl " + name + " is not modelled by this lab\n");
  }

  /** Refuses options of the real command that are not supported here. */
  static void refuse(String name, Getopt options, String letters) {
    letters
        .chars()
        .filter(letter -> options.has((char) letter))
        .findFirst()
        .ifPresent(
            letter -> {
              throw command(name + " -" + (char) letter);
            });
  }
}
