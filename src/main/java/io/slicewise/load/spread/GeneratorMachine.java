package io.slicewise.load.spread;

import io.slicewise.ssh.Connection;
import java.util.Optional;

/**
 * A machine that generates a part of the load.
 *
 * @param name as the user wrote it, unique
 * @param connection empty for this machine
 * @param share its weight when users are split, at least 1
 * @param java the program that starts a JVM there
 */
public record GeneratorMachine(
    String name, Optional<Connection> connection, int share, String java) {
  /** Returns the name as a part of file names. */
  String slug() {
    return name.replaceAll("[^A-Za-z0-9.-]", "_");
  }
}
