package io.slicewise.cli;

import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a terminal of that width shows after what was written to it: carriage return, line feed,
 * cursor up, erasing, and wrapping as a real one does it. Anything else it is told is refused.
 */
public final class TerminalPicture extends Writer {
  private static final Pattern ESCAPE = Pattern.compile("\033\\[(\\??[0-9]*)([A-Za-z])");

  private final List<StringBuilder> rows = new ArrayList<>(List.of(new StringBuilder()));
  private final int width;
  private int row;
  private int column;
  private boolean wraps = true;

  public TerminalPicture(int width) {
    this.width = width;
  }

  public int width() {
    return width;
  }

  /** What stands on the screen and above it; trailing empty lines are not told. */
  public List<String> lines() {
    List<String> lines =
        new ArrayList<>(rows.stream().map(r -> r.toString().stripTrailing()).toList());
    while (!lines.isEmpty() && lines.get(lines.size() - 1).isEmpty()) {
      lines.remove(lines.size() - 1);
    }
    return lines;
  }

  @Override
  public void write(char[] buffer, int offset, int length) {
    String text = new String(buffer, offset, length);
    Matcher escape = ESCAPE.matcher(text);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\r') {
        column = 0;
      } else if (c == '\n') {
        // As the line discipline does it: a new line begins at its left.
        column = 0;
        down();
      } else if (c == '\033') {
        if (!escape.find(i) || escape.start() != i) {
          throw new IllegalArgumentException("no escape sequence known here: " + text.substring(i));
        }
        obey(escape.group(1), escape.group(2));
        i = escape.end() - 1;
      } else {
        put(c);
      }
    }
  }

  private void down() {
    row++;
    if (row == rows.size()) {
      rows.add(new StringBuilder());
    }
  }

  private void put(char c) {
    if (column == width) {
      column = wraps ? 0 : width - 1;
      if (wraps) {
        down();
      }
    }
    StringBuilder line = rows.get(row);
    while (line.length() <= column) {
      line.append(' ');
    }
    line.setCharAt(column++, c);
  }

  private void obey(String number, String command) {
    switch (command + number) {
      case "K" -> erase(row);
      case "J" -> {
        erase(row);
        for (int below = row + 1; below < rows.size(); below++) {
          rows.get(below).setLength(0);
        }
      }
      case "l?7" -> wraps = false;
      case "h?7" -> wraps = true;
      default -> {
        if (!command.equals("A")) {
          throw new IllegalArgumentException("unknown: " + number + command);
        }
        row -= Integer.parseInt(number);
        if (row < 0) {
          throw new IllegalArgumentException("moved above what was written");
        }
      }
    }
  }

  private void erase(int which) {
    rows.get(which).setLength(Math.min(column, rows.get(which).length()));
  }

  @Override
  public void flush() {
    // Everything is shown at once.
  }

  @Override
  public void close() {
    // A picture stays.
  }
}
