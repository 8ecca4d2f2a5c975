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
    StringBuilder glob = new StringBuilder();
    for (Part part : word.parts()) {
      glob.append(escaped(value(part), part.quoted()));
    }
    return Pattern.compile(regex(glob.toString()), Pattern.DOTALL);
  }

  /** Puts backslashes before literal characters that would be special in a pattern. */
  private static String escaped(String text, boolean quoted) {
    return text.replaceAll(quoted ? "[*?\\[\\\\]" : "\\\\", "\\\\$0");
  }

  private static String regex(String glob) {
    StringBuilder regex = new StringBuilder();
    for (int at = 0; at < glob.length(); at++) {
      char c = glob.charAt(at);
      int end = c == '[' ? glob.indexOf(']', at + 2) : -1;
      if (c == '*') {
        regex.append(".*");
      } else if (c == '?') {
        regex.append('.');
      } else if (end > 0) {
        regex.append('[').append(glob.substring(at + 1, end).replaceFirst("^!", "^")).append(']');
        at = end;
      } else {
        at += c == '\\' ? 1 : 0;
        regex.append(Pattern.quote(glob.substring(at, at + 1)));
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
    StringBuilder glob = new StringBuilder();
    boolean open = false;
    for (Part part : word.parts()) {
      List<String> pieces = pieces(part);
      for (int at = 0; at < pieces.size(); at++) {
        if (at > 0) {
          add(all, field, glob, open);
          open = false;
        }
        String piece = pieces.get(at);
        field.append(piece);
        glob.append(escaped(piece, part.quoted()));
        open |= part.quoted() ? !isAll(part) || !pieces.isEmpty() : !piece.isEmpty();
      }
    }
    add(all, field, glob, open);
  }

  private void add(List<String> all, StringBuilder field, StringBuilder glob, boolean open)
      throws IOException {
    String text = field.toString();
    if (open) {
      boolean literal = glob.toString().equals(escaped(text, true));
      List<String> matches = literal ? List.of() : matching(glob.toString());
      all.addAll(matches.isEmpty() ? List.of(text) : matches);
    }
    field.setLength(0);
    glob.setLength(0);
  }

  /** Returns the files that match, level by level. */
  private List<String> matching(String glob) throws IOException {
    boolean absolute = glob.startsWith("/");
    List<String> found = List.of(absolute ? "/" : "");
    String[] levels = glob.substring(absolute ? 1 : 0).split("/", -1);
    for (int at = 0; at < levels.length; at++) {
      List<String> next = new ArrayList<>();
      for (String parent : found) {
        children(parent, levels[at], at < levels.length - 1, next);
      }
      found = next;
    }
    return found.stream().sorted().toList();
  }

  private void children(String parent, String glob, boolean inner, List<String> next)
      throws IOException {
    Path directory = files.locate(interpreter.path(parent.isEmpty() ? "." : parent));
    if (!Files.isDirectory(directory)) {
      return;
    }
    Pattern pattern = Pattern.compile(regex(glob));
    try (Stream<Path> children = Files.list(directory)) {
      for (Path child : (Iterable<Path>) children::iterator) {
        String name = child.getFileName().toString();
        if ((glob.startsWith(".") || !name.startsWith("."))
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
