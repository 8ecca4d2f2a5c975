package io.slicewise.lab.shell;

import io.slicewise.lab.shell.Script.Word;
import io.slicewise.lab.shell.Script.Word.Kind;
import io.slicewise.lab.shell.Script.Word.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Expands the words of a script into the arguments of a command. */
record Expansion(Interpreter interpreter, HostFiles files) {
  private static final Pattern ASSIGNMENT =
      Pattern.compile("[A-Za-z_][A-Za-z0-9_]*=.*", Pattern.DOTALL);

  static boolean isAssignment(Word word) {
    Part first = word.parts().get(0);
    return first.kind() == Kind.TEXT
        && !first.quoted()
        && ASSIGNMENT.matcher(first.text()).matches();
  }

  /**
   * Returns the expansion of a word as one text, for the subject of a case, the target of a
   * redirection, or a value.
   */
  String text(Word word) throws IOException, InterruptedException {
    StringBuilder text = new StringBuilder();
    for (Part part : word.parts()) {
      text.append(value(part));
    }
    return text.toString();
  }

  /** Returns the {@code case} pattern of a word. Quoted characters are literal. */
  Pattern pattern(Word word) throws IOException, InterruptedException {
    StringBuilder regex = new StringBuilder();
    for (Part part : word.parts()) {
      regex.append(part.quoted() ? Pattern.quote(value(part)) : glob(value(part)));
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  private static String glob(String text) {
    StringBuilder regex = new StringBuilder();
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      int end = c == '[' ? text.indexOf(']', at + 2) : -1;
      if (c == '*') {
        regex.append(".*");
      } else if (c == '?') {
        regex.append('.');
      } else if (end > 0) {
        regex.append('[').append(text.substring(at + 1, end).replaceFirst("^!", "^")).append(']');
        at = end;
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return regex.toString();
  }

  /** Returns all words to which these words expand. */
  List<String> words(List<Word> words) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    for (Word word : words) {
      fields(word, all);
    }
    return all;
  }

  /** Splits unquoted text at blanks, and expands {@code "$@"} to one word per parameter. */
  private void fields(Word word, List<String> all) throws IOException, InterruptedException {
    StringBuilder field = new StringBuilder();
    StringBuilder regex = new StringBuilder();
    boolean open = false;
    boolean globs = false;
    for (Part part : word.parts()) {
      List<String> pieces = pieces(part);
      for (int at = 0; at < pieces.size(); at++) {
        if (at > 0) {
          add(all, field, regex, globs, open);
          open = false;
          globs = false;
        }
        String piece = pieces.get(at);
        field.append(piece);
        boolean globbing = !part.quoted() && piece.matches("(?s).*[*?\\[].*");
        regex.append(globbing ? glob(piece) : Pattern.quote(piece));
        globs |= globbing;
        open |= part.quoted() ? !isAll(part) || !pieces.isEmpty() : !piece.isEmpty();
      }
    }
    add(all, field, regex, globs, open);
  }

  private void add(
      List<String> all, StringBuilder field, StringBuilder regex, boolean globs, boolean open)
      throws IOException {
    if (open) {
      List<String> matches =
          globs ? matching(regex.toString(), field.indexOf("/") == 0) : List.of();
      all.addAll(matches.isEmpty() ? List.of(field.toString()) : matches);
    }
    field.setLength(0);
    regex.setLength(0);
  }

  /** Returns the files that match, level by level. */
  private List<String> matching(String regex, boolean absolute) throws IOException {
    List<String> found = List.of(absolute ? "/" : "");
    List<String> levels = levels(absolute ? regex.replaceFirst("/", "") : regex);
    for (int at = 0; at < levels.size(); at++) {
      List<String> next = new ArrayList<>();
      for (String parent : found) {
        children(parent, levels.get(at), at < levels.size() - 1, next);
      }
      found = next;
    }
    return found.stream().sorted().toList();
  }

  /** Returns the regular expression of each level. Quoted text remains quoted. */
  private static List<String> levels(String regex) {
    List<String> levels = new ArrayList<>();
    StringBuilder level = new StringBuilder();
    boolean quoted = false;
    for (int at = 0; at < regex.length(); at++) {
      if (regex.startsWith(quoted ? "\\E" : "\\Q", at)) {
        level.append(regex, at, at + 2);
        quoted = !quoted;
        at++;
      } else if (regex.charAt(at) == '/') {
        levels.add(level.append(quoted ? "\\E" : "").toString());
        level = new StringBuilder(quoted ? "\\Q" : "");
      } else {
        level.append(regex.charAt(at));
      }
    }
    levels.add(level.toString());
    return levels;
  }

  private void children(String parent, String regex, boolean inner, List<String> next)
      throws IOException {
    Path directory = files.locate(interpreter.path(parent.isEmpty() ? "." : parent));
    if (!Files.isDirectory(directory)) {
      return;
    }
    Pattern pattern = Pattern.compile(regex);
    boolean hidden = regex.replace("\\Q\\E", "").startsWith("\\Q.");
    try (Stream<Path> children = Files.list(directory)) {
      for (Path child : (Iterable<Path>) children::iterator) {
        String name = child.getFileName().toString();
        if ((hidden || !name.startsWith("."))
            && pattern.matcher(name).matches()
            && (!inner || Files.isDirectory(child))) {
          next.add(parent + name + (inner ? "/" : ""));
        }
      }
    }
  }

  private static boolean isAll(Part part) {
    return part.kind() == Kind.PARAMETER && part.text().equals("@");
  }

  private List<String> pieces(Part part) throws IOException, InterruptedException {
    if (isAll(part) && part.quoted()) {
      return interpreter.positional();
    }
    String value = value(part);
    if (part.quoted() || part.kind() == Kind.TEXT) {
      return List.of(value);
    }
    return List.of(value.split("[ \t\n]+", -1));
  }

  private String value(Part part) throws IOException, InterruptedException {
    return switch (part.kind()) {
      case TEXT -> part.text();
      case PARAMETER -> interpreter.parameter(part.text());
      case ARITHMETIC -> String.valueOf(Arithmetic.of(part.text(), interpreter::parameter));
      case SUBSTITUTION -> interpreter.substitute(part.text());
    };
  }

  /** {@code $((…))}: integers, variables, {@code + - * / %} and parentheses. */
  private static final class Arithmetic {
    private static final Pattern TOKEN = Pattern.compile("\\s*(\\d+|\\$?[A-Za-z_]\\w*|\\S)");

    private final List<String> tokens = new ArrayList<>();
    private final UnaryOperator<String> variables;
    private int at;

    private Arithmetic(String text, UnaryOperator<String> variables) {
      this.variables = variables;
      Matcher matcher = TOKEN.matcher(text);
      while (matcher.find()) {
        tokens.add(matcher.group(1));
      }
    }

    static long of(String text, UnaryOperator<String> variables) {
      return new Arithmetic(text, variables).sum();
    }

    private String next() {
      return at < tokens.size() ? tokens.get(at) : "";
    }

    private long sum() {
      long value = product();
      while (next().equals("+") || next().equals("-")) {
        value += tokens.get(at++).equals("+") ? product() : -product();
      }
      return value;
    }

    private long product() {
      long value = factor();
      while (next().matches("[*/%]")) {
        String operator = tokens.get(at++);
        long other = factor();
        value =
            operator.equals("*")
                ? value * other
                : operator.equals("/") ? value / other : value % other;
      }
      return value;
    }

    private long factor() {
      String token = next();
      at++;
      if (token.equals("(")) {
        long value = sum();
        at++;
        return value;
      }
      if (token.equals("-")) {
        return -factor();
      }
      return token.matches("\\d+")
          ? Long.parseLong(token)
          : Getopt.strtol(variables.apply(token.replace("$", "")));
    }
  }
}
