package io.slicewise.lab;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Measures how late the machine runs under the study's loads; prints, asserts nothing. */
@Tag("bench")
class LabLatenessBench {
  @Test
  void keepsStepUnderTheStudysLoads() throws Exception {
    long start = System.nanoTime();
    try (Lab lab = Lab.start(LabOptions.defaults())) {
      System.out.printf("started in %.1f s%n", (System.nanoTime() - start) / 1e9);
      WebUsers users = new WebUsers(lab.target().orElseThrow());
      users.run(25, Duration.ofSeconds(3));
      for (int load : new int[] {1, 25, 100, 800}) {
        lab.lateness().reset();
        long served = users.run(load, Duration.ofSeconds(6));
        System.out.printf(
            "%d users: %.1f pages/s, %d failed; %s%n",
            load, served / 6.0, users.failures(), lab.lateness().summary());
      }
    }
  }
}
