package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.published.CsvFile.Line;
import io.slicewise.run.validity.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A study's table of SEDF profiles: slices and periods of the control domain and of the guests, and
 * the printed share that they request together.
 */
final class SettingsTable {
  static final List<String> COLUMNS =
      List.of(
          "profile",
          "dom0_slice_ms",
          "dom0_period_ms",
          "main_vm_slice_ms",
          "other_vm_slice_ms",
          "vm_period_ms",
          "main_vms",
          "other_vms",
          "cpu_share_requested");

  /** Shares are printed with three decimals, as sums that were rounded once. */
  private static final double ROUNDING = 0.0006;

  private SettingsTable() {}

  /** The profiles with slices; others use other schedulers. */
  static List<Line> profiles(CsvFile file) {
    return file.lines().stream().filter(line -> !line.text("dom0_slice_ms").isBlank()).toList();
  }

  /** Returns the impossible values. */
  static List<Violation> violations(CsvFile file) {
    List<Violation> violations = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    Map<Double, Integer> requests = new TreeMap<>();
    for (Line line : profiles(file)) {
      requests.merge(line.number("cpu_share_requested", faults), 1, Integer::sum);
    }
    double usual =
        requests.entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse(Double.NaN);
    profiles(file).forEach(line -> violations.addAll(of(line, usual, faults)));
    CsvFile.refuse(faults);
    return violations;
  }

  private static List<Violation> of(Line line, double usual, List<String> faults) {
    List<Violation> violations = new ArrayList<>();
    double control = share(line, "dom0_slice_ms", "dom0_period_ms", violations, faults);
    double main = share(line, "main_vm_slice_ms", "vm_period_ms", violations, faults);
    double other = share(line, "other_vm_slice_ms", "vm_period_ms", violations, faults);
    double sum = control + guests(line, "main_vms") * main + guests(line, "other_vms") * other;
    double printed = line.number("cpu_share_requested", faults);
    String profile = line.text("workload") + " " + line.text("profile");
    if (Math.abs(sum - printed) > ROUNDING) {
      violations.add(
          TableRule.REQUESTED.broken(
              line.place(),
              Phrase.of(
                  "%s: slices / periods add up to %.3f, printed as %.3f", profile, sum, printed),
              "a slice or period was mistyped, or a guest was omitted"));
    }
    if (Math.abs(printed - usual) > ROUNDING) {
      violations.add(
          TableRule.REQUESTED.doubted(
              line.place(),
              Phrase.of("%s requests %.3f pCPUs, most others %.3f", profile, printed, usual),
              "unlike the others: a slice was mistyped, or not meant to add up"));
    }
    return violations;
  }

  private static double share(
      Line line, String slice, String period, List<Violation> violations, List<String> faults) {
    if (line.text(slice).isBlank()) {
      return 0;
    }
    double share = line.number(slice, faults) / line.number(period, faults);
    if (share > 1) {
      violations.add(
          TableRule.REQUESTED.broken(
              line.place(),
              line.text("profile") + ": " + slice + " is longer than " + period,
              "the two were swapped, or are in different units"));
    }
    return share;
  }

  private static int guests(Line line, String column) {
    String names = line.text(column);
    return names.isBlank() ? 0 : names.split("\\+").length;
  }
}
