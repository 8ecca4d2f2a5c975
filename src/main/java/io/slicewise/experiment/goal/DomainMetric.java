package io.slicewise.experiment.goal;

import io.slicewise.host.monitor.DomainShares;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A metric of one domain's vCPU time, as goals, guards and options name it: {@code run share of
 * web}, {@code wait share of db}, {@code wait per request at db}.
 */
public record DomainMetric(Kind kind, String domain) {
  /** Shares below this many percent count as this many: monitors do not resolve them. */
  public static final double LEAST_PERCENT = 0.1;

  /** A domain's name may have spaces inside: libvirt allows them. */
  private static final String NAME = ")\\S+(?: +\\S+)*";

  /** All names as a regular expression without groups. */
  public static final String PATTERN = pattern(List.of(Kind.values()));

  /** What is measured. */
  public enum Kind {
    RUN("run share of ", "%", false),
    WAIT("wait share of ", "%", true),
    BLOCKED("blocked share of ", "%", false),
    /** The part of the mean response time that is spent in the run queue. */
    WAIT_PER_REQUEST("wait per request at ", "ms", true);

    private final String words;
    private final String unit;
    private final boolean lowerIsBetter;

    Kind(String words, String unit, boolean lowerIsBetter) {
      this.words = words;
      this.unit = unit;
      this.lowerIsBetter = lowerIsBetter;
    }

    public String unit() {
      return unit;
    }

    /** Returns whether less of it is better unless a goal says otherwise. */
    public boolean lowerIsBetter() {
      return lowerIsBetter;
    }

    private double share(DomainShares domain) {
      return switch (this) {
        case RUN -> domain.run();
        case WAIT, WAIT_PER_REQUEST -> domain.waiting();
        case BLOCKED -> domain.blocked();
      };
    }
  }

  /** Returns the names of some kinds as a regular expression without groups. */
  public static String pattern(List<Kind> kinds) {
    return kinds.stream().map(kind -> kind.words).collect(Collectors.joining("|", "(?:", NAME));
  }

  /** Returns the metric of that name; empty for those of the load. */
  public static Optional<DomainMetric> of(String metric) {
    return Arrays.stream(Kind.values())
        .filter(kind -> metric.startsWith(kind.words) && metric.length() > kind.words.length())
        .map(kind -> new DomainMetric(kind, metric.substring(kind.words.length())))
        .findFirst();
  }

  /** Returns whether less of any metric is better unless a goal says otherwise. */
  public static boolean lowerIsBetter(String metric) {
    return of(metric).map(one -> one.kind().lowerIsBetter()).orElse(!metric.equals(Aim.THROUGHPUT));
  }

  /**
   * Returns the value in its unit; {@code NaN} if it is not known.
   *
   * @param shares of all domains
   * @param throughput requests per second; {@code NaN} if nothing was loaded
   */
  public double value(List<DomainShares> shares, double throughput) {
    return shares.stream()
        .filter(one -> one.domain().equals(domain))
        .mapToDouble(one -> value(one, throughput))
        .findFirst()
        .orElse(Double.NaN);
  }

  private double value(DomainShares one, double throughput) {
    double percent = Math.max(LEAST_PERCENT, 100 * kind.share(one));
    return kind == Kind.WAIT_PER_REQUEST
        ? percent / 100 * one.vcpus() / throughput * 1000
        : percent;
  }

  /** Returns the name that {@link #of} converts back to this metric. */
  @Override
  public String toString() {
    return kind.words + domain;
  }
}
