package io.slicewise.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.slicewise.analysis.PublishedCheck;
import io.slicewise.analysis.StudyFinding;
import io.slicewise.analysis.StudyTable;
import io.slicewise.json.Json;
import io.slicewise.units.ExitCode;
import io.slicewise.units.SlicewiseException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise check}: a study's tables against physics and against each other. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Lists what cannot be as printed in a study's tables: shares that do not add up, rates that"
          + " break Little's law, intervals with the wrong n, cells with a run missing, guests that"
          + " stand idle under load. Changes nothing."
    })
final class CheckCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "DIR|FILE",
      description =
          "CSV tables with the columns profile, users, metric, vm, mean, stddev, ci95_half_width;"
              + " of a directory, those of its CSV files that have them.")
  private List<Path> paths;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    Map<Path, List<StudyFinding>> findings = new TreeMap<>();
    for (Path table : tables()) {
      findings.put(table, PublishedCheck.findings(StudyTable.read(table)));
    }
    PrintWriter out = spec.commandLine().getOut();
    if (output.json()) {
      printJson(out, findings.values().stream().flatMap(List::stream).toList());
    } else {
      findings.forEach((table, found) -> print(out, table, found));
    }
    out.flush();
    boolean sound = findings.values().stream().allMatch(List::isEmpty);
    return (sound ? ExitCode.OK : ExitCode.RULES_BROKEN).code();
  }

  private List<Path> tables() {
    List<Path> tables = new ArrayList<>();
    for (Path path : paths) {
      if (!Files.isDirectory(path)) {
        tables.add(path);
        continue;
      }
      List<Path> inside = recognised(path);
      if (inside.isEmpty()) {
        throw new SlicewiseException(
            ExitCode.USAGE,
            path + " holds no CSV table that can be checked",
            "a table has the columns profile, users, metric, vm, mean, stddev, ci95_half_width");
      }
      tables.addAll(inside);
    }
    return tables;
  }

  private static List<Path> recognised(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".csv"))
          .filter(StudyTable::recognises)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new SlicewiseException(
          ExitCode.USAGE, directory + " cannot be listed: " + e.getMessage(), "", e);
    }
  }

  private static void printJson(PrintWriter out, List<StudyFinding> findings) {
    try {
      out.println(Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(findings));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void print(PrintWriter out, Path table, List<StudyFinding> findings) {
    out.printf(Locale.ROOT, "CHECK  %s   %s%n", table, count(findings.size()));
    Map<StudyFinding.Rule, List<StudyFinding>> byRule =
        findings.stream()
            .collect(Collectors.groupingBy(StudyFinding::rule, TreeMap::new, Collectors.toList()));
    byRule.forEach((rule, found) -> printRule(out, rule, found));
  }

  private static void printRule(
      PrintWriter out, StudyFinding.Rule rule, List<StudyFinding> findings) {
    out.printf(
        Locale.ROOT, "%n%-13s %s: %s%n", rule.key(), rule.statement(), count(findings.size()));
    Map<String, List<StudyFinding>> byCause =
        findings.stream()
            .collect(
                Collectors.groupingBy(
                    StudyFinding::likelyCause, LinkedHashMap::new, Collectors.toList()));
    byCause.forEach(
        (cause, found) -> {
          out.printf(Locale.ROOT, "  likely: %s%n", cause);
          found.forEach(
              finding ->
                  out.printf(Locale.ROOT, "  line %s  %s%n", line(finding), finding.message()));
        });
  }

  private static String line(StudyFinding finding) {
    return finding.place().substring(finding.place().lastIndexOf(':') + 1);
  }

  private static String count(int findings) {
    return findings == 0 ? "nothing found" : findings == 1 ? "1 finding" : findings + " findings";
  }
}
