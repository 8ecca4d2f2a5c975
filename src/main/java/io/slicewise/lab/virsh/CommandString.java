package io.slicewise.lab.virsh;

import java.util.ArrayList;
import java.util.List;

/**
 * Several commands in one argument, as virsh reads them: words separated by blanks, with quotes and
 * backslashes, and commands separated by semicolons and line ends.
 */
final class CommandString {
  private final String text;
  private final List<List<String>> commands = new ArrayList<>();
  private List<String> words = new ArrayList<>();
  private int at;

  private CommandString(String text) {
    this.text = text;
  }

  /** Returns the words of each command. */
  static List<List<String>> parse(String text) {
    CommandString read = new CommandString(text);
    read.read();
    return read.commands;
  }

  private void read() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == ';' || c == '\n') {
        at++;
        end();
      } else if (c == '#') {
        at = Math.max(at, (text + "\n").indexOf('\n', at));
      } else if (Character.isWhitespace(c)) {
        at++;
      } else {
        words.add(word());
      }
    }
    end();
  }

  private void end() {
    if (!words.isEmpty()) {
      commands.add(words);
      words = new ArrayList<>();
    }
  }

  private String word() {
    StringBuilder word = new StringBuilder();
    char quote = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (quote == 0 && (Character.isWhitespace(c) || c == ';')) {
        return word.toString();
      }
      at++;
      if (quote == 0 && (c == '\'' || c == '"')) {
        quote = c;
      } else if (c == quote) {
        quote = 0;
      } else if (c == '\\' && quote != '\'') {
        if (at == text.length()) {
          throw new VirshFailure("dangling \\");
        }
        word.append(text.charAt(at++));
      } else {
        word.append(c);
      }
    }
    if (quote == '"') {
      throw new VirshFailure("missing \"");
    }
    return word.toString();
  }
}
