package io.slicewise.load.spread;

import io.slicewise.load.generator.ClockOffset;
import io.slicewise.load.generator.LoadGenerator.PreparedLoad;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.load.generator.child.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Generators that are starting or ready.
 *
 * @param started when all of them were started
 */
record PreparedSpread(
    LoadRequest request,
    List<GeneratorPart> parts,
    CompletableFuture<Void> started,
    SilenceLimits limits,
    boolean samplesStay)
    implements PreparedLoad {
  private static final Duration READY_LIMIT = Duration.ofSeconds(90);

  /** How far ahead the common start is, besides the longest round trip. */
  private static final Duration LEAD = Duration.ofMillis(500);

  @Override
  public RunningLoad begin() {
    try {
      started.join();
    } catch (CompletionException fault) {
      throw fault.getCause() instanceof RuntimeException cause ? cause : fault;
    }
    parts.forEach(part -> Awaited.result(part.name(), part.process().ready(), READY_LIMIT));
    Duration longestTrip =
        Awaited.all(parts, GeneratorPart::measureClock).stream()
            .map(ClockOffset::bound)
            .map(bound -> bound.multipliedBy(2))
            .max(Duration::compareTo)
            .orElse(Duration.ZERO);
    Instant start = Instant.now().plus(LEAD).plus(longestTrip);
    for (GeneratorPart part : parts) {
      part.at(Wire.GO, start.plus(part.share().later(request)));
      part.process().killAfter(request.longest().plus(Awaited.STOP_LIMIT).plus(LEAD));
    }
    RunningLoad load = new SpreadLoad(request, parts, limits, samplesStay);
    GeneratorPart first = parts.get(0);
    Awaited.result(first.name(), first.process().started(), READY_LIMIT);
    return load;
  }

  @Override
  public void close() {
    GeneratorPart.close(parts);
  }
}
