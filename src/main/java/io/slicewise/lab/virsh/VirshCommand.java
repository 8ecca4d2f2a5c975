package io.slicewise.lab.virsh;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** One command of virsh. */
record VirshCommand(String name, List<VshOption> options, Body body) {

  /** The action of a command. Failures are exceptions. */
  @FunctionalInterface
  interface Body {
    void run(VirshSession session, VshArguments arguments) throws IOException, InterruptedException;
  }

  static VirshCommand of(String name, Body body, VshOption... options) {
    return new VirshCommand(name, List.of(options), body);
  }

  /** Returns a command on the running guest, its configuration or both, as its last options say. */
  static VirshCommand withImpact(String name, Body body, VshOption... options) {
    return of(
        name,
        body,
        Stream.concat(Stream.of(options), Impact.OPTIONS.stream()).toArray(VshOption[]::new));
  }
}
