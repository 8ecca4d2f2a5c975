package io.slicewise.host.monitor;

import io.slicewise.host.monitor.Host.Leash;
import java.util.List;

/** Hands the words of a leash to the tests of other packages. */
public final class Leashes {
  private Leashes() {}

  public static List<String> around(String directory, List<String> program) {
    return Leash.around(directory, program);
  }
}
