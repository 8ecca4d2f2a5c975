package io.slicewise.lab.replay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A command line whose parts that differ between two runs are left out: the text of a host's lock,
 * the run's id, the number of a heartbeat.
 *
 * @param key equal for the same command of two runs
 * @param names the parts that a host may repeat in its answers: locks and switches, in order
 */
record AskedLine(String key, List<String> names) {
  private static final Pattern VARYING =
      Pattern.compile(
          "(?<name>[^' ]+ \\(run [0-9a-f]{16} of machine [0-9a-f]{16}, process \\d+ on [^)']*\\)"
              + "|(?<!slicewise-)\\b[0-9a-f]{16}-\\d{1,9}\\b)"
              + "|(?<=/tmp/slicewise-)[0-9a-f]{16}(?=-X+)"
              + "|(?<= beat )\\d+$");

  AskedLine {
    names = List.copyOf(names);
  }

  static AskedLine of(String line) {
    List<String> names = new ArrayList<>();
    StringBuilder key = new StringBuilder();
    Matcher varying = VARYING.matcher(line);
    while (varying.find()) {
      if (varying.group("name") != null) {
        names.add(varying.group("name"));
      }
      varying.appendReplacement(key, "*");
    }
    return new AskedLine(varying.appendTail(key).toString(), names);
  }

  /** Returns the names of a recorded run's command, each with that of this one. */
  Map<String, String> replacing(AskedLine recorded) {
    Map<String, String> replaced = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      replaced.put(recorded.names.get(i), names.get(i));
    }
    return replaced;
  }
}
