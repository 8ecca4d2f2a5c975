package io.slicewise.cli.screens;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.facts.LikeSentences;
import io.slicewise.evidence.published.PublishedTables;
import io.slicewise.evidence.published.TableRule;
import io.slicewise.report.table.Wrap;
import io.slicewise.run.validity.Violation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Prints the findings of {@code check} by run or table, then by rule, then by cause. */
public final class CheckScreen {
  private final List<String> lines = new ArrayList<>();

  private CheckScreen() {}

  /**
   * The findings in one run or table.
   *
   * @param asked how often each rule was checked on a table
   * @param skipped rules that could not be checked on a table
   * @param nothing why nothing could be checked; empty otherwise
   */
  public record Checked(
      String what,
      Map<String, Integer> asked,
      List<PublishedTables.Skipped> skipped,
      String nothing,
      List<Numbered> violations) {
    public static Checked of(Path run, List<Violation> violations, int before) {
      return new Checked(run.toString(), Map.of(), List.of(), "", numbered(violations, before));
    }

    public static Checked of(PublishedTables.Table table, int before) {
      return new Checked(
          table.file().toString(),
          table.asked(),
          table.skipped(),
          table.nothing(),
          numbered(table.violations(), before));
    }

    private static List<Numbered> numbered(List<Violation> violations, int before) {
      List<Numbered> numbered = new ArrayList<>();
      for (Violation violation : violations) {
        numbered.add(new Numbered(before + numbered.size() + 1, violation));
      }
      return List.copyOf(numbered);
    }
  }

  /**
   * A violation with its number.
   *
   * @param number from 1, over everything that was checked
   */
  public record Numbered(int number, Violation violation) {}

  public static List<String> lines(List<Checked> checked) {
    CheckScreen screen = new CheckScreen();
    checked.forEach(screen::add);
    return screen.lines;
  }

  private void add(Checked checked) {
    String outcome =
        checked.nothing().isEmpty()
            ? count(checked.violations())
            : "nothing to check: " + checked.nothing();
    lines(checked.what() + "   " + outcome, "CHECK  ", "       ");
    if (!checked.asked().isEmpty()) {
      String asked =
          checked.asked().entrySet().stream()
              .map(rule -> rule.getKey() + " " + rule.getValue())
              .collect(Collectors.joining(", "));
      boolean alone = checked.asked().keySet().equals(Set.of(TableRule.RANGE.key()));
      lines(asked + (alone ? "; no number depends on another" : ""), "       asked: ", "         ");
    }
    for (PublishedTables.Skipped rule : checked.skipped()) {
      lines(
          "%s %d: %s (%s%s)"
              .formatted(
                  rule.rule(),
                  rule.times(),
                  rule.reason(),
                  rule.times() > 1 ? "first " : "",
                  place(rule.place())),
          "       skipped: ",
          "         ");
    }
    Map<String, List<Numbered>> byRule = new LinkedHashMap<>();
    for (Numbered one : checked.violations()) {
      byRule.computeIfAbsent(one.violation().rule(), rule -> new ArrayList<>()).add(one);
    }
    byRule.values().forEach(this::addRule);
  }

  private void addRule(List<Numbered> found) {
    Violation first = found.get(0).violation();
    lines.add("");
    lines(
        first.statement() + ": " + count(found), Phrase.of("%-13s ", first.rule()), " ".repeat(14));
    Map<String, List<Numbered>> byCause = new LinkedHashMap<>();
    for (Numbered one : found) {
      byCause.computeIfAbsent(one.violation().likelyCause(), cause -> new ArrayList<>()).add(one);
    }
    byCause.forEach(
        (cause, same) -> {
          if (!cause.isEmpty()) {
            lines(cause, "  likely: ", "          ");
          }
          addFolded(same);
        });
  }

  /** Adds sentences on trials that differ only in numbers as one, with its count. */
  private void addFolded(List<Numbered> found) {
    Map<String, List<Numbered>> byStanding = new LinkedHashMap<>();
    for (Numbered one : found) {
      String place = one.violation().place();
      boolean alone = place.contains(":") || !one.violation().instead().isEmpty();
      byStanding
          .computeIfAbsent(
              alone ? "alone " + one.number() : standing(one.violation()), key -> new ArrayList<>())
          .add(one);
    }
    byStanding.values().forEach(this::addAlike);
  }

  private void addAlike(List<Numbered> found) {
    Map<String, List<String>> sentences = new LinkedHashMap<>();
    found.forEach(
        one -> sentences.put(String.valueOf(one.number()), List.of(one.violation().message())));
    Map<Integer, Numbered> byNumber = new LinkedHashMap<>();
    found.forEach(one -> byNumber.put(one.number(), one));
    for (LikeSentences alike : LikeSentences.of(sentences)) {
      List<Numbered> members =
          alike.subjects().stream().map(Integer::valueOf).map(byNumber::get).toList();
      Numbered first = members.get(0);
      if (members.size() == 1) {
        addOne(first);
      } else {
        lines(
            "%d times, first %s  %s%s"
                .formatted(
                    members.size(),
                    first.violation().place(),
                    standing(first.violation()),
                    alike.sentence()),
            Phrase.of("%5d  ", first.number()),
            "       ");
      }
    }
  }

  private void addOne(Numbered one) {
    Violation violation = one.violation();
    String what = place(violation.place()) + "  " + standing(violation) + violation.message();
    lines(what, Phrase.of("%5d  ", one.number()), "       ");
  }

  private static String standing(Violation violation) {
    if (!violation.instead().isEmpty()) {
      return "replaced by " + violation.instead() + ": ";
    }
    return violation.serious() ? "" : "in doubt: ";
  }

  private void lines(String words, String first, String next) {
    lines.addAll(Wrap.lines(words, first, next, Terminal.tableWidth()));
  }

  /** Returns the line without its file, which is printed above. */
  private static String place(String place) {
    int colon = place.lastIndexOf(':');
    return colon < 0 ? place : "line " + place.substring(colon + 1);
  }

  private static String count(List<Numbered> found) {
    boolean serious = found.stream().anyMatch(one -> one.violation().serious());
    return found.isEmpty()
        ? "nothing found"
        : Plural.of(found.size(), "finding") + (serious ? "" : ", none serious");
  }
}
