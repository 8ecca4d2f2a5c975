package io.slicewise.lab.dom0;

import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.FileNotFoundException;
import java.io.IOException;
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

/** {@code grep} and {@code sleep}. */
public record TextTools(HostFiles files) {
  /** Programs of the real machine that a script file finds there. */
  private static final List<String> IN_SCRIPTS = List.of("sed", "tr", "cut", "head", "mv");

  public Map<String, Program> tools() {
    Map<String, Program> tools = new HashMap<>();
    IN_SCRIPTS.forEach(name -> tools.put(name, TextTools::inScriptsOnly));
    tools.put("grep", new Grep(files));
    tools.put("sleep", TextTools::sleep);
    return tools;
  }

  private static int inScriptsOnly(Invocation invocation) throws IOException {
    invocation.complain("%s: only script files use it on this host\n", invocation.words().get(0));
    return 1;
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
