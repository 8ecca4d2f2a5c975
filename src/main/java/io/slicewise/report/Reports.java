package io.slicewise.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slicewise.base.json.Json;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.OwnerOnly;
import io.slicewise.base.units.Plural;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.WholeFile;
import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.evidence.analysis.Summaries;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.evidence.analysis.SweepSummary.Exclusion;
import io.slicewise.evidence.answer.Answer;
import io.slicewise.evidence.answer.Answers;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.evidence.effects.FactorEffects;
import io.slicewise.evidence.facts.ShareMethod;
import io.slicewise.experiment.Experiment;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.report.page.Page;
import io.slicewise.report.page.PageInput;
import io.slicewise.report.page.PageInput.PageAdvice;
import io.slicewise.report.page.PageInput.PageRun;
import io.slicewise.report.table.Csv.CsvTable;
import io.slicewise.report.table.HtmlTables;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.TextColumns;
import io.slicewise.report.table.Wrap;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.IntervalMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** Writes summary, tables and page of a run into its directory. */
public final class Reports {
  private static final String KEPT = "summary.json, tables and report.html stay as they were; ";

  private Reports() {}

  /**
   * The report as written.
   *
   * @param text the tables for a terminal of a width
   * @param notes the footnotes for a terminal of a width
   * @param summary the content of {@code summary.json} as a record
   * @param advice the answer of the run, with what speaks for and against it
   * @param tune how the answer of a tune came about; empty for other runs
   * @param digest the answer and what carries it
   */
  public record Written(
      LoadedRun run,
      IntFunction<List<String>> text,
      IntFunction<List<String>> notes,
      SweepSummary summary,
      Advice advice,
      Optional<TuneReport> tune,
      Digest digest) {
    /** Returns the file of the page. */
    public Path html() {
      return Reports.html(run);
    }

    /** Whether any trial counts. */
    public boolean anyValid() {
      return run.results().stream().anyMatch(TrialResult::valid);
    }
  }

  /** The definition of a domain's shares. */
  public enum Shares {
    /** Relative to the domain's own vCPUs. */
    OWN,
    /** As in the 2010 study, relative to all pCPUs of the host. */
    PUBLISHED
  }

  /** Loads a run and writes its report with Student's intervals and shares of own vCPUs. */
  public static Written write(RunDirectory run) {
    return write(run.load(), IntervalMethod.STUDENT, Shares.OWN);
  }

  /**
   * Reduces the finished trials and writes {@code summary.json}, {@code tables/}, {@code
   * report.html}, each whole: a reader sees the old file or the new one.
   *
   * @throws SlicewiseException if a result cannot be read or a file cannot be written
   */
  public static Written write(LoadedRun run, IntervalMethod interval, Shares shares) {
    Experiment experiment = run.experiment();
    List<TrialResult> results = run.results();
    ShareMethod method =
        shares == Shares.OWN ? new ShareMethod.OwnVcpus() : new ShareMethod.Published(pcpus(run));
    RunEvidence evidence = RunEvidence.of(run);
    SweepSummary summarised =
        Summaries.summarise(
                experiment, results, failures(run), interval, method, evidence.facts().sessions())
            .from(run.origin());
    SweepSummary noted = noting(summarised, evidence);
    SweepSummary summary = evidence.splitLead().map(noted::noting).orElse(noted);
    Answer answer = Answers.of(evidence);
    Advice advice = Advice.of(evidence, answer);
    List<Table> tables =
        ResultTables.of(summary, experiment, results, evidence.facts().bestSets()).stream()
            .map(table -> entitled(table, shares))
            .toList();
    Optional<TuneReport> tune = TuneReport.of(evidence, answer);
    Digest digest = Digest.of(evidence, summary, advice, tune);
    List<Table> shown = ObservedTables.shown(tables);
    boolean kept = run.trialsInDoubt() && Files.exists(run.root().resolve("summary.json"));
    if (!kept) {
      write(evidence, advice, summary, tables, tune);
    }
    return new Written(
        run,
        width -> text(summary, shown, run, kept ? KEPT : "", width),
        width -> notes(summary, width),
        summary,
        advice,
        tune,
        digest);
  }

  private static void write(
      RunEvidence evidence,
      Advice advice,
      SweepSummary summary,
      List<Table> tables,
      Optional<TuneReport> tune) {
    LoadedRun run = evidence.run();
    try {
      WholeFile.write(
          run.root().resolve("summary.json"),
          summaryText(summary, advice.answer(), evidence.effects()));
      Path directory = Files.createDirectories(run.root().resolve("tables"));
      OwnerOnly.close(directory);
      for (Table table : tables) {
        WholeFile.write(
            directory.resolve(table.name() + ".csv"),
            CsvTable.text(table, summary.origin().kind()));
      }
      WholeFile.write(
          html(run), page(evidence, advice, summary, ObservedTables.shown(tables), tune));
    } catch (IOException e) {
      throw new SlicewiseException(
          ErrorKind.STORAGE,
          "cannot write the report into " + run.root() + ": " + FileFault.reason(e),
          "",
          e);
    }
  }

