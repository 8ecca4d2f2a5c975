package io.slicewise.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.slicewise.analysis.Summaries;
import io.slicewise.analysis.SweepSummary;
import io.slicewise.analysis.SweepSummary.Exclusion;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.json.Json;
import io.slicewise.sweep.JournalEvent;
import io.slicewise.sweep.RunDirectory;
import io.slicewise.sweep.TrialResult;
import io.slicewise.units.ExitCode;
import io.slicewise.units.SlicewiseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes what a run says so far into its directory: summary, tables, page. */
public final class Reports {
  private Reports() {}

  /**
   * What was written.
   *
   * @param text the tables and footnotes for a terminal
   * @param json the content of {@code summary.json}
   * @param anyValid whether any trial counts
   */
  public record Written(Path html, List<String> text, String json, boolean anyValid) {}

  /**
   * Reduces the finished trials and writes {@code summary.json}, {@code tables/}, {@code
   * report.html}.
   */
  public static Written write(RunDirectory run) {
    Experiment experiment = ExperimentFiles.read(run.experimentFile());
    List<TrialResult> results = run.results();
    SweepSummary summary = Summaries.summarise(experiment, results, failures(run));
    List<Table> tables = ResultTables.of(summary);
    Path html = run.root().resolve("report.html");
    try {
      String json = json(summary);
      Files.writeString(run.root().resolve("summary.json"), json + "\n");
      Path directory = Files.createDirectories(run.root().resolve("tables"));
      for (Table table : tables) {
        Files.writeString(directory.resolve(table.name() + ".csv"), CsvTable.text(table));
      }
      Files.writeString(html, HtmlReport.page(summary, tables));
      boolean anyValid = results.stream().anyMatch(TrialResult::valid);
      return new Written(html, text(summary, tables), json, anyValid);
    } catch (IOException e) {
      throw new SlicewiseException(
          ExitCode.INTERNAL,
          "cannot write the report into " + run.root() + ": " + e.getMessage(),
          "",
          e);
    }
  }

  private static String json(SweepSummary summary) throws JsonProcessingException {
    return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(summary);
  }

  private static List<Exclusion> failures(RunDirectory run) {
    return run.record().failed().values().stream()
        .map(
            (JournalEvent.TrialFailed failed) ->
                new Exclusion(failed.trial(), failed.slug(), List.of(failed.reason())))
        .toList();
  }

  private static List<String> text(SweepSummary summary, List<Table> tables) {
    List<String> lines = new ArrayList<>();
    lines.add(Sentences.headline(summary));
    for (Table table : tables) {
      lines.add("");
      lines.addAll(TextTable.lines(table));
    }
    List<String> footnotes = Sentences.footnotes(summary);
    if (!footnotes.isEmpty()) {
      lines.add("");
      footnotes.forEach(note -> lines.addAll(Wrap.lines(note)));
    }
    return List.copyOf(lines);
  }
}
