package io.slicewise.workload.counters;

import io.slicewise.base.units.HintedException;
import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.workload.MachineOptions;
import io.slicewise.workload.Workload;
import io.slicewise.workload.WorkloadRequest;
import io.slicewise.workload.WorkloadType;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The site's own users, as the counters of a metrics server with Prometheus's HTTP API show them.
 *
 * @param servers opens a way to the server
 */
public record Prometheus(Supplier<PrometheusServer> servers, List<Growth> growths)
    implements Workload {
  /** The name of the workload. */
  public static final String NAME = "prometheus";

  private static final String SERVER = "server";
  private static final String URL = "url";
  private static final String SECRET_FILE = "secret-file";
  private static final String SECRET_ENVIRONMENT = "secret-env";
  private static final String LOGIN = "login";
  private static final int MOST = 99;

  /** The workload's keys. */
  public static final class Type extends WorkloadType {
    private static final List<Option> OF_A_SERVER =
        Option.join(
            List.of(
                Option.needed(URL, new OptionKind.Url(), "its address, as its machine sees it")
                    .asPlace(),
                Option.optional(LOGIN, new OptionKind.Text(), "the user of basic authentication")
                    .asPlace(),
                Option.optional(
                        SECRET_FILE,
                        new OptionKind.File(),
                        "the file whose first line is the password, or a token without 'login'")
                    .asPlace(),
                Option.optional(
                        SECRET_ENVIRONMENT,
                        new OptionKind.Text(),
                        "the environment variable with it")
                    .asPlace()),
            MachineOptions.options(
                MachineOptions.LOCAL,
                "from where it is asked: local, host, or an address or alias of SSH's"
                    + " configuration, to which a tunnel is opened"));

    public Type() {
      super(
          NAME,
          "The site's own users: adds nothing, and reads from Prometheus what its counters show.",
          "the guests that serve the site");
    }

    @Override
    public boolean live() {
      return true;
    }

    @Override
    public List<Option> options() {
      return List.of(
          Option.needed(SERVER, new OptionKind.Group(OF_A_SERVER), "the metrics server").asPlace(),
          Growth.option(
              SELECTOR,
              "the counter: its name, and labels if it needs them",
              List.of(
                  Option.optional(
                      Growth.PERCENTILE,
                      new OptionKind.Whole(1, MOST),
                      "of a histogram whose ..._bucket the counter is, in the place of 'per'; its"
                          + " buckets must be 10 % wide at most"))));
    }

    @Override
    public List<String> outcomes(Options options) {
      return Growth.names(options);
    }

    @Override
    public Workload make(WorkloadRequest request) {
      Options server =
          request
              .options()
              .group(SERVER)
              .orElseThrow(
                  () -> WorkloadRequest.missing(NAME, "'server': {url: http://127.0.0.1:9090}"));
      URI address =
          URI.create(
              server
                  .text(URL)
                  .orElseThrow(() -> WorkloadRequest.missing(NAME, "'url' of its server")));
      var machine = MachineOptions.connection(server);
      if (machine.isPresent() && !address.getScheme().equals("http")) {
        throw SlicewiseException.input(
            "the metrics server %s is asked through a tunnel, where its name cannot be verified"
                .formatted(address),
            "use its http address, as SSH protects the way, or 'machine: local'");
      }
      List<Growth> growths = Growth.all(NAME, request.options());
      growths.stream()
          .filter(growth -> growth.per().isPresent() && growth.percentile().isPresent())
          .findFirst()
          .ifPresent(
              growth -> {
                throw SlicewiseException.input(
                    "'%s' of measures has both 'per' and 'percentile'".formatted(growth.name()),
                    "a percentile needs the buckets alone");
              });
      Secret secret =
          WorkloadRequest.secret(server, request.environment(), SECRET_FILE, SECRET_ENVIRONMENT)
              .orElse(Secret.NONE);
      String login = server.text(LOGIN).orElse("");
      return new Prometheus(() -> new PrometheusServer(address, machine, login, secret), growths);
    }
  }

  /** The name of a counter, and its labels: what has raw samples. */
  private static final OptionKind SELECTOR =
      new OptionKind.Parsed(
          OptionKind.ordered("type", "string", "pattern", "^[a-zA-Z_:][a-zA-Z0-9_:]*(\\{.*\\})?$"),
          "http_requests_total",
          Prometheus::selector);

  private static final Pattern SELECTED =
      Pattern.compile(
          "[a-zA-Z_:][a-zA-Z0-9_:]*+(\\{\\s*+([a-zA-Z_][a-zA-Z0-9_]*+\\s*+(=~|!~|!=|=)\\s*+"
              + "\"([^\"\\\\]|\\\\.)*+\"\\s*+,?\\s*+)*+\\})?+");

  private static String selector(String text) {
    String selector = text.strip();
    if (selector.matches("(?s).*\\bor\\b.*\\bvector\\b.*")) {
      throw new IllegalArgumentException(
          "has 'or vector(...)', which makes a number where there is no data; name the counter"
              + " alone");
    }
    if (!SELECTED.matcher(selector).matches()) {
      throw new IllegalArgumentException(
          "must be the name of a counter with its labels, such as"
              + " http_requests_total{job=\"site\"}: its growth is computed from raw samples, and"
              + " functions as rate() guess at the ends of a window");
    }
    return selector;
  }

  public Prometheus {
    growths = List.copyOf(growths);
  }

  @Override
  public Optional<Counters> counters() {
    return Optional.of(new Read(servers.get(), growths));
  }

  /** The counters, read once the samples of a window must have arrived. */
  private static final class Read implements Counters {
    private static final Duration LONGEST_OFFSET = Duration.ofMinutes(1);
    private static final Duration MARGIN = Duration.ofSeconds(1);
    private static final Duration LONGEST_LOOK = Duration.ofMinutes(5);
    private static final double USUAL_INTERVAL = 15;
    private static final double LATEST = 1.5;

    private final PrometheusServer server;
    private final List<Growth> growths;
    private double interval = USUAL_INTERVAL;
    private Optional<PrometheusServer.Clock> clock = Optional.empty();
    private Optional<PrometheusServer.Clock> last = Optional.empty();

    /** By its clock, until when samples may have a stamp from before it was set back. */
    private double doubtful = Double.NEGATIVE_INFINITY;

    Read(PrometheusServer server, List<Growth> growths) {
      this.server = server;
      this.growths = growths;
    }

    /** Asks for the clock, and notes whether it was set since it was asked for last. */
    private PrometheusServer.Clock askClock() {
      PrometheusServer.Clock now = server.clock();
      last.filter(now::isStepFrom)
          .ifPresent(before -> doubtful = Math.max(doubtful, before.theirs(Instant.now())));
      last = Optional.of(now);
      return now;
    }

    private List<String> selectors() {
      return growths.stream().flatMap(Growth::counters).distinct().toList();
    }

    @Override
    public Optional<String> complaint() {
      try {
        PrometheusServer.Clock now = askClock();
        Map<String, Samples> all = new LinkedHashMap<>();
        for (String selector : selectors()) {
          Samples samples =
              server.samples(selector, now.theirs(Instant.now()), Window.seconds(LONGEST_LOOK));
          if (samples.all().isEmpty()) {
            return Optional.of(
                "%s has no sample in the last 5 minutes: no data is no 0".formatted(selector));
          }
          all.put(selector, samples);
        }
        learn(all);
        return tooFar(now)
            .or(
                () ->
                    growths.stream()
                        .filter(growth -> growth.percentile().isPresent())
                        .flatMap(growth -> all.get(growth.counter()).tooCoarse().stream())
                        .findFirst());
      } catch (HintedException fault) {
        return Optional.of(fault.getMessage());
      }
    }

    private void learn(Map<String, Samples> all) {
      all.values().stream()
          .mapToDouble(Samples::interval)
          .filter(Double::isFinite)
          .max()
          .ifPresent(longest -> interval = longest);
    }

    private static Optional<String> tooFar(PrometheusServer.Clock clock) {
      return clock.ahead().abs().compareTo(LONGEST_OFFSET) > 0
          ? Optional.of(
              Phrase.of(
                  "the clock of the metrics server is %+.0f s from this machine's, which is more"
                      + " than a minute",
                  Window.seconds(clock.ahead())))
          : Optional.empty();
    }

    @Override
    public void begin() {
      clock = Optional.empty();
      try {
        clock = Optional.of(askClock());
      } catch (HintedException unanswered) {
        // The window is void if the server does not answer at its end, too.
        clock = Optional.empty();
      }
    }

    @Override
    public Reading end() {
      Optional<PrometheusServer.Clock> before = clock;
      Instant known = Instant.now().plus(lateness());
      return new Reading() {
        @Override
        public boolean isKnown() {
          return !Instant.now().isBefore(known);
        }

        @Override
        public Growths in(Window window) {
          await(known);
          return read(window, before);
        }
      };
    }

    @Override
    public Growths look(Duration length) {
      Instant end = Instant.now().minus(lateness());
      return read(new Window(end.minus(length), end), Optional.empty());
    }

    /** Returns after what time a sample of a window has arrived. */
    private Duration lateness() {
      return MARGIN.plusMillis(Math.round(1e3 * LATEST * interval));
    }

    private static void await(Instant until) {
      try {
        TimeUnit.MILLISECONDS.sleep(Math.max(0, Duration.between(Instant.now(), until).toMillis()));
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }

    private Growths read(Window window, Optional<PrometheusServer.Clock> before) {
      List<String> faults = new ArrayList<>();
      try {
        PrometheusServer.Clock now = askClock();
        tooFar(now).ifPresent(faults::add);
        double start = now.theirs(window.start());
        if (before.filter(now::isStepFrom).isPresent() || start < doubtful) {
          faults.add("a clock was set: the metrics server's against this machine's");
        }
        double end = now.theirs(window.end());
        double look = end - start + Math.min(Window.seconds(LONGEST_LOOK), LOOKS * interval);
        Map<String, Samples> all = new LinkedHashMap<>();
        selectors().forEach(one -> all.put(one, server.samples(one, end, look)));
        learn(all);
        List<Measure> measures =
            growths.stream()
                .map(growth -> growth.measure(value(growth, all, start, end, faults)))
                .toList();
        StringBuilder raw = new StringBuilder();
        all.values().forEach(samples -> raw.append(samples.lines(start, end)));
        return new Growths(measures, faults, raw.toString());
      } catch (HintedException fault) {
        faults.add(fault.getMessage());
        return new Growths(
            growths.stream().map(growth -> growth.measure(Double.NaN)).toList(), faults, "");
      }
    }

    /** Samples before a window from which the interval is learned. */
    private static final double LOOKS = 12;

    private static double value(
        Growth growth, Map<String, Samples> all, double start, double end, List<String> faults) {
      Samples samples = all.get(growth.counter());
      if (growth.percentile().isPresent()) {
        return samples.percentile(growth.percentile().getAsInt(), start, end, faults);
      }
      if (growth.per().isEmpty()) {
        return samples.perSecond(start, end, faults);
      }
      double grown = samples.total(start, end, faults);
      String per = growth.per().get();
      return Growth.quotient(grown, all.get(per).total(start, end, faults), per, faults);
    }

    @Override
    public void close() {
      server.close();
    }
  }
}