  private static Path html(LoadedRun run) {
    return run.root().resolve("report.html");
  }

  /** Returns why the run stopped and what is damaged. */
  private static SweepSummary noting(SweepSummary summary, RunEvidence evidence) {
    LoadedRun run = evidence.run();
    SweepSummary noted =
        run.record()
            .stopped()
            .map(why -> summary.noting("stopped: " + why.reason()))
            .orElse(summary);
    if (evidence.measured().cells().stream().anyMatch(MeasuredRun.MeasuredCell::confirmation)) {
      noted =
          noted.noting(
              "changes of the tune's choice are of its confirmation alone; levels are of all"
                  + " windows");
    }
    for (String sentence : run.sentences()) {
      noted = noted.noting("damaged: " + sentence);
    }
    return noted;
  }

  private static Table entitled(Table table, Shares shares) {
    return shares == Shares.OWN
        ? table
        : table.entitled(
            table
                .title()
                .replace(
                    HypervisorShares.TOPIC.title(),
                    "Shares of all pCPUs' time, as in the 2010 study"));
  }

  /** Returns the summary with the answer and the effects of factors in it. */
  private static String summaryText(
      SweepSummary summary, Answer answer, Optional<FactorEffects> effects) {
    ObjectNode text = Json.mapper().valueToTree(summary);
    text.set("answer", Json.mapper().valueToTree(answer));
    effects.ifPresent(all -> text.set("effects", Json.mapper().valueToTree(all.all())));
    return Json.text(text) + "\n";
  }

  private static String page(
      RunEvidence evidence,
      Advice advice,
      SweepSummary summary,
      List<Table> tables,
      Optional<TuneReport> tune) {
    LoadedRun run = evidence.run();
    HtmlTables markup = new HtmlTables(run.experiment(), summary.origin());
    return Page.of(
        new PageInput(
            PageRun.of(run),
            Sentences.title(summary),
            Sentences.headline(summary),
            summary,
            evidence.facts().choosing(advice.profile()),
            advice(advice),
            TunePage.of(tune),
            tables.stream().map(markup::of).toList(),
            Stream.concat(
                    StudyPage.of(run, markup).stream(),
                    evidence.effects().map(FactorReport::section).stream())
                .toList()));
  }

  /** Joins continuation lines to the line above. */
  private static PageAdvice advice(Advice advice) {
    Map<String, List<String>> parts = new LinkedHashMap<>();
    String label = "";
    for (Advice.Line line : advice.lines()) {
      label = line.label().isEmpty() ? label : line.label();
      parts.computeIfAbsent(label, any -> new ArrayList<>()).add(line.text());
    }
    return new PageAdvice(
        advice.answer(),
        parts.entrySet().stream()
            .map(part -> new PageAdvice.Part(part.getKey(), part.getValue()))
            .toList(),
        advice.apply(),
        advice.undo());
  }

  private static int pcpus(LoadedRun run) {
    Path file = run.directory().environmentFile();
    try {
      int pcpus = Json.mapper().readTree(file.toFile()).at("/host/pcpus").asInt();
      if (pcpus > 0) {
        return pcpus;
      }
    } catch (IOException e) {
      throw noPcpus(file, e);
    }
    throw noPcpus(file, null);
  }

  private static SlicewiseException noPcpus(Path file, IOException cause) {
    return SlicewiseException.input(
        file + " lacks the number of pCPUs, which the study's shares need",
        "omit --shares published",
        cause);
  }

  private static List<Exclusion> failures(LoadedRun run) {
    return run.record().failed().values().stream()
        .map(
            (JournalEvent.TrialFailed failed) ->
                new Exclusion(failed.trial(), failed.slug(), List.of(failed.reason())))
        .toList();
  }

  private static List<String> text(
      SweepSummary summary, List<Table> tables, LoadedRun run, String kept, int width) {
    List<String> lines = new ArrayList<>();
    if (!run.damages().isEmpty()) {
      lines.addAll(
          Wrap.lines(
              "this run directory is damaged in %s, listed below; %sto repair: %s"
                  .formatted(Plural.of(run.damages().size(), "place"), kept, run.remedy()),
              "DAMAGED ",
              "        ",
              width));
    }
    lines.addAll(Sentences.head(summary, width));
    for (Table table : tables) {
      lines.add("");
      lines.addAll(TextColumns.lines(table, width));
    }
    return List.copyOf(lines);
  }

  private static List<String> notes(SweepSummary summary, int width) {
    List<String> lines = new ArrayList<>();
    Sentences.footnotes(summary).forEach(note -> lines.addAll(Wrap.footnote(note, width)));
    return List.copyOf(lines);
  }
}
