package io.slicewise.workload;

import io.slicewise.base.units.HintedException;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.load.access.AccessLog;
import io.slicewise.load.access.LineFormats;
import io.slicewise.load.access.Selection;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.Shells;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The site's own users as the load: nothing is added, and what they experienced is read from the
 * access log of its server.
 *
 * @param machine on which the log is; empty for this machine
 * @param least the number of requests without which a window does not count
 */
public record Traffic(
    Optional<Connection> machine, String path, LineFormats formats, Selection selection, long least)
    implements Workload {
  public static final String NAME = "traffic";
  public static final String GEOMETRIC_MEAN = "geometric-mean";
  public static final String ABORTS = "aborts";
  public static final String UPSTREAM_MEAN = "upstream-mean";
  public static final String UPSTREAM_P95 = "upstream-p95";
  public static final String STRAGGLERS = "stragglers";
  public static final String UNFINISHED_BEFORE = "unfinished-before";
  public static final String LEFT_OUT = "left-out";
  public static final String NOT_UNDERSTOOD = "not-understood";
  public static final String LATENESS = "lateness";
  public static final String CLOCK_AHEAD = "clock-ahead";
  public static final String CLOCK_BOUND = "clock-bound";

  private static final String LOG = "log";
  private static final String LARGEST = "largest-answer";
  public static final String AT_LEAST = "at-least";
  private static final long USUAL_LEAST = 20;
  private static final long MOST = 1_000_000_000_000L;

  static final class Type extends WorkloadType {
    private static final List<Option> OF_A_LOG =
        Option.join(
            List.of(
                Option.needed("path", new OptionKind.Text(), "the file, on its machine").asPlace(),
                Option.needed(
                    "format", new OptionKind.Word(LineFormats.NAMES), "the format of its lines"),
                Option.optional(
                    "line",
                    new OptionKind.Text(),
                    "nginx's log_format or Apache's LogFormat, if it is not the one that 'init traffic'"
                        + " prints; of a pattern, the regular expression with named groups"),
                Option.optional(
                    "fields",
                    new OptionKind.Named(new OptionKind.Text()),
                    "of json, the name of each field: start or end, duration, upstream, status, method,"
                        + " host, path, bytes"),
                Option.optional(
                    "unit",
                    new OptionKind.Word(LineFormats.UNITS),
                    "of durations in json and patterns; of caddy, if they are no seconds")),
            MachineOptions.options(
                MachineOptions.HOST,
                "where it is: host, local, or an address or alias of SSH's configuration"));

    private static final OptionKind CHOICE =
        new OptionKind.Group(
            Selection.FIELDS.stream()
                .map(
                    field ->
                        Option.optional(
                            field,
                            new OptionKind.Many(new OptionKind.Text(), 1, 100),
                            "of which one must match; * stands for any text"))
                .toList());

    Type() {
      super(
          NAME,
          "The site's own users: adds nothing, and reads from an access log what they experience.",
          "the guests that serve the site");
    }

    @Override
    public boolean live() {
      return true;
    }

    @Override
    public boolean hasRequests() {
      return true;
    }

    @Override
    public List<Option> options() {
      return List.of(
          Option.needed(LOG, new OptionKind.Group(OF_A_LOG), "the access log that is followed")
              .asPlace(),
          Option.optional("only", CHOICE, "the requests that count; default: all"),
          Option.withDefault(
              "except",
              CHOICE,
              Selection.LASTING,
              "requests that do not count; default: connections that stay open"),
          Option.withDefault(
              LARGEST,
              new OptionKind.Whole(1, MOST),
              Selection.DOWNLOAD,
              "bytes of an answer above which it is a download, which does not count"),
          Option.optional(
              "labels",
              new OptionKind.Named(new OptionKind.Text("/page/*")),
              "patterns of paths, by the label of their requests"),
          Option.withDefault(
              AT_LEAST,
              new OptionKind.Whole(1, MOST),
              USUAL_LEAST,
              "requests without which a window does not count"));
    }

    @Override
    public List<String> outcomes(Options options) {
      return List.of(GEOMETRIC_MEAN, ABORTS, UPSTREAM_MEAN, UPSTREAM_P95);
    }

    @Override
    public Workload make(WorkloadRequest request) {
      Options options = request.options();
      Options log =
          options
              .group(LOG)
              .orElseThrow(
                  () -> WorkloadRequest.missing(NAME, "log: the access log that is followed"));
      LineFormats formats =
          new LineFormats(
              log.text("format").orElseThrow(),
              log.text("line"),
              texts(log.group("fields")),
              log.text("unit"));
      try {
        formats.at(ZoneOffset.UTC);
      } catch (IllegalArgumentException unusable) {
        throw SlicewiseException.input(
            "the log's format %s %s".formatted(formats.name(), unusable.getMessage()),
            "fix 'log' in the experiment's workload",
            unusable);
      }
      return new Traffic(
          MachineOptions.connection(log),
          log.text("path").orElseThrow(),
          formats,
          new Selection(
              choice(options, "only"),
              choice(options, "except"),
              options.whole(LARGEST),
              texts(options.group("labels"))),
          options.whole(AT_LEAST));
    }

    private static Map<String, String> texts(Optional<Options> group) {
      Map<String, String> texts = new LinkedHashMap<>();
      group.ifPresent(all -> all.values().forEach((key, value) -> texts.put(key, (String) value)));
      return texts;
    }

    private static Map<String, List<String>> choice(Options options, String name) {
      Map<String, List<String>> choice = new LinkedHashMap<>();
      options
          .group(name)
          .ifPresent(
              group ->
                  group
                      .values()
                      .keySet()
                      .forEach(field -> choice.put(field, group.many(field, String.class))));
      return choice;
    }
  }

  /** Begins to follow the log. */
  public AccessLog follow() {
    Supplier<RemoteShell> shells = () -> machine.map(Shells::open).orElseGet(Shells::local);
    return AccessLog.follow(shells, path, formats, selection);
  }

  @Override
  public Optional<Traffic> traffic() {
    return Optional.of(this);
  }

  @Override
  public Optional<String> complaint() {
    try (AccessLog log = follow()) {
      log.awaitBegun();
      return Optional.empty();
    } catch (HintedException fault) {
      return Optional.of(fault.getMessage());
    }
  }
}
