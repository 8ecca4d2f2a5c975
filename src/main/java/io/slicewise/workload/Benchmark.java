package io.slicewise.workload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.base.units.Measure;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.ssh.Shells;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A command that loads the guests in every window and prints numbers: any benchmark.
 *
 * @param words of the command, which may contain {@code {seconds}} and {@code {target}}
 * @param guest on which it runs; empty for this machine
 * @param printed the numbers that it prints
 */
public record Benchmark(
    List<String> words, Optional<Connection> guest, Optional<URI> target, List<Printed> printed)
    implements Workload {
  static final String NAME = "command";
  private static final String COMMAND = "command";
  private static final String MEASURES = "measures";
  private static final String SECONDS = "{seconds}";
  private static final String TARGET = "{target}";
  private static final String MORE = "more";

  /** By which the command has to end before the window does, so that it ends inside. */
  private static final Duration MARGIN = Duration.ofSeconds(1);

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MOST_WORDS = 100;

  /**
   * A number that the command prints.
   *
   * @param find where it is in the output: a pattern whose first group is the number; empty if the
   *     last line is a JSON object with a field of that name, or the number alone
   */
  public record Printed(String name, String unit, boolean moreIsBetter, Optional<Pattern> find) {
    /** Returns the number in an output; {@code NaN} if it is not there. */
    public Measure in(String output) {
      return new Measure(name, unit, moreIsBetter, number(output).value());
    }

    /** Returns what the number was taken as, or why it is none, as a clause; empty if neither. */
    public String note(String output) {
      return number(output).note();
    }

    private PrintedNumber number(String output) {
      if (find.isPresent()) {
        Matcher found = find.get().matcher(output);
        PrintedNumber last = PrintedNumber.NONE;
        while (found.find()) {
          last = PrintedNumber.of(find.get(), found, output, unit);
        }
        return last;
      }
      String last = output.lines().filter(line -> !line.isBlank()).reduce("", (a, b) -> b);
      try {
        JsonNode json = Json.mapper().readTree(last);
        JsonNode value = json.isObject() ? json.path(name) : json;
        return value.isNumber() ? PrintedNumber.ofJson(value.asDouble(), unit) : PrintedNumber.NONE;
      } catch (JsonProcessingException noJson) {
        return PrintedNumber.NONE;
      }
    }
  }

  static final class Type extends WorkloadType {
    private static final List<Option> OF_A_NUMBER =
        List.of(
            Option.optional("unit", new OptionKind.Text(), "printed after it"),
            Option.withDefault(
                "better", new OptionKind.Word(List.of(MORE, "less")), MORE, "which way is better"),
            Option.optional(
                "find",
                EXPRESSION,
                "a regular expression whose first group is the number; default: the last line is a"
                    + " JSON object with that field, or the number alone"));

    Type() {
      super(
          NAME,
          "Any benchmark: a command that runs in every window and prints numbers.",
          "the guests that the command loads");
    }

    @Override
    public boolean loads() {
      return false;
    }

    @Override
    public Need target() {
      return Need.MAY;
    }

    @Override
    public List<Option> options() {
      return Option.join(
          List.of(
              Option.needed(
                  COMMAND,
                  new OptionKind.Many(new OptionKind.Text(), 1, MOST_WORDS),
                  "the program and its arguments, without a shell; {seconds} is the time that"
                      + " it may take, {target} the target"),
              Option.needed(
                  MEASURES,
                  new OptionKind.Named(new OptionKind.Group(OF_A_NUMBER)),
                  "the numbers that it prints, by name; a goal names one as 'outcome NAME'")),
          MachineOptions.ofGuest(
              Option.optional(
                  MachineOptions.GUEST,
                  new OptionKind.Text(),
                  "the guest on which it runs; default: this machine")));
    }

    @Override
    public List<String> outcomes(Options options) {
      return List.copyOf(measures(options).keySet());
    }

    private static Map<String, Object> measures(Options options) {
      return options.group(MEASURES).map(Options::values).orElse(Map.of());
    }

    @Override
    public Workload make(WorkloadRequest request) {
      List<String> words = command(request.options()).orElse(List.of());
      List<Printed> printed = new ArrayList<>();
      Options all = new Options(measures(request.options()));
      all.values().keySet().forEach(name -> printed.add(printed(name, all.group(name).get())));
      if (words.isEmpty() || printed.isEmpty()) {
        throw WorkloadRequest.missing(NAME, "'command' and 'measures'");
      }
      if (request.target().isEmpty() && words.stream().anyMatch(word -> word.contains(TARGET))) {
        throw WorkloadRequest.missing(NAME, "target: its command contains {target}");
      }
      return new Benchmark(
          words, MachineOptions.guest(request.options()), request.target(), printed);
    }

    private static Printed printed(String name, Options number) {
      return new Printed(
          name,
          number.text("unit").orElse(""),
          number.text("better").filter(MORE::equals).isPresent(),
          number.text("find").map(Pattern::compile));
    }
  }

  private static final OptionKind EXPRESSION =
      new OptionKind.Parsed(
          OptionKind.ordered("type", "string", "format", "regex"),
          "'total: ([0-9.]+)'",
          Benchmark::expression);

  private static String expression(String text) {
    try {
      return Pattern.compile(text).pattern();
    } catch (PatternSyntaxException fault) {
      throw new IllegalArgumentException(
          "is not a regular expression: " + fault.getDescription(), fault);
    }
  }

  public Benchmark {
    words = List.copyOf(words);
    printed = List.copyOf(printed);
  }

  /** Returns the words of the command that a workload's options name; empty if they name none. */
  public static Optional<List<String>> command(Options options) {
    return Optional.of(options.many(COMMAND, String.class)).filter(words -> !words.isEmpty());
  }

  /**
   * Returns the command for a window of that length, in the locale C. On a guest, it ends itself
   * after it.
   */
  public Command command(Duration window) {
    long seconds = Math.max(1, window.minus(MARGIN).toSeconds());
    List<String> filled = new ArrayList<>(List.of("env", "LC_ALL=C"));
    if (guest.isPresent()) {
      filled.addAll(List.of("timeout", Long.toString(window.toSeconds())));
    }
    for (String word : words) {
      filled.add(
          word.replace(SECONDS, Long.toString(seconds))
              .replace(TARGET, target.map(URI::toString).orElse("")));
    }
    return new Command(filled, window, Command.Effect.CHANGES);
  }

  /** Opens a shell on the machine on which it runs. */
  public RemoteShell open() {
    return guest.map(Shells::open).orElseGet(Shells::local);
  }

  @Override
  public Optional<Benchmark> benchmark() {
    return Optional.of(this);
  }

  @Override
  public Optional<String> complaint() {
    try (RemoteShell shell = open()) {
      CommandResult found =
          shell.run(
              Command.reading("sh", "-c", "command -v \"$1\"", "sh", words.get(0))
                  .within(PATIENCE));
      return found.succeeded()
          ? Optional.empty()
          : Optional.of("%s has no program '%s'".formatted(shell.address(), words.get(0)));
    } catch (RemoteShellException fault) {
      return Optional.of(fault.getMessage());
    }
  }
}
