package io.slicewise.lab.dom0;

import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code grep}, {@code head}, {@code sleep} and filters. */
public record TextTools(HostFiles files) {
  private static final int LINES = 10;

  public Map<String, Program> tools() {
    Map<String, Program> tools = new HashMap<>(new Filters(files).tools());
    tools.put("grep", new Grep(files));
    tools.put("head", this::head);
    tools.put("sleep", TextTools::sleep);
    return tools;
  }

  /** Opens the named files, or standard input if none is named. */
  private BufferedReader lines(Invocation invocation, List<String> names) throws IOException {
    InputStream input =
        names.isEmpty() || names.get(0).equals("-")
            ? invocation.input()
            : new ByteArrayInputStream(files.read(invocation.path(names.get(0))));
    return new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
  }

  private static int missing(Invocation invocation, String name) throws IOException {
    invocation.complain("%s: %s: No such file or directory\n", invocation.words().get(0), name);
    return 2;
  }

  /** Parses {@code -n N}, or its short form {@code -N}. */
  private static Getopt counted(Invocation invocation) {
    List<String> arguments =
        invocation.arguments().stream()
            .map(argument -> argument.replaceFirst("^-(\\d+)$", "-n$1"))
            .toList();
    return Getopt.parse(arguments, "n:", "lines=n:");
  }

  private int head(Invocation invocation) throws IOException {
    Getopt options = counted(invocation);
    int count = options.last('n').map(Getopt::strtol).orElse(LINES);
    try (BufferedReader reader = lines(invocation, options.operands())) {
      for (int i = 0; i < count; i++) {
        String line = reader.readLine();
        if (line == null) {
          break;
        }
        invocation.print("%s\n", line);
      }
      return 0;
    } catch (FileNotFoundException missing) {
      return missing(invocation, options.operands().get(0));
    }
  }

  private static int sleep(Invocation invocation) throws IOException, InterruptedException {
    List<String> times = invocation.arguments();
    if (times.isEmpty() || !times.stream().allMatch(time -> time.matches("\\d*\\.?\\d+[smh]?"))) {
      invocation.complain("sleep: invalid time interval '%s'\n", String.join(" ", times));
      return 1;
    }
    double seconds = times.stream().mapToDouble(TextTools::seconds).sum();
    TimeUnit.NANOSECONDS.sleep(Math.round(seconds * 1e9));
    return 0;
  }

  private static double seconds(String time) {
    double number = Double.parseDouble(time.replaceAll("[smh]$", ""));
    return time.endsWith("h") ? number * 3600 : time.endsWith("m") ? number * 60 : number;
  }

  /**
   * Filters of text: the real machine's own, which get the host's files on standard input and
   * options that can neither read nor write others.
   */
  private record Filters(HostFiles files) {
    private static final int USAGE = 2;

    /**
     * What a filter takes.
     *
     * @param fixed options that it always gets
     * @param allowed its options
     * @param valued those that take the next word
     * @param texts operands before the files, all if negative
     */
    private record Filter(List<String> fixed, String allowed, String valued, int texts) {}

    private static final Map<String, Filter> FILTERS =
        Map.of(
            "sed", new Filter(List.of("--sandbox"), "-[nE]+", "-n?e", 1),
            "tr", new Filter(List.of(), "-[csd]+", "", -1),
            "cut", new Filter(List.of(), "-s|-[dfc].+", "-[dfc]", 0),
            "sort", new Filter(List.of(), "-[nru]+", "", 0),
            "tail", new Filter(List.of(), "-n?[0-9]+", "-n", 0),
            "wc", new Filter(List.of(), "-[lwc]+", "", 0));

    Map<String, Program> tools() {
      Map<String, Program> tools = new HashMap<>();
      FILTERS.forEach((name, filter) -> tools.put(name, invocation -> run(invocation, filter)));
      return tools;
    }

    private int run(Invocation invocation, Filter filter) throws IOException, InterruptedException {
      List<String> command = new ArrayList<>(List.of(invocation.words().get(0)));
      command.addAll(filter.fixed());
      List<String> operands = new ArrayList<>();
      boolean valued = false;
      boolean scripted = false;
      for (String word : invocation.arguments()) {
        if (valued || word.matches(filter.allowed()) || word.matches(filter.valued())) {
          scripted |= valued && filter.texts() > 0;
          valued = !valued && !word.matches(filter.allowed());
          command.add(word);
        } else if (word.matches("-.+")) {
          invocation.complain("%s: %s is not an option here\n", invocation.words().get(0), word);
          return USAGE;
        } else {
          operands.add(word);
        }
      }
      int texts = filter.texts() < 0 ? operands.size() : scripted ? 0 : filter.texts();
      int from = Math.min(texts, operands.size());
      command.add("--");
      command.addAll(operands.subList(0, from));
      try {
        return run(invocation, command, input(invocation, operands.subList(from, operands.size())));
      } catch (FileNotFoundException missing) {
        invocation.complain(
            "%s: %s: No such file or directory\n", command.get(0), missing.getMessage());
        return USAGE;
      }
    }

