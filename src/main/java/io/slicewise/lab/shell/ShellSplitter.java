package io.slicewise.lab.shell;

import io.slicewise.lab.shell.ShellLine.Redirection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Goes through a line once, character by character. */
final class ShellSplitter {
  private static final String OPERATORS = ";|&()\n";
  private static final String GLOBS = "*?[";

  private final String line;
  private int at;
  private final List<String> words = new ArrayList<>();
  private Optional<Redirection> output = Optional.empty();
  private Optional<Redirection> errors = Optional.empty();
  private boolean merged;

  ShellSplitter(String line) {
    this.line = line;
  }

  ShellLine split() throws ShellSyntaxException {
    for (skipBlanks(); at < line.length(); skipBlanks()) {
      if (!redirection()) {
        words.add(word());
      }
    }
    while (!words.isEmpty() && words.get(0).matches("[A-Za-z_][A-Za-z0-9_]*=.*")) {
      words.remove(0); // an assignment such as LC_ALL=C: no tool here reads the environment
    }
    return new ShellLine(words, output, errors, merged);
  }

  private void skipBlanks() {
    while (at < line.length() && (line.charAt(at) == ' ' || line.charAt(at) == '\t')) {
      at++;
    }
  }

  private boolean redirection() throws ShellSyntaxException {
    if (take("2>&1")) {
      merged = true;
    } else if (take("2>>") || take("2>")) {
      errors = Optional.of(redirectedTo());
    } else if (take("1>>") || take(">>") || take("1>") || take(">")) {
      output = Optional.of(redirectedTo());
    } else if (take("<")) {
      skipBlanks();
      String file = word();
      if (!file.equals("/dev/null")) {
        throw refusal("input from " + file);
      }
    } else {
      return false;
    }
    return true;
  }

  private Redirection redirectedTo() throws ShellSyntaxException {
    if (merged) {
      throw refusal("a redirection after 2>&1");
    }
    boolean append = line.startsWith(">>", at - 2);
    skipBlanks();
    if (at == line.length()) {
      throw refusal("a redirection without a file");
    }
    return new Redirection(word(), append);
  }

  private boolean take(String token) {
    boolean there = line.startsWith(token, at);
    at += there ? token.length() : 0;
    return there;
  }

  private String word() throws ShellSyntaxException {
    StringBuilder word = new StringBuilder();
    while (at < line.length() && " \t<>".indexOf(line.charAt(at)) < 0) {
      char c = line.charAt(at++);
      switch (c) {
        case '\'' -> singleQuoted(word);
        case '"' -> doubleQuoted(word);
        case '\\' -> word.append(escaped());
        default -> word.append(plain(c, word.length() == 0));
      }
    }
    return word.toString();
  }

  private char plain(char c, boolean first) throws ShellSyntaxException {
    if (OPERATORS.indexOf(c) >= 0) {
      throw refusal(c == '\n' ? "a second line" : "'" + c + "'");
    }
    if (c == '$' || c == '`') {
      throw refusal("a substitution ('" + c + "')");
    }
    if (GLOBS.indexOf(c) >= 0) {
      throw refusal("a glob ('" + c + "')");
    }
    if (first && (c == '~' || c == '#' || c == '{')) {
      throw refusal("'" + c + "' at the start of a word");
    }
    return c;
  }

  private void singleQuoted(StringBuilder word) throws ShellSyntaxException {
    int end = line.indexOf('\'', at);
    if (end < 0) {
      throw refusal("a quote that is not closed");
    }
    word.append(line, at, end);
    at = end + 1;
  }

  private void doubleQuoted(StringBuilder word) throws ShellSyntaxException {
    while (true) {
      if (at >= line.length()) {
        throw refusal("a quote that is not closed");
      }
      char c = line.charAt(at++);
      if (c == '"') {
        return;
      }
      if (c == '$' || c == '`') {
        throw refusal("a substitution ('" + c + "')");
      }
      boolean escape = c == '\\' && at < line.length() && "\"\\$`".indexOf(line.charAt(at)) >= 0;
      word.append(escape ? line.charAt(at++) : c);
    }
  }

  private char escaped() throws ShellSyntaxException {
    if (at >= line.length()) {
      throw refusal("a backslash at the end");
    }
    return line.charAt(at++);
  }

  private static ShellSyntaxException refusal(String what) {
    return new ShellSyntaxException(
        "this host's shell runs one simple command; " + what + " is not supported, quote it");
  }
}
