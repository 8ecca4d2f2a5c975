package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.host.groups.RealGroups;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Protects hosts of every kind of study: whatever is killed with SIGKILL, a restore and a resume
 * included, and whatever another administrator does meanwhile, the host is restored but for what is
 * someone else's, no finished trial is lost or counted twice, and no lock, switch or process stays.
 */
@KeepsTheMachineBusy
@Tag("thorough")
@ResourceLock("/var/run/slicewise.lock")
@ResourceLock(RealGroups.LOCK)
class KilledStudiesTest extends KilledStudies {
  private static final long SEED = 7;

  @ParameterizedTest
  @CsvSource({
    "FACTORS, RESUME, NOBODY",
    "PAIRS, KILLED_RESTORE, NOBODY",
    "TRAFFIC_SESSION, TWO_AT_ONCE, NOBODY",
    "FOLLOW, RESTORE, SETS_A_VALUE",
    "APPLY, KILLED_RESTORE, MAKES_THE_GROUP_ANEW",
    "SESSION, KILLED_RESUME, MOVES_A_PROCESS",
  })
  void nothingIsLeft(Kind kind, Restorer by, Meddler meddler) throws Exception {
    killed(kind, by, meddler, SEED);
  }

  /** Draws kinds, moments, restorers and meddlers, and goes on after what it finds. */
  @Test
  @Tag("nightly")
  void nothingIsLeftOfAnyKindWheneverItIsKilled() throws Exception {
    long seed = Long.getLong("slicewise.kills.seed", System.nanoTime());
    List<Kind> kinds =
        Boolean.getBoolean("slicewise.kills.loaded")
            ? List.of(Kind.TILES, Kind.CONSOLIDATION)
            : List.of(Kind.values());
    SplittableRandom random = new SplittableRandom(seed);
    List<String> faults = new ArrayList<>();
    for (int turn = 0; turn < Integer.getInteger("slicewise.kills", 40); turn++) {
      Kind kind = one(kinds, random);
      Restorer by = one(List.of(Restorer.values()), random);
      Meddler meddler =
          random.nextInt(2) == 0 ? Meddler.NOBODY : one(List.of(Meddler.values()), random);
      try {
        System.out.println("KILL " + killed(kind, by, meddler, random.nextLong()));
      } catch (AssertionError | RuntimeException fault) {
        String what = "%s %s %s: %s".formatted(kind, by, meddler, fault.getMessage());
        System.out.println("FAULT " + what);
        faults.add(what);
        recover();
      }
      System.out.println("KILLS " + kills());
    }
    assertThat(faults).as("seed %d, %d kills", seed, kills()).isEmpty();
  }

  private static <T> T one(List<T> of, SplittableRandom random) {
    return of.get(random.nextInt(of.size()));
  }
}