    private byte[] input(Invocation invocation, List<String> names) throws IOException {
      if (names.isEmpty() || names.equals(List.of("-"))) {
        return invocation.input().readAllBytes();
      }
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      for (String name : names) {
        all.write(files.read(invocation.path(name)));
      }
      return all.toByteArray();
    }

    private static int run(Invocation invocation, List<String> command, byte[] input)
        throws IOException, InterruptedException {
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.environment().put("LC_ALL", "C.UTF-8");
      Process process = builder.start();
      Thread feeder =
          new Thread(
              () -> {
                try (OutputStream to = process.getOutputStream()) {
                  to.write(input);
                } catch (IOException closed) {
                  // The filter has read enough, or its options are wrong.
                }
              },
              "lab-filter-input");
      feeder.setDaemon(true);
      feeder.start();
      try {
        process.getInputStream().transferTo(invocation.output());
        invocation.output().flush();
        process.getErrorStream().transferTo(invocation.errors());
        invocation.errors().flush();
        return process.waitFor();
      } finally {
        process.destroyForcibly();
      }
    }
  }

  /** {@code grep}: prints the lines of files or of standard input that match. */
  private record Grep(HostFiles files) implements Program {
    @Override
    public int run(Invocation invocation) throws IOException {
      Getopt options =
          Getopt.parse(
              invocation.arguments(),
              "EFivcqne:ohHs",
              "extended-regexp=E fixed-strings=F ignore-case=i invert-match=v count=c quiet=q"
                  + " only-matching=o no-filename=h with-filename=H no-messages=s");
      Optional<Getopt.Option> unknown =
          options.options().stream().filter(option -> option.letter() == '?').findFirst();
      if (unknown.isPresent()) {
        invocation.complain("grep: invalid option -- '%s'\n", unknown.get().argument());
        return 2;
      }
      List<String> operands = new ArrayList<>(options.operands());
      List<String> expressions = new ArrayList<>(options.all('e'));
      if (expressions.isEmpty()) {
        expressions.add(operands.isEmpty() ? "" : operands.remove(0));
      }
      Pattern pattern = pattern(options, expressions);
      boolean named = options.has('H') || (operands.size() > 1 && !options.has('h'));
      boolean found = false;
      boolean missed = false;
      Map<String, String> atOnce =
          files.textsAtOnce(operands.stream().map(invocation::path).distinct().toList());
      for (String name : operands.isEmpty() ? List.of("-") : operands) {
        try {
          Optional<String> now = Optional.ofNullable(atOnce.get(invocation.path(name)));
          String text = now.isPresent() ? now.get() : text(invocation, name);
          Search search = new Search(invocation, options, pattern, named ? name : "");
          found |= search.of(text) > 0;
        } catch (FileNotFoundException missing) {
          missed = true;
          if (!options.has('s')) {
            boolean directory = Files.isDirectory(files.locate(invocation.path(name)));
            invocation.complain(
                "grep: %s: %s\n", name, directory ? "Is a directory" : "No such file or directory");
          }
        }
      }
      return found && (options.has('q') || !missed) ? 0 : missed ? 2 : 1;
    }

    private String text(Invocation invocation, String name) throws IOException {
      byte[] bytes =
          name.equals("-") ? invocation.input().readAllBytes() : files.read(invocation.path(name));
      return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * Compiles the pattern. In a basic expression {@code | + ? ( ) { }} are literal unless escaped.
     */
    private static Pattern pattern(Getopt options, List<String> expressions) {
      List<String> all =
          expressions.stream()
              .map(one -> regex(options, one))
              .map(one -> "(?:" + one + ")")
              .toList();
      String regex = String.join("|", all);
      return Pattern.compile(regex, options.has('i') ? Pattern.CASE_INSENSITIVE : 0);
    }

    private static String regex(Getopt options, String expression) {
      if (options.has('F')) {
        return Pattern.quote(expression);
      }
      return options.has('E') ? expression : basic(expression);
    }

    /** Translates a basic regular expression to Java's syntax. */
    private static String basic(String expression) {
      String marked = expression.replaceAll("(\\\\?)([|+?(){}])", "$1\u0000$2");
      return marked.replace("\\\u0000", "").replace("\u0000", "\\");
    }

    private record Search(Invocation invocation, Getopt options, Pattern pattern, String prefix) {
      /** Returns the number of matching lines. */
      int of(String text) throws IOException {
        int found = 0;
        int number = 0;
        for (String line : text.lines().toList()) {
          number++;
          if (pattern.matcher(line).find() != options.has('v')) {
            found++;
            show(line, number);
          }
        }
        if (options.has('c')) {
          invocation.print("%s%d\n", prefix.isEmpty() ? "" : prefix + ":", found);
        }
        return found;
      }

      private void show(String line, int number) throws IOException {
        if (options.has('c') || options.has('q')) {
          return;
        }
        String head =
            (prefix.isEmpty() ? "" : prefix + ":") + (options.has('n') ? number + ":" : "");
        if (!options.has('o')) {
          invocation.print("%s%s\n", head, line);
          return;
        }
        Matcher matcher = pattern.matcher(line);
        while (matcher.find()) {
          invocation.print("%s%s\n", head, matcher.group());
        }
      }
    }
  }
}
