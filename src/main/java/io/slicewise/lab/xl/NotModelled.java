package io.slicewise.lab.xl;

import io.slicewise.lab.shell.Getopt;
import java.util.Set;

/**
 * What a real {@code xl} does and this one does not. It says so, in words no real one uses, since
 * an answer that looked like xl's own would teach its reader wrong.
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

  /** Refuses those of the real command's options that have no answer here. */
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
