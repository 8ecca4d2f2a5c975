package io.slicewise.lab.shell;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Options as getopt_long(3) of the GNU C library reads them: clustered short options, arguments
 * joined or following, long options by unambiguous prefix, operands anywhere.
 *
 * @param options the options in order; an unknown option, or one without its argument, has the
 *     letter {@code ?} and its name as the argument
 * @param operands the remaining arguments
 */
public record Getopt(List<Option> options, List<String> operands) {
  /** One parsed option. The argument is empty for a switch. */
  public record Option(char letter, String argument) {}

  public Getopt {
    options = List.copyOf(options);
    operands = List.copyOf(operands);
  }

  /**
   * Parses a command's arguments.
   *
   * @param shorts letters, each followed by a colon if it takes an argument
   * @param longs long names and their letters, with a colon if the option takes an argument, as in
   *     {@code all=a time=t:}
   */
  public static Getopt parse(List<String> arguments, String shorts, String longs) {
    Reading reading = new Reading(arguments, shorts, longs);
    reading.run();
    return new Getopt(reading.options, reading.operands);
  }

  public boolean has(char letter) {
    return options.stream().anyMatch(o -> o.letter() == letter);
  }

  /** Returns the last argument given for a letter. */
  public Optional<String> last(char letter) {
    return options.stream()
        .filter(o -> o.letter() == letter)
        .map(Option::argument)
        .reduce((earlier, later) -> later);
  }

  /** Returns all arguments given for a letter, in order. */
  public List<String> all(char letter) {
    return options.stream().filter(o -> o.letter() == letter).map(Option::argument).toList();
  }

  /**
   * Returns the result of {@code strtol(text, NULL, 10)} as an int, or 0 if the text is not a
   * number.
   */
  public static int strtol(String text) {
    String trimmed = text.stripLeading();
    int end = 0;
    while (end < trimmed.length()
        && (Character.isDigit(trimmed.charAt(end))
            || (end == 0 && "+-".indexOf(trimmed.charAt(0)) >= 0))) {
      end++;
    }
    String digits = trimmed.substring(0, end);
    return digits.isEmpty() || digits.equals("-") || digits.equals("+")
        ? 0
        : new BigInteger(digits).intValue();
  }

  private static final class Reading {
    private final List<String> arguments;
    private final String shorts;
    private final Map<String, String> longs;
    private final List<Option> options = new ArrayList<>();
    private final List<String> operands = new ArrayList<>();
    private int next;

    Reading(List<String> arguments, String shorts, String longs) {
      this.arguments = arguments;
      this.shorts = shorts;
      this.longs =
          Pattern.compile(" ")
              .splitAsStream(longs)
              .filter(word -> !word.isEmpty())
              .map(word -> word.split("=", 2))
              .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }

    void run() {
      while (next < arguments.size()) {
        String argument = arguments.get(next++);
        if (argument.equals("--")) {
          operands.addAll(arguments.subList(next, arguments.size()));
          return;
        } else if (argument.startsWith("--") && !longs.isEmpty()) {
          longOption(argument);
        } else if (argument.startsWith("-") && argument.length() > 1) {
          cluster(argument);
        } else {
          operands.add(argument);
        }
      }
    }

    private void longOption(String argument) {
      int equals = argument.indexOf('=');
      String name = argument.substring(2, equals < 0 ? argument.length() : equals);
      List<String> matches =
          longs.containsKey(name)
              ? List.of(name)
              : longs.keySet().stream().filter(l -> l.startsWith(name)).toList();
      if (matches.size() != 1) {
        options.add(new Option('?', argument));
        return;
      }
      String target = longs.get(matches.get(0));
      if (!target.endsWith(":")) {
        options.add(new Option(target.charAt(0), ""));
      } else if (equals >= 0) {
        options.add(new Option(target.charAt(0), argument.substring(equals + 1)));
      } else {
        following(target.charAt(0), argument);
      }
    }

    private void cluster(String argument) {
      for (int at = 1; at < argument.length(); at++) {
        char letter = argument.charAt(at);
        int known = letter == ':' ? -1 : shorts.indexOf(letter);
        if (known < 0) {
          options.add(new Option('?', String.valueOf(letter)));
        } else if (!shorts.startsWith(":", known + 1)) {
          options.add(new Option(letter, ""));
        } else if (at + 1 < argument.length()) {
          options.add(new Option(letter, argument.substring(at + 1)));
          return;
        } else {
          following(letter, String.valueOf(letter));
        }
      }
    }

    private void following(char letter, String name) {
      options.add(
          next < arguments.size()
              ? new Option(letter, arguments.get(next++))
              : new Option('?', name));
    }
  }
}
