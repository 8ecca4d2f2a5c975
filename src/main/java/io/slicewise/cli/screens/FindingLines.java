package io.slicewise.cli.screens;

import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.report.table.Wrap;
import io.slicewise.sweep.preflight.CheckResult;
import io.slicewise.sweep.preflight.CheckResult.Level;
import java.util.ArrayList;
import java.util.List;

/** Findings of checks as text, with their number at the end. */
public final class FindingLines {
  private static final String INDENT = " ".repeat(23);

  private FindingLines() {}

  /** Returns the lines of all findings, then of their total. */
  public static List<String> of(List<CheckResult> findings) {
    List<String> lines = new ArrayList<>();
    findings.forEach(finding -> add(finding, lines));
    lines.add(total(findings));
    return List.copyOf(lines);
  }

  private static void add(CheckResult finding, List<String> lines) {
    String head = Phrase.of("%-9s %-12s ", EnumName.of(finding.level()), finding.subject());
    lines.addAll(Wrap.lines(finding.sentence(), head, INDENT, Terminal.tableWidth()));
    if (!finding.wayOut().isEmpty()) {
      lines.addAll(Wrap.lines("-> " + finding.wayOut(), INDENT, INDENT, Terminal.tableWidth()));
    }
  }

  private static String total(List<CheckResult> findings) {
    return Phrase.of(
        "%d ok, %s, %d blocking",
        count(findings, Level.OK),
        Plural.of(count(findings, Level.WARNING), "warning"),
        count(findings, Level.BLOCKING));
  }

  private static long count(List<CheckResult> findings, Level level) {
    return findings.stream().filter(finding -> finding.level() == level).count();
  }
}
