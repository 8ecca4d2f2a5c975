package io.slicewise.lab.dom0;

import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * {@code printf}, {@code tr}, {@code cut}, {@code seq}, {@code basename}, {@code dirname} and
 * {@code find} by type and name.
 */
public record StreamTools(HostFiles files) {
  public Map<String, Program> tools() {
    return Map.of(
        "printf", StreamTools::printf,
        "tr", StreamTools::tr,
        "cut", this::cut,
        "seq", StreamTools::seq,
        "scp", new ScpTool(files),
        "sed", new Sed(files),
        "basename", StreamTools::basename,
        "dirname", StreamTools::dirname,
        "find", this::find);
  }

  private static int printf(Invocation invocation) throws IOException {
    List<String> arguments = invocation.arguments();
    if (arguments.isEmpty()) {
      invocation.complain("printf: missing operand\n");
      return 1;
    }
    List<String> values = new ArrayList<>(arguments.subList(1, arguments.size()));
    do {
      invocation.print("%s", formatted(arguments.get(0), values));
    } while (!values.isEmpty() && arguments.get(0).contains("%"));
    return 0;
  }

  private static String formatted(String format, List<String> values) {
    StringBuilder text = new StringBuilder();
    for (int at = 0; at < format.length(); at++) {
      char c = format.charAt(at);
      if (c == '\\' && at + 1 < format.length()) {
        text.append(escaped(format.charAt(++at)));
      } else if (c == '%' && format.startsWith("%", at + 1)) {
        text.append(format.charAt(at++));
      } else if (c == '%') {
        int end = at + 1;
        while (end < format.length() && "-0123456789.".indexOf(format.charAt(end)) >= 0) {
          end++;
        }
        String value = values.isEmpty() ? "" : values.remove(0);
        boolean text1 = end < format.length() && format.charAt(end) == 's';
        String width = format.substring(at, end);
        text.append(
            text1
                ? String.format(Locale.ROOT, width + "s", value)
                : String.format(
                    Locale.ROOT, width + "d", value.isEmpty() ? 0L : Long.parseLong(value)));
        at = end;
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  private static char escaped(char c) {
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case '0' -> '\0';
      default -> c;
    };
  }

  private static int tr(Invocation invocation) throws IOException {
    Getopt options = Getopt.parse(invocation.arguments(), "dsc", "delete=d squeeze-repeats=s");
    String from = set(options.operands().get(0));
    String to = options.operands().size() > 1 ? set(options.operands().get(1)) : "";
    String text = new String(invocation.input().readAllBytes(), StandardCharsets.UTF_8);
    StringBuilder output = new StringBuilder();
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      int found = from.indexOf(c) >= 0 == !options.has('c') ? Math.max(0, from.indexOf(c)) : -1;
      if (found < 0) {
        output.append(c);
      } else if (!options.has('d')) {
        char mapped = to.isEmpty() ? c : to.charAt(Math.min(found, to.length() - 1));
        boolean repeats =
            options.has('s') && output.length() > 0 && output.charAt(output.length() - 1) == mapped;
        output.append(repeats ? "" : String.valueOf(mapped));
      }
    }
    invocation.print("%s", output);
    return 0;
  }

  private static String set(String text) {
    StringBuilder set = new StringBuilder();
    String plain =
        text.replace("[:space:]", " \t\n\r")
            .replace("[:digit:]", "0-9")
            .replace("[:upper:]", "A-Z")
            .replace("[:lower:]", "a-z");
    for (int at = 0; at < plain.length(); at++) {
      char c = plain.charAt(at);
      if (c == '\\' && at + 1 < plain.length()) {
        set.append(escaped(plain.charAt(++at)));
      } else if (at + 2 < plain.length() && plain.charAt(at + 1) == '-') {
        for (char each = c; each <= plain.charAt(at + 2); each++) {
          set.append(each);
        }
        at += 2;
      } else {
        set.append(c);
      }
    }
    return set.toString();
  }

  private int cut(Invocation invocation) throws IOException {
    Getopt options = Getopt.parse(invocation.arguments(), "d:f:c:s", "delimiter=d: fields=f:");
    String text =
        new String(
            options.operands().isEmpty()
                ? invocation.input().readAllBytes()
                : files.read(invocation.path(options.operands().get(0))),
            StandardCharsets.UTF_8);
    String by = options.last('c').isPresent() ? "" : options.last('d').orElse("\t");
    String wanted = options.last('c').or(() -> options.last('f')).orElse("1");
    for (String line : text.lines().toList()) {
      if (!by.isEmpty() && !line.contains(by)) {
        invocation.print("%s", options.has('s') ? "" : line + "\n");
        continue;
      }
      List<String> fields = List.of(line.split(java.util.regex.Pattern.quote(by), -1));
      invocation.print(
          "%s\n",
          IntStream.range(0, fields.size())
              .filter(at -> wanted(wanted, at + 1))
              .mapToObj(fields::get)
              .collect(Collectors.joining(by)));
    }
    return 0;
  }

  private static boolean wanted(String list, int number) {
    for (String range : list.split(",", -1)) {
      int dash = range.indexOf('-');
      int first = dash == 0 ? 1 : Getopt.strtol(dash < 0 ? range : range.substring(0, dash));
      String end = dash < 0 ? range : range.substring(dash + 1);
      if (number >= first && (end.isEmpty() || number <= Getopt.strtol(end))) {
        return true;
      }
    }
    return false;
  }

  private static int seq(Invocation invocation) throws IOException {
    List<Integer> numbers = invocation.arguments().stream().map(Getopt::strtol).toList();
    int first = numbers.size() > 1 ? numbers.get(0) : 1;
    for (int number = first; number <= numbers.get(numbers.size() - 1); number++) {
      invocation.print("%d\n", number);
    }
    return 0;
  }

  private static int basename(Invocation invocation) throws IOException {
    List<String> arguments = invocation.arguments();
    String name = arguments.get(0).replaceFirst("/+$", "").replaceFirst(".*/", "");
    boolean ends = arguments.size() > 1 && name.endsWith(arguments.get(1));
    invocation.print(
        "%s\n", ends ? name.substring(0, name.length() - arguments.get(1).length()) : name);
    return 0;
  }

  private static int dirname(Invocation invocation) throws IOException {
    String name = invocation.arguments().get(0);
    int slash = name.lastIndexOf('/');
    invocation.print("%s\n", slash < 0 ? "." : slash == 0 ? "/" : name.substring(0, slash));
    return 0;
  }

  private int find(Invocation invocation) throws IOException {
    List<String> words = new ArrayList<>(invocation.arguments());
    List<String> starts = new ArrayList<>();
    while (!words.isEmpty() && !words.get(0).startsWith("-")) {
      starts.add(words.remove(0));
    }
    String type = option(words, "-type");
    String glob = option(words, "-name");
    String depth = option(words, "-maxdepth");
    if (!words.isEmpty() && !words.equals(List.of("-print"))) {
      invocation.complain("find: unknown predicate `%s'\n", words.get(0));
      return 1;
    }
    int status = 0;
    for (String start : starts.isEmpty() ? List.of(".") : starts) {
      Path path = files.locate(invocation.path(start));
      if (!Files.exists(path)) {
        invocation.complain("find: '%s': No such file or directory\n", start);
        status = 1;
        continue;
      }
      int most = depth.isEmpty() ? Integer.MAX_VALUE : Getopt.strtol(depth);
      try (Stream<Path> all = Files.walk(path, most)) {
        for (Path one : all.sorted().toList()) {
          if (fits(one, type, glob)) {
            String below = path.relativize(one).toString();
            invocation.print("%s%s\n", start, below.isEmpty() ? "" : "/" + below);
          }
        }
      }
    }
    return status;
  }

  private static boolean fits(Path path, String type, String glob) {
    boolean directory = Files.isDirectory(path);
    return (type.isEmpty() || directory == type.equals("d"))
        && (glob.isEmpty()
            || path.getFileSystem().getPathMatcher("glob:" + glob).matches(path.getFileName()));
  }

  private static String option(List<String> words, String name) {
    int at = words.indexOf(name);
    if (at < 0 || at + 1 >= words.size()) {
      return "";
    }
    words.remove(at);
    return words.remove(at);
  }
}
