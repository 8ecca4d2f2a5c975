package io.slicewise.lab.dom0;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One command of a {@code sed} script, with its addresses. */
final class SedCommand {
  private static final Pattern ADDRESS =
      Pattern.compile("\\s*(?:(\\d+|\\$)|/((?:[^/\\\\]|\\\\.)*)/)");

  private final List<String> addresses;
  private final char letter;
  private final String regex;
  private final String replacement;
  private final String flags;
  private boolean inside;

  private SedCommand(
      List<String> addresses, char letter, String regex, String replacement, String flags) {
    this.addresses = addresses;
    this.letter = letter;
    this.regex = regex;
    this.replacement = replacement;
    this.flags = flags;
  }

  /**
   * Parses a script.
   *
   * @throws IllegalArgumentException if the script contains anything unsupported
   */
  static List<SedCommand> all(String script, boolean extended) {
    List<SedCommand> commands = new ArrayList<>();
    String left = script;
    while (!left.isBlank()) {
      left = left.replaceFirst("^[\\s;]+", "");
      List<String> addresses = new ArrayList<>();
      Matcher address = ADDRESS.matcher(left);
      while (addresses.size() < 2 && address.lookingAt()) {
        addresses.add(
            address.group(1) == null
                ? "/" + pattern(address.group(2), extended)
                : address.group(1));
        left = left.substring(address.end()).replaceFirst("^\\s*,", "");
        address = ADDRESS.matcher(left);
      }
      left = left.stripLeading();
      if (left.isEmpty()) {
        throw new IllegalArgumentException("char " + script.length() + ": missing command");
      }
      char letter = left.charAt(0);
      if (letter == 's') {
        String[] parts = parts(left);
        String[] ends = parts[2].split("[;\\n]", 2);
        commands.add(
            new SedCommand(
                addresses, 's', pattern(parts[0], extended), replacement(parts[1]), ends[0]));
        left = ends.length > 1 ? ends[1] : "";
      } else if ("pdq".indexOf(letter) >= 0) {
        commands.add(new SedCommand(addresses, letter, "", "", ""));
        left = left.substring(1);
      } else {
        throw new IllegalArgumentException("char 1: unknown command: `" + letter + "'");
      }
    }
    return commands;
  }

  private static String pattern(String text, boolean extended) {
    return extended ? text : Grep.basic(text);
  }

  /** Splits a command at its delimiter into pattern, replacement and flags. */
  private static String[] parts(String command) {
    char by = command.charAt(1);
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    int at = 2;
    while (at < command.length() && parts.size() < 2) {
      char c = command.charAt(at++);
      if (c == by) {
        parts.add(part.toString());
        part.setLength(0);
      } else if (c == '\\' && at < command.length() && command.charAt(at) == by) {
        part.append(command.charAt(at++));
      } else if (c == '\\' && at < command.length()) {
        part.append(c).append(command.charAt(at++));
      } else {
        part.append(c);
      }
    }
    if (parts.size() < 2) {
      throw new IllegalArgumentException("char " + command.length() + ": unterminated `s' command");
    }
    return new String[] {parts.get(0), parts.get(1), command.substring(at)};
  }

  /**
   * Translates a replacement to Java's syntax: {@code &} is the whole match, {@code \1} a group,
   * {@code $} a literal.
   */
  private static String replacement(String text) {
    StringBuilder java = new StringBuilder();
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      char next = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
      if (c == '&') {
        java.append("$0");
      } else if (c == '\\' && Character.isDigit(next)) {
        java.append('$').append(next);
        at++;
      } else if (c == '\\' && next == 'n') {
        java.append('\n');
        at++;
      } else if (c == '\\') {
        java.append(Matcher.quoteReplacement(String.valueOf(next)));
        at++;
      } else {
        java.append(Matcher.quoteReplacement(String.valueOf(c)));
      }
    }
    return java.toString();
  }

  char letter() {
    return letter;
  }

  String regex() {
    return regex;
  }

  String replacement() {
    return replacement;
  }

  String flags() {
    return flags;
  }

  /** Returns whether the command applies to this line. A range keeps its state between lines. */
  boolean selects(String line, int number, boolean last) {
    if (addresses.isEmpty()) {
      return true;
    }
    if (addresses.size() == 1) {
      return is(addresses.get(0), line, number, last);
    }
    if (inside) {
      inside = !is(addresses.get(1), line, number, last);
      return true;
    }
    inside = is(addresses.get(0), line, number, last);
    return inside;
  }

  private static boolean is(String address, String line, int number, boolean last) {
    if (address.equals("$")) {
      return last;
    }
    return address.startsWith("/")
        ? Pattern.compile(address.substring(1)).matcher(line).find()
        : Integer.parseInt(address) == number;
  }
}
