package io.slicewise.lab.shell;

import io.slicewise.lab.shell.Script.Word;
import io.slicewise.lab.shell.Script.Word.Kind;
import io.slicewise.lab.shell.Script.Word.Part;
import io.slicewise.lab.shell.ScriptParser.ShellSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Splits a script into operators and words by the quoting rules of POSIX. */
final class ScriptLexer {
  private static final List<String> OPERATORS =
      List.of("&&", "||", ";;", "<<", ">>", "<&", ">&", ";", "&", "|", "(", ")", "<", ">", "\n");
  private static final String ENDS_WORD = " \t\n;&|()<>";
  private static final String SPECIAL_PARAMETERS = "@*#?$!0123456789";

  private final String text;
  private int at;

  ScriptLexer(String text) {
    this.text = text;
  }

  /** Returns the next operator without consuming it, or empty before a word or at the end. */
  String operator() {
    skipBlanks();
    return OPERATORS.stream()
        .filter(operator -> text.startsWith(operator, at))
        .findFirst()
        .orElse("");
  }

  boolean atEnd() {
    skipBlanks();
    return at >= text.length();
  }

  /** Consumes an operator if it comes next. */
  boolean take(String operator) {
    boolean there = operator().equals(operator);
    at += there ? operator.length() : 0;
    return there;
  }

  /** Returns the stream number in front of the next redirection, if it has one. */
  Optional<Integer> streamNumber() {
    skipBlanks();
    boolean digit = at + 1 < text.length() && Character.isDigit(text.charAt(at));
    if (!digit || "<>".indexOf(text.charAt(at + 1)) < 0) {
      return Optional.empty();
    }
    return Optional.of(text.charAt(at++) - '0');
  }

  private void skipBlanks() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '#') {
        while (at < text.length() && text.charAt(at) != '\n') {
          at++;
        }
      } else if (c == ' ' || c == '\t') {
        at++;
      } else if (text.startsWith("\\\n", at)) {
        at += 2;
      } else {
        return;
      }
    }
  }

  /** Returns the next reserved or plain word without consuming it, or empty for any other token. */
  String peekPlain() throws ShellSyntaxException {
    int before = at;
    String plain = atEnd() || !operator().isEmpty() ? "" : word().plain();
    at = before;
    return plain;
  }

  Word word() throws ShellSyntaxException {
    skipBlanks();
    List<Part> parts = new ArrayList<>();
    StringBuilder plain = new StringBuilder();
    while (at < text.length() && ENDS_WORD.indexOf(text.charAt(at)) < 0) {
      char c = text.charAt(at++);
      switch (c) {
        case '\'' -> {
          flush(plain, parts, false);
          parts.add(new Part(Kind.TEXT, singleQuoted(), true));
        }
        case '"' -> {
          flush(plain, parts, false);
          doubleQuoted(parts);
        }
        case '\\' -> {
          flush(plain, parts, false);
          parts.add(new Part(Kind.TEXT, String.valueOf(escaped()), true));
        }
        case '$', '`' -> {
          flush(plain, parts, false);
          parts.add(expansion(c, false));
        }
        default -> plain.append(checked(c, plain.length() == 0 && parts.isEmpty()));
      }
    }
    flush(plain, parts, false);
    if (parts.isEmpty()) {
      throw new ShellSyntaxException("syntax error: a word is missing" + here());
    }
    return new Word(parts);
  }

  /** Refuses an unquoted home directory, which other shells would expand. */
  private static char checked(char c, boolean first) throws ShellSyntaxException {
    if (first && c == '~') {
      throw new ShellSyntaxException("'~' is not supported by this host's shell, quote it");
    }
    return c;
  }

  private String here() {
    return at < text.length() ? " near '" + text.charAt(at) + "'" : " at the end";
  }

  private static void flush(StringBuilder text, List<Part> parts, boolean quoted) {
    if (text.length() > 0) {
      parts.add(new Part(Kind.TEXT, text.toString(), quoted));
      text.setLength(0);
    }
  }

  private String singleQuoted() throws ShellSyntaxException {
    int end = text.indexOf('\'', at);
    if (end < 0) {
      throw unclosed("'");
    }
    String inside = text.substring(at, end);
    at = end + 1;
    return inside;
  }

  private void doubleQuoted(List<Part> parts) throws ShellSyntaxException {
    StringBuilder inside = new StringBuilder();
    int before = parts.size();
    while (true) {
      if (at >= text.length()) {
        throw unclosed("\"");
      }
      char c = text.charAt(at++);
      if (c == '"') {
        flush(inside, parts, true);
        if (parts.size() == before) {
          parts.add(new Part(Kind.TEXT, "", true));
        }
        return;
      } else if (c == '$' || c == '`') {
        flush(inside, parts, true);
        parts.add(expansion(c, true));
      } else if (c == '\\' && at < text.length() && "\"\\$`\n".indexOf(text.charAt(at)) >= 0) {
        inside.append(text.charAt(at++));
      } else {
        inside.append(c);
      }
    }
  }

  private char escaped() throws ShellSyntaxException {
    if (at >= text.length()) {
      throw unclosed("\\");
    }
    return text.charAt(at++);
  }

  private Part expansion(char opened, boolean quoted) throws ShellSyntaxException {
    if (opened == '`') {
      return new Part(Kind.SUBSTITUTION, upTo("`"), quoted);
    }
    if (text.startsWith("((", at)) {
      at += 2;
      return new Part(Kind.ARITHMETIC, upTo("))"), quoted);
    }
    if (text.startsWith("(", at)) {
      at++;
      return new Part(Kind.SUBSTITUTION, inParentheses(), quoted);
    }
    if (text.startsWith("{", at)) {
      at++;
      String name = upTo("}");
      if (!name.matches("[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!]")) {
        throw new ShellSyntaxException(
            "'${" + name + "}' is not supported by this host's shell: only ${NAME} is");
      }
      return new Part(Kind.PARAMETER, name, quoted);
    }
    if (at < text.length() && SPECIAL_PARAMETERS.indexOf(text.charAt(at)) >= 0) {
      return new Part(Kind.PARAMETER, String.valueOf(text.charAt(at++)), quoted);
    }
    int start = at;
    while (at < text.length() && String.valueOf(text.charAt(at)).matches("[A-Za-z0-9_]")) {
      at++;
    }
    return start == at
        ? new Part(Kind.TEXT, "$", quoted)
        : new Part(Kind.PARAMETER, text.substring(start, at), quoted);
  }

  private String upTo(String end) throws ShellSyntaxException {
    int found = text.indexOf(end, at);
    if (found < 0) {
      throw unclosed(end);
    }
    String inside = text.substring(at, found);
    at = found + end.length();
    return inside;
  }

  private String inParentheses() throws ShellSyntaxException {
    int start = at;
    int depth = 1;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '\'') {
        singleQuoted();
      } else if (c == '(') {
        depth++;
      } else if (c == ')' && --depth == 0) {
        return text.substring(start, at - 1);
      }
    }
    throw unclosed(")");
  }

  private static ShellSyntaxException unclosed(String what) {
    return new ShellSyntaxException(
        "unexpected end of file while looking for matching `" + what + "'");
  }
}
