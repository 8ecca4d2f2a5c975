package io.slicewise.host.monitor;

import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RunningCommand;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Measures CPU use with xentop if nothing else is available: wait and blocked are not measured. One
 * iteration per second, or fewer if the output would become too large; iteration n ends n delays
 * after the start, to a fraction of a second.
 */
record XentopMonitor(Host host, HostDescription description, Clock clock, List<String> remarks)
    implements Monitor {
  private static final Duration SLACK = Duration.ofSeconds(15);
  private static final int NAME_LENGTH = 10;

  /** A shell keeps up to 16 MiB of a command's output; a row has about 170 bytes. */
  private static final long MOST_OUTPUT = 8L << 20;

  private static final long BYTES_PER_ROW = 200;

  XentopMonitor {
    remarks = List.copyOf(remarks);
  }

  @Override
  public String name() {
    return "xentop";
  }

  @Override
  public Duration leadTime() {
    return Duration.ofSeconds(1);
  }

  @Override
  public Watch start(Duration length, List<Domain> domains, Path directory) {
    return new XentopWatch(this, length, List.copyOf(domains), directory);
  }

  /** One run of xentop, which leaves nothing on the host. */
  private static final class XentopWatch implements Watch {
    private final XentopMonitor monitor;
    private final List<Domain> domains;
    private final Path directory;
    private final Instant start;
    private final Instant deadline;
    private final long delay;
    private final RunningCommand running;

    XentopWatch(XentopMonitor monitor, Duration length, List<Domain> domains, Path directory) {
      long seconds = length.plusMillis(999).toSeconds();
      this.delay = 1 + seconds * (domains.size() + 1) * BYTES_PER_ROW / MOST_OUTPUT;
      long iterations = Math.max(2, (seconds + delay - 1) / delay + 1);
      List<String> words = new ArrayList<>(List.of("xentop", "-b"));
      if (monitor.description.version().atLeast(4, 0)) {
        words.add("-f");
      }
      words.addAll(List.of("-d", String.valueOf(delay), "-i", String.valueOf(iterations)));
      this.monitor = monitor;
      this.domains = domains;
      this.directory = directory;
      this.start = monitor.clock.instant();
      this.deadline = start.plusSeconds(iterations * delay * 21 / 20).plus(SLACK);
      this.running = monitor.host.start(Duration.between(start, deadline).multipliedBy(2), words);
    }

    @Override
    public MonitorResult result(Window window) {
      Duration left = Duration.between(monitor.clock.instant(), deadline);
      Optional<CommandResult> end = left.isNegative() ? running.poll() : running.await(left);
      close();
      List<String> warnings = new ArrayList<>();
      warnings.add("xentop shows CPU use only: wait and blocked are not measured");
      if (end.isEmpty()) {
        warnings.add("xentop did not end in time: nothing was measured");
      } else if (!end.get().succeeded()) {
        warnings.add("xentop failed with status " + end.get().exitStatus() + Host.said(end.get()));
      }
      String text = end.map(CommandResult::standardOutput).orElse("");
      LogLines.write(directory.resolve("xentop.txt.gz"), text);
      return result(XentopBatch.of(text), window, warnings);
    }

    private MonitorResult result(XentopBatch batch, Window window, List<String> warnings) {
      warnings.addAll(batch.damage().sentences("xentop's output"));
      int[] inside =
          IntStream.range(1, batch.iterations().size())
              .filter(i -> window.contains(middle(i)))
              .toArray();
      List<MonitorResult.Second> series = new ArrayList<>();
      List<DomainShares> shares = new ArrayList<>();
      for (Domain domain : domains) {
        for (int i : inside) {
          use(batch.iterations().get(i), domain)
              .ifPresent(
                  run ->
                      series.add(
                          new MonitorResult.Second(
                              second(window, i), domain.name(), run, Double.NaN)));
        }
        shares.add(shares(domain, series));
      }
      warnings.addAll(Accounting.overCommitted(shares, monitor.description.pcpus()));
      return new MonitorResult("xentop", covered(inside, window), shares, series, warnings);
    }

    private static DomainShares shares(Domain domain, List<MonitorResult.Second> series) {
      OptionalDouble run =
          series.stream()
              .filter(second -> second.domain().equals(domain.name()))
              .mapToDouble(MonitorResult.Second::run)
              .average();
      return run.isPresent()
          ? Accounting.shares(
              domain, run.getAsDouble(), Double.NaN, List.of("xentop shows CPU use only"))
          : Accounting.unknown(domain, "not in xentop's output");
    }

    private int second(Window window, int iteration) {
      return (int) Duration.between(window.start(), middle(iteration)).toSeconds();
    }

    private Instant middle(int iteration) {
      return start.plusMillis(1000 * delay * iteration - 500 * delay);
    }

    /** Share of the domain's vCPUs; by its full name, else by the name as xentop cuts it. */
    private static OptionalDouble use(Map<String, Double> iteration, Domain domain) {
      String cut = domain.name().substring(0, Math.min(NAME_LENGTH, domain.name().length()));
      Double percent = iteration.getOrDefault(domain.name(), iteration.get(cut.strip()));
      return percent == null || domain.vcpus() < 1
          ? OptionalDouble.empty()
          : OptionalDouble.of(percent / 100 / domain.vcpus());
    }

    private Window covered(int[] inside, Window window) {
      if (inside.length == 0) {
        return new Window(window.start(), window.start());
      }
      Instant from = start.plusSeconds(delay * (inside[0] - 1));
      Instant to = start.plusSeconds(delay * inside[inside.length - 1]);
      return Accounting.covered(from, to, window);
    }

    @Override
    public void close() {
      running.close();
    }
  }
}
