package io.slicewise.sweep.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.Window;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Observation.Topic;
import io.slicewise.observe.Observer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects: observers begin with their own lead, are reported in order, and are all closed. */
class WatchesTest {
  private static final Instant NOW = Instant.parse("2026-11-20T21:00:00Z");
  private static final Window WINDOW = new Window(NOW.plusSeconds(20), NOW.plusSeconds(80));

  @TempDir private Path directory;
  private final List<String> events = new ArrayList<>();

  /** An observer that writes down what is asked of it. */
  private record Noting(String source, Duration leadTime, boolean fails, List<String> events)
      implements Observer {
    @Override
    public Watch begin(Duration length, Path logs) {
      events.add("%s begins %s in %s".formatted(source, length, Files.isDirectory(logs)));
      return new Watch() {
        @Override
        public void end() {
          events.add(source + " ends");
        }

        @Override
        public List<Observation> finish(Window window) {
          return List.of(
              new Observation(
                  new Topic(source, source, ""), source, window, List.of(), List.of(), List.of()));
        }

        @Override
        public void close() {
          events.add(source + " closes");
          if (fails) {
            throw new IllegalStateException(source + " does not close");
          }
        }
      };
    }
  }

  private Watches watches(boolean fails) {
    return new Watches(
        List.of(
            new Noting("kernel", Duration.ZERO, fails, events),
            new Noting("late", Duration.ofSeconds(1), fails, events),
            new Noting("early", Duration.ofSeconds(5), false, events)),
        directory,
        Clock.fixed(NOW, ZoneOffset.UTC));
  }

  @Test
  void eachBeginsWithItsOwnLeadAndTheyAreReportedAsListed() {
    Watches watches = watches(false);
    watches.beginAhead(WINDOW, moment -> events.add("waits " + Duration.between(NOW, moment)));
    watches.begin(WINDOW.end());
    watches.end();

    assertThat(events)
        .containsExactly(
            "waits PT15S",
            "early begins PT1M20S in true",
            "waits PT19S",
            "late begins PT1M20S in true",
            "kernel begins PT1M20S in true",
            "kernel ends",
            "late ends",
            "early ends");
    assertThat(watches.finish(WINDOW))
        .extracting(Observation::source)
        .containsExactly("kernel", "late", "early");
  }

  @Test
  void everyWatchIsClosedWhateverAnotherOneDoes() {
    Watches watches = watches(true);
    watches.beginAhead(WINDOW, moment -> {});
    watches.begin(WINDOW.end());
    events.clear();

    assertThatThrownBy(watches::close)
        .hasMessage("kernel does not close")
        .satisfies(fault -> assertThat(fault.getSuppressed()).hasSize(1));
    assertThat(events).containsExactly("kernel closes", "late closes", "early closes");
  }
}
