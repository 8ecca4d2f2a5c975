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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code grep}: prints the lines of files or of standard input that match. */
record Grep(HostFiles files) implements Program {
  @Override
  public int run(Invocation invocation) throws IOException {
    Getopt options =
        Getopt.parse(
            invocation.arguments(),
            "EFivcqne:wohHsA:B:C:lm:x",
            "extended-regexp=E fixed-strings=F ignore-case=i invert-match=v count=c quiet=q"
                + " only-matching=o no-filename=h with-filename=H no-messages=s");
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
        Search search = new Search(invocation, options, pattern, named ? name : "", name);
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
        expressions.stream().map(one -> regex(options, one)).map(one -> "(?:" + one + ")").toList();
    String regex = String.join("|", all);
    if (options.has('w')) {
      regex = "\\b(?:" + regex + ")\\b";
    }
    if (options.has('x')) {
      regex = "^(?:" + regex + ")$";
    }
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

  private record Search(
      Invocation invocation, Getopt options, Pattern pattern, String prefix, String name) {
    /** Returns the number of matching lines. */
    int of(String text) throws IOException {
      List<String> lines = text.lines().toList();
      int most = options.last('m').map(Getopt::strtol).orElse(Integer.MAX_VALUE);
      int after = context('A');
      int before = context('B');
      int found = 0;
      int shown = 0;
      int until = -1;
      for (int at = 0; at < lines.size(); at++) {
        boolean matches = found < most && pattern.matcher(lines.get(at)).find() != options.has('v');
        if (matches) {
          found++;
          for (int earlier = Math.max(shown, at - before); earlier < at; earlier++) {
            show(lines.get(earlier), earlier, '-');
          }
          until = at + after;
        }
        if (matches || at <= until) {
          show(lines.get(at), at, matches ? ':' : '-');
          shown = at + 1;
        }
      }
      if (options.has('c')) {
        invocation.print("%s%d\n", prefix.isEmpty() ? "" : prefix + ":", found);
      }
      if (options.has('l') && found > 0) {
        invocation.print("%s\n", name);
      }
      return found;
    }

    private int context(char letter) {
      return options.last(letter).or(() -> options.last('C')).map(Getopt::strtol).orElse(0);
    }

    private void show(String line, int at, char mark) throws IOException {
      if (options.has('c') || options.has('q') || options.has('l')) {
        return;
      }
      String head =
          (prefix.isEmpty() ? "" : prefix + mark) + (options.has('n') ? at + 1 + "" + mark : "");
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
