package io.slicewise.ssh;

import java.time.Duration;

/**
 * The result of a finished command.
 *
 * @param exitStatus 0..255; 128 + n for a command that signal n ended, 255 if the machine did not
 *     report it
 * @param elapsed from sending the command to its end, round trip included
 */
public record CommandResult(
    Command command,
    int exitStatus,
    String standardOutput,
    String standardError,
    Duration elapsed) {
  public boolean succeeded() {
    return exitStatus == 0;
  }
}
