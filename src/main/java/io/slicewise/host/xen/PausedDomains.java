package io.slicewise.host.xen;

import io.slicewise.host.Domain;
import io.slicewise.host.GuestWatcher;
import io.slicewise.host.HostDescription;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The domains that {@code xentop -b} shows as paused, by a look at every second. */
record PausedDomains(HostDescription description) implements GuestWatcher {
  private static final Pattern HEADER = Pattern.compile("\\s*NAME\\s+STATE\\s.*");

  /** The name and the state, whose letters are in the order dsbcpr. */
  private static final Pattern ROW =
      Pattern.compile("\\s*(\\S.{0,200}?)\\s+[-d][-s][-b][-c]([-p])[-r]\\s+\\d{1,12}\\s.*");

  /** The length to which xentop cuts names without {@code -f}. */
  private static final int CUT = 10;

  @Override
  public String name() {
    return "xentop";
  }

  @Override
  public List<String> words() {
    List<String> words = new ArrayList<>(List.of("xentop", "-b"));
    if (description.version().atLeast(4, 0)) {
      words.add("-f");
    }
    words.addAll(List.of("-d", "1"));
    return words;
  }

  @Override
  public Map<String, String> changes(String printed, List<Domain> domains) {
    int readings = 0;
    Map<String, Integer> paused = new LinkedHashMap<>();
    for (String line : printed.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (HEADER.matcher(line).matches()) {
        readings++;
      } else if (row.matches() && row.group(2).equals("p")) {
        paused.merge(row.group(1), 1, Integer::sum);
      }
    }
    Map<String, String> clauses = new LinkedHashMap<>();
    for (Domain domain : domains) {
      String cut = domain.name().substring(0, Math.min(CUT, domain.name().length())).strip();
      Integer seen = paused.getOrDefault(domain.name(), paused.get(cut));
      if (seen != null) {
        clauses.put(
            domain.name(), "paused at %d of %d looks in the window".formatted(seen, readings));
      }
    }
    return clauses;
  }
}
