package io.slicewise.host.xen;

import io.slicewise.host.HypervisorException;
import io.slicewise.host.xen.KeptGuests.Keeper;
import io.slicewise.host.xen.KeptGuests.Kept;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The configuration files of {@code xl}'s domains ({@code xl.cfg(5)}): {@code cpu_weight} and
 * {@code cap}. A line is changed in its place and only if it still is as it was read; one that is
 * missing is added at the end with a mark, and removed when the default comes back.
 *
 * @param directory {@code /etc/xen}
 */
record ConfigFiles(RemoteShell shell, String directory) implements Keeper {
  static final String PLACES = "/etc/xen/*.cfg, /etc/xen/auto and /etc/xen/vm";

  private static final String MARK = "  # slicewise";
  private static final Map<String, String> KEYS =
      Map.of(KeptGuests.WEIGHT, "cpu_weight", KeptGuests.CAP, "cap");

  /** Links to one file are one file; a line is printed with its number. */
  private static final String READING =
      """
      cd %s 2>/dev/null || exit 0
      for file in *.cfg auto/* vm/*; do
        [ ! -f "$file" ] || readlink -f "$file"
      done | sort -u | while read -r file; do
        echo "@ $file"
        grep -nE '^[[:space:]]*(name|cpu_weight|cap)[[:space:]]*=' "$file"
      done
      true\
      """;

  private static final Pattern NAME =
      Pattern.compile("\\d+:\\s*name\\s*=\\s*([\"'])(.*)\\1\\s*;?\\s*(?:#.*)?");
  private static final Pattern VALUE =
      Pattern.compile(
          "(\\d+):(\\s*(cpu_weight|cap)\\s*=\\s*[\"']?)(\\d{1,9})([\"']?\\s*;?\\s*(?:#.*)?)");
  private static final Pattern KEY = Pattern.compile("\\d+:\\s*(cpu_weight|cap)\\s*=.*");

  /** A line with a value. */
  private record Line(int number, String before, int value, String after) {}

  @Override
  public boolean inFiles() {
    return true;
  }

  @Override
  public Map<String, Kept> read() {
    Map<String, Kept> guests = new LinkedHashMap<>();
    files()
        .forEach(
            (file, lines) ->
                lines.stream()
                    .map(NAME::matcher)
                    .filter(Matcher::matches)
                    .map(name -> name.group(2))
                    .findFirst()
                    .ifPresent(name -> guests.merge(name, kept(file, lines), ConfigFiles::both)));
    return guests;
  }

  private static Kept both(Kept one, Kept other) {
    return new Kept(
        one.identity(),
        Map.of(),
        Optional.of("is the name in %s and in %s".formatted(one.identity(), other.identity())));
  }

  private static Kept kept(String file, List<String> lines) {
    Map<String, Integer> values = new LinkedHashMap<>();
    lines(lines).forEach((key, line) -> values.put(key, line.value()));
    long written = lines.stream().filter(line -> KEY.matcher(line).matches()).count();
    Optional<String> unclear =
        written == values.size()
            ? Optional.empty()
            : Optional.of(
                "has cpu_weight or cap in %s twice, or as something else than a number"
                    .formatted(file));
    return new Kept(file, values, unclear);
  }

  /** Returns the lines with values by weight and cap. */
  private static Map<String, Line> lines(List<String> printed) {
    Map<String, Line> lines = new LinkedHashMap<>();
    for (String one : printed) {
      Matcher value = VALUE.matcher(one);
      if (value.matches()) {
        lines.put(
            value.group(3).equals("cap") ? KeptGuests.CAP : KeptGuests.WEIGHT,
            new Line(
                Integer.parseInt(value.group(1)),
                value.group(2),
                Integer.parseInt(value.group(4)),
                value.group(5)));
      }
    }
    return lines;
  }

  /** Returns the lines of each file. */
  private Map<String, List<String>> files() {
    CommandResult result =
        shell.run(
            Command.reading("sh", "-c", READING.formatted(Command.reading(directory).quoted())));
    if (!result.succeeded()) {
      throw new HypervisorException(
          "The configuration files of %s could not be read: %s"
              .formatted(shell.address(), result.standardError().strip()),
          "Check that this login can read " + directory + ".");
    }
    Map<String, List<String>> files = new LinkedHashMap<>();
    List<String> lines = new ArrayList<>();
    for (String line : result.standardOutput().lines().toList()) {
      if (line.startsWith("@ ")) {
        lines = files.computeIfAbsent(line.substring(2), any -> new ArrayList<>());
      } else {
        lines.add(line);
      }
    }
    return files;
  }

  @Override
  public String script(Kept guest, Map<String, Integer> current, Map<String, Integer> wanted) {
    String file = Command.reading(guest.identity()).quoted();
    Map<String, Line> now = lines(files().getOrDefault(guest.identity(), List.of()));
    List<String> steps = new ArrayList<>();
    List<String> edits = new ArrayList<>();
    List<String> added = new ArrayList<>();
    wanted.forEach(
        (key, value) -> {
          Line line = now.get(key);
          if (line == null || line.after().equals(MARK)) {
            edits.add("-e '/^%s = [0-9]*%s$/d'".formatted(KEYS.get(key), MARK));
            if (!value.equals(KeptGuests.DEFAULTS.get(key))) {
              added.add("'%s = %d%s'".formatted(KEYS.get(key), value, MARK));
            }
            return;
          }
          String text = line.before() + current.get(key) + line.after();
          steps.add(
              "[ \"$(sed -n %dp %s)\" = %s ]"
                  .formatted(line.number(), file, Command.reading(text).quoted()));
          edits.add("-e '%ds/[0-9][0-9]*/%d/'".formatted(line.number(), value));
        });
    steps.add("sed -i %s %s".formatted(String.join(" ", edits), file));
    if (!added.isEmpty()) {
      steps.add("{ [ -z \"$(tail -c 1 %1$s)\" ] || echo >>%1$s; }".formatted(file));
      steps.add("printf '%%s\\n' %s >>%s".formatted(String.join(" ", added), file));
    }
    return String.join(" && ", steps);
  }
}
