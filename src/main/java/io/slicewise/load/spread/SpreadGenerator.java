package io.slicewise.load.spread;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.load.generator.GeneratorOutput.ClockOffset;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.load.generator.LoadGenerator.PreparedLoad;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.load.generator.child.Wire;
import io.slicewise.load.spread.GeneratorPart.UserShare;
import io.slicewise.load.spread.SplitPlan.Shares;
import io.slicewise.load.spread.SplitPlan.SplitRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.stream.IntStream;
import org.apache.commons.io.FileUtils;

/** A load from several machines. Logins are kept until it is closed. */
public final class SpreadGenerator implements LoadGenerator {
  /** Each costs this machine about a tenth of a second of CPU time. */
  private static final int LOGINS = 8;

  private final List<GeneratorHost> hosts;
  private final SplitRules rules;
  private final SilenceLimits limits;
  private final ExecutorService workers;
  private Optional<Bundle> bundle = Optional.empty();
  private Optional<Path> scratch = Optional.empty();

  /**
   * @param machines in the order in which they get the users
   */
  public SpreadGenerator(List<GeneratorMachine> machines, SplitRules rules) {
    this(machines, rules, SilenceLimits.STANDARD);
  }

  SpreadGenerator(List<GeneratorMachine> machines, SplitRules rules, SilenceLimits limits) {
    this.limits = limits;
    this.rules = rules.among(machines.size());
    hosts =
        machines.stream()
            .map(machine -> new GeneratorHost(machine, this::bundle, limits.answer()))
            .toList();
    workers = Awaited.workers(Math.min(LOGINS, machines.size()));
  }

  /** Returns the first of the machines. */
  GeneratorHost first() {
    return hosts.get(0);
  }

  /**
   * Reads what the machines offer, several at a time; nothing is created there.
   *
   * @return for each of the machines, what it offers, or why it cannot be read
   */
  public List<Looked> look() {
    return Awaited.all(LOGINS, hosts, Looked::at);
  }

  private synchronized Bundle bundle() {
    if (bundle.isEmpty()) {
      try {
        scratch = Optional.of(Files.createTempDirectory("slicewise-bundle"));
        bundle = Optional.of(Bundle.ofThisProgram(scratch.get()));
      } catch (IOException fault) {
        throw new SlicewiseException(
            ErrorKind.NOT_READY,
            "the program for the generators cannot be packed: " + FileFault.reason(fault),
            "check that the directory for temporary files has room",
            fault);
      }
    }
    return bundle.get();
  }

  @Override
  public PreparedLoad prepare(LoadRequest request) {
    List<GeneratorPart> parts = parts(request);
    List<Integer> shares = parts.stream().map(part -> part.share().users()).toList();
    CompletableFuture<PlanParts> plan =
        CompletableFuture.supplyAsync(
            () -> SplitPlan.parts(request.plan(), request.properties(), rules), workers);
    CompletableFuture<?>[] starting =
        parts.stream()
            .map(part -> plan.thenAcceptAsync(files -> part.start(files, shares), workers))
            .toArray(CompletableFuture<?>[]::new);
    return new PreparedSpread(
        request, parts, CompletableFuture.allOf(starting), limits, rules.samplesStay());
  }

  /** Splits the users; machines without a user are left out. */
  private List<GeneratorPart> parts(LoadRequest request) {
    List<Integer> users =
        Shares.split(request.users(), hosts.stream().map(host -> host.machine().share()).toList());
    int active = (int) users.stream().filter(number -> number > 0).count();
    List<GeneratorPart> parts = new ArrayList<>();
    int first = 0;
    for (int place : IntStream.range(0, hosts.size()).toArray()) {
      int its = users.get(place);
      if (its > 0) {
        parts.add(
            new GeneratorPart(
                hosts.get(place), request, new UserShare(parts.size(), active, first, its)));
        first += its;
      }
    }
    return List.copyOf(parts);
  }

  @Override
  public void close() {
    workers.shutdownNow();
    hosts.forEach(GeneratorHost::close);
    synchronized (this) {
      scratch.ifPresent(SpreadGenerator::delete);
    }
  }

  private static void delete(Path directory) {
    try {
      FileUtils.deleteDirectory(directory.toFile());
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

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

  /**
   * How long a generator and its harness wait for each other.
   *
   * @param generator may be silent for that long before it is lost; it reports once a second
   */
  record SilenceLimits(Duration generator) {
    static final SilenceLimits STANDARD = new SilenceLimits(Duration.ofSeconds(5));

    /** The time for a machine to end a process, after which it counts as unreachable. */
    Duration answer() {
      return generator.multipliedBy(2);
    }

    /** The silence after which a generator ends itself because its harness is lost. */
    Duration harnessSilence() {
      return generator.multipliedBy(3);
    }
  }

  /**
   * A generator's machine as it was found.
   *
   * @param facts empty if it cannot be read
   * @param fault why it cannot be read, and what to do about it; empty if it can
   */
  public record Looked(String name, Optional<MachineFacts> facts, String fault, String wayOut) {
    static Looked at(GeneratorHost host) {
      try {
        return new Looked(host.machine().name(), Optional.of(host.facts()), "", "");
      } catch (SlicewiseException fault) {
        return new Looked(
            host.machine().name(), Optional.empty(), fault.getMessage(), fault.hint());
      }
    }
  }
}
