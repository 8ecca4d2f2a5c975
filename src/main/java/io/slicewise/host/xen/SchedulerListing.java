package io.slicewise.host.xen;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the scheduler listings of {@code xm} and {@code xl}: for each cpupool a line (not in xm
 * and xl 4.1), a header, and a row for each domain.
 *
 * <p>The header lists the columns after the name. Rows are read from the right, since a name may
 * contain spaces and is never truncated, and headers are not aligned with their columns.
 */
final class SchedulerListing {
  /**
   * A row.
   *
   * @param cpupool from the pool's line; empty if the listing has none
   * @param line as printed
   * @param cells by column title, without units
   */
  record Row(String cpupool, String name, String line, Map<String, String> cells) {
    Row {
      cells = Map.copyOf(cells);
    }

    String cell(String column) {
      return cells.getOrDefault(column, "");
    }

    int number(String column) {
      return Integer.parseInt(cell(column));
    }
  }

  private static final Pattern POOL = Pattern.compile("Cpupool (.+?):(?: .*)?");
  private static final Pattern HEADER = Pattern.compile("Name\\s+(ID\\s.*)");
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(?:\\.\\d+)?");
  private static final Pattern CELL = Pattern.compile("-?\\d+(?:\\.\\d+)?|yes|no");

  private final List<Row> rows = new ArrayList<>();
  private final List<String> strange = new ArrayList<>();
  private List<String> columns = List.of();
  private String cpupool = "";

  private SchedulerListing() {}

  static SchedulerListing parse(String text) {
    SchedulerListing table = new SchedulerListing();
    for (String line : text.lines().toList()) {
      if (!line.isBlank() && !table.takes(line)) {
        table.strange.add(line);
      }
    }
    return table;
  }

  /** Returns the rows of running domains; a halted domain (xm lists it without an id) has none. */
  List<Row> rows() {
    return List.copyOf(rows);
  }

  /** Returns the lines that cannot be understood. */
  List<String> strange() {
    return List.copyOf(strange);
  }

  /** Returns the text after each pool's name; may be empty. */
  static Map<String, String> pools(String text) {
    Map<String, String> parameters = new HashMap<>();
    for (String line : text.lines().toList()) {
      Matcher pool = POOL.matcher(line);
      if (pool.matches()) {
        parameters.put(pool.group(1), line.substring(pool.end(1) + 1).strip());
      }
    }
    return parameters;
  }

  private boolean takes(String line) {
    if (!columns.isEmpty() && takesRow(line)) {
      return true;
    }
    Matcher header = HEADER.matcher(line);
    if (header.matches()) {
      columns = List.of(header.group(1).replaceAll("\\(\\S+\\)", "").strip().split("\\s+"));
      return true;
    }
    Matcher pool = POOL.matcher(line);
    if (pool.matches()) {
      cpupool = pool.group(1);
      return true;
    }
    return false;
  }

  private boolean takesRow(String line) {
    Map<String, String> cells = new HashMap<>();
    int end = line.stripTrailing().length();
    for (int i = columns.size() - 1; i >= 0; i--) {
      int start = line.lastIndexOf(' ', end - 1) + 1;
      String cell = line.substring(start, end);
      boolean halted = i == 0 && !NUMBER.matcher(cell).matches();
      if (halted) {
        return true;
      }
      if (!CELL.matcher(cell).matches()) {
        return false;
      }
      cells.put(columns.get(i), cell);
      end = line.substring(0, start).stripTrailing().length();
      if (end == 0) {
        // Nothing is left for a name: this is a halted domain with a numeric name.
        return i <= 1;
      }
    }
    rows.add(new Row(cpupool, line.substring(0, end), line, cells));
    return true;
  }
}
