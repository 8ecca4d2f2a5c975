package io.slicewise.evidence.study;

import io.slicewise.evidence.published.PublishedNumber;
import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.evidence.study.Cells.Tiers;
import io.slicewise.evidence.study.InterferenceRow.InterferenceMeasure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The interference study of published tables. The reference of a case is the one without neighbours
 * in the same file and on the same server, because other files may be of other measurements; of
 * several, the one of its own table, because each table may be of a design of its own.
 */
public final class InterferenceTables {
  private static final String EXPERIMENT = "experiment";
  private static final List<String> KNOWN = List.of("tps", "reads_per_s", "avgrdwait", "r_total");
  private static final StudyCell NOTHING = new StudyCell(Map.of(), "", Map.of());

  private final List<PublishedNumber> numbers;
  private final Cells cells;

  private InterferenceTables(List<PublishedNumber> numbers) {
    this.numbers = numbers;
    this.cells = Cells.published(numbers);
  }

  /** Whether the numbers of a file are of a guest and its neighbours, and not of two systems. */
  public static boolean belongs(List<PublishedNumber> numbers) {
    return numbers.stream().anyMatch(number -> isGuest(number.side()))
        && numbers.stream()
            .noneMatch(one -> one.side().equals(Tiers.BASE) || one.side().equals(Tiers.XEN));
  }

  /** The cases of one file that have a rate, reads or waits. */
  public static List<InterferenceRow> of(List<PublishedNumber> numbers) {
    return new InterferenceTables(numbers).rows();
  }

  private List<InterferenceRow> rows() {
    Map<Map<String, String>, List<StudyCell>> cases = new LinkedHashMap<>();
    for (StudyCell cell : cells.all()) {
      if (KNOWN.stream().anyMatch(cell::has)) {
        cases.computeIfAbsent(cell.of(), of -> new ArrayList<>()).add(cell);
      }
    }
    List<InterferenceRow> rows = new ArrayList<>();
    cases.keySet().forEach(of -> rows.add(row(of)));
    return rows;
  }

  private InterferenceRow row(Map<String, String> of) {
    Optional<Map<String, String>> reference = reference(of);
    boolean alone = reference.filter(of::equals).isPresent();
    InterferenceStudy study = study(of, reference.orElse(Map.of()));
    InterferenceRow row =
        InterferenceRow.of(
            place(of), of.getOrDefault(EXPERIMENT, ""), alone, List.of(study), List.of());
    return number(of, "tps")
        .filter(number -> number.deviation() > 0 && number.runs() > 1)
        .map(number -> row.with(InterferenceMeasure.TPS, number.deviation(), (int) number.runs()))
        .orElse(row);
  }

  private Optional<PublishedNumber> number(Map<String, String> of, String metric) {
    return numbers.stream()
        .filter(number -> number.keys().equals(of) && number.metric().equals(metric))
        .findFirst();
  }

  private InterferenceStudy study(Map<String, String> of, Map<String, String> reference) {
    StudyCell guest = guest(of);
    StudyCell control = cells.find(of, Tiers.CONTROL).orElse(NOTHING);
    return new InterferenceStudy(
        guest, control, guest(reference), cells.find(reference, Tiers.CONTROL).orElse(NOTHING));
  }

  private StudyCell guest(Map<String, String> of) {
    return cells.all().stream()
        .filter(cell -> cell.of().equals(of) && isGuest(cell.tier()))
        .findFirst()
        .orElse(NOTHING);
  }

  private static boolean isGuest(String tier) {
    return !tier.equals(Tiers.CONTROL) && !tier.contains("vs") && !tier.isEmpty();
  }

  /**
   * The case without neighbours: with the longest common name, then the case itself, then one of
   * the same table, then one with the most measures in common.
   */
  private Optional<Map<String, String>> reference(Map<String, String> of) {
    String name = of.getOrDefault(EXPERIMENT, "");
    return numbers.stream()
        .filter(number -> place(number.keys()).equals(place(of)))
        .filter(number -> number.aloneOf().filter(name::startsWith).isPresent())
        .max(
            Comparator.<PublishedNumber>comparingInt(one -> one.aloneOf().orElseThrow().length())
                .thenComparing(one -> one.keys().equals(of))
                .thenComparing(one -> tables(of).contains(one.table()))
                .thenComparing(one -> inCommon(of, one.keys())))
        .map(PublishedNumber::keys);
  }

  private Set<String> tables(Map<String, String> of) {
    return each(of, PublishedNumber::table);
  }

  private int inCommon(Map<String, String> of, Map<String, String> reference) {
    Set<String> metrics = each(of, PublishedNumber::metric);
    metrics.retainAll(each(reference, PublishedNumber::metric));
    metrics.retainAll(KNOWN);
    return metrics.size();
  }

  private Set<String> each(Map<String, String> of, Function<PublishedNumber, String> part) {
    return numbers.stream()
        .filter(number -> number.keys().equals(of))
        .map(part)
        .collect(Collectors.toSet());
  }

  private static String place(Map<String, String> of) {
    Map<String, String> other = new TreeMap<>(of);
    other.remove(EXPERIMENT);
    return String.join(", ", other.values());
  }
}
