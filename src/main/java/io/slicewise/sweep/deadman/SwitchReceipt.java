package io.slicewise.sweep.deadman;

import io.slicewise.base.units.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a switch did.
 *
 * @param silent the time without a heartbeat, by the host's uptime
 * @param date of the host's clock, for people
 * @param outcomes by the number of the domain: {@code restored}, {@code kept} (it had its
 *     settings), {@code left} and what someone else set, {@code gone}, or {@code failed} and why
 * @param aside the holder of the host's lock, if that was not the run: nothing was changed
 * @param took how long restoring took
 */
public record SwitchReceipt(
    Duration silent,
    String date,
    Map<Integer, String> outcomes,
    Optional<String> aside,
    Duration took) {
  private static final String FAILED = "failed";
  private static final String LEFT = "left";

  public SwitchReceipt {
    outcomes = new TreeMap<>(outcomes);
  }

  static SwitchReceipt parse(List<String> lines) {
    Map<String, String> facts = new LinkedHashMap<>();
    Map<Integer, String> outcomes = new LinkedHashMap<>();
    for (String line : lines) {
      String[] words = line.strip().split(" ", 3);
      String rest = line.strip().substring(words[0].length()).strip();
      switch (words[0]) {
        case "restored", "kept", "gone", LEFT, FAILED -> {
          if (words.length > 1 && words[1].matches("\\d{1,6}")) {
            String why = words.length > 2 ? ": " + words[2].strip() : "";
            outcomes.put(Integer.valueOf(words[1]), words[0] + why);
          }
        }
        default -> facts.putIfAbsent(words[0], rest);
      }
    }
    return new SwitchReceipt(
        seconds(facts.get("silent")),
        facts.getOrDefault("date", "unknown"),
        outcomes,
        Optional.ofNullable(facts.get("aside")),
        seconds(facts.get("took")));
  }

  private static Duration seconds(String text) {
    return text != null && text.matches("\\d{1,9}")
        ? Duration.ofSeconds(Long.parseLong(text))
        : Duration.ZERO;
  }

  /** Returns the domains that have their settings again. */
  public List<String> restored(List<String> domains) {
    return with(domains, "restored", "kept");
  }

  /** Returns the domains that no longer run. */
  public List<String> gone(List<String> domains) {
    return with(domains, "gone");
  }

  /** Returns the domains with values that someone else set and that were left, with these. */
  public Map<String, String> left(List<String> domains) {
    Map<String, String> left = new LinkedHashMap<>();
    for (String domain : with(domains, LEFT)) {
      left.put(domain, outcome(domains, domain).replaceFirst("^" + LEFT + ":? ?", ""));
    }
    return left;
  }

  /** Returns the domains that could not be restored, with reasons. */
  public Map<String, String> failed(List<String> domains) {
    Map<String, String> failed = new LinkedHashMap<>();
    with(domains, FAILED).forEach(domain -> failed.put(domain, outcome(domains, domain)));
    return failed;
  }

  private List<String> with(List<String> domains, String... words) {
    List<String> names = new ArrayList<>();
    for (String domain : domains) {
      if (List.of(words).contains(outcome(domains, domain).split(":", 2)[0])) {
        names.add(domain);
      }
    }
    return names;
  }

  private String outcome(List<String> domains, String domain) {
    return outcomes.getOrDefault(domains.indexOf(domain) + 1, FAILED + ": not attempted");
  }

  /** Returns a sentence about when it acted, without a full stop. */
  public String summary() {
    return aside.isPresent()
        ? "the dead man's switch changed nothing at %s, after %s without a heartbeat: the host's lock was held by %s"
            .formatted(date, DurationText.of(silent), aside.get())
        : "the dead man's switch restored the host at %s, after %s without a heartbeat, in %s"
            .formatted(date, DurationText.of(silent), DurationText.of(took));
  }

  /** Returns the same with what it restored. */
  public String sentence(List<String> domains) {
    if (aside.isPresent()) {
      return summary();
    }
    Map<String, String> failed = failed(domains);
    List<String> parts = new ArrayList<>();
    parts.add("restored " + list(restored(domains)));
    if (!gone(domains).isEmpty()) {
      parts.add("no longer running: " + list(gone(domains)));
    }
    left(domains).forEach((domain, values) -> parts.add("left " + leftSentence(domain, values)));
    if (!failed.isEmpty()) {
      parts.add(
          failed.entrySet().stream()
              .map(one -> one.getKey() + " " + one.getValue())
              .collect(Collectors.joining("; ")));
    }
    return summary() + ": " + String.join("; ", parts);
  }

  /** Returns what a domain keeps, as a clause. */
  public static String leftSentence(String domain, String values) {
    return "%s with what someone else set (%s)".formatted(domain, values);
  }

  private static String list(List<String> names) {
    return names.isEmpty() ? "nothing" : String.join(", ", names);
  }
}
