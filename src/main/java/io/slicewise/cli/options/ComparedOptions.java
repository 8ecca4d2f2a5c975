package io.slicewise.cli.options;

import io.slicewise.evidence.analysis.Metric;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What is compared, and where the baselines are. */
public final class ComparedOptions {
  @Option(
      names = "--baselines",
      paramLabel = "DIR",
      defaultValue = "${sys:slicewise.baselines:-baselines}",
      description = "Directory of named baselines (default: ${DEFAULT-VALUE}).")
  private Path baselines;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description =
          "Compare only this profile; may be repeated. Only these profiles affect the exit code.")
  private List<String> profiles = List.of();

  @Option(
      names = "--metric",
      paramLabel = "METRIC",
      converter = MetricText.class,
      description =
          "Primary metric: throughput, mean, p50, p95, p99, or one of a domain such as 'wait share"
              + " of web' (default: the metric of the experiment's goal, else p95, or mean if p95"
              + " is unknown).")
  private Optional<Metric> metric = Optional.empty();

  public Path baselines() {
    return baselines;
  }

  public List<String> profiles() {
    return profiles;
  }

  public Optional<Metric> metric() {
    return metric;
  }

  /** A metric by its name. */
  public static final class MetricText implements ITypeConverter<Metric> {
    @Override
    public Metric convert(String text) {
      try {
        return Metric.of(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'" + text + "' " + e.getMessage());
      }
    }
  }
}
