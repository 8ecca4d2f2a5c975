package io.slicewise.report.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.evidence.answer.Answer;
import io.slicewise.evidence.findings.Recommendation;
import io.slicewise.experiment.Experiment;
import io.slicewise.report.page.AnswerTable.Column;
import io.slicewise.report.table.Html;
import io.slicewise.run.Environment;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.result.TrialResult;
import java.util.List;
import java.util.Optional;

/**
 * The content of a page.
 *
 * @param title of the page, marked if nothing was measured
 * @param headline the number of trials, on one line
 * @param tune the answer of a tune; empty of other runs
 * @param tables markup of the result tables
 * @param studies what else the run answers, each with a section of its own
 */
public record PageInput(
    PageRun run,
    String title,
    String headline,
    SweepSummary summary,
    Recommendation recommendation,
    PageAdvice advice,
    Optional<PageTune> tune,
    List<String> tables,
    List<PageStudy> studies) {
  public PageInput {
    tables = List.copyOf(tables);
    studies = List.copyOf(studies);
  }

  Experiment experiment() {
    return run.experiment();
  }

  List<TrialResult> results() {
    return run.results();
  }

  /** A run as it was read; {@code name} is that of its directory. */
  public record PageRun(
      String name,
      Experiment experiment,
      List<TrialResult> results,
      List<Environment> environments,
      List<JournalEvent> events) {
    public PageRun {
      results = List.copyOf(results);
      environments = List.copyOf(environments);
      events = List.copyOf(events);
    }

    public static PageRun of(LoadedRun run) {
      return new PageRun(
          run.name(), run.experiment(), run.results(), run.environments(), run.events());
    }
  }

  /**
   * What a run answers besides which profile is best.
   *
   * @param name of its section
   * @param answer on one line, the page's answer if the run compares no profiles; empty without one
   * @param markup of its section
   */
  public record PageStudy(String name, String answer, String markup) {}

  /**
   * The answer of a tune and how it came about, as the page shows it.
   *
   * @param settings of the choice, or of the set
   * @param certainty how sure the answer is
   * @param sentences how the race went
   * @param confirmations a row for each confirmed or refuted choice
   * @param data of the charts: the tune's report as JSON
   */
  public record PageTune(
      List<String> settings,
      List<String> certainty,
      List<String> sentences,
      List<Confirmed> confirmations,
      JsonNode data) {
    public PageTune {
      settings = List.copyOf(settings);
      certainty = List.copyOf(certainty);
      sentences = List.copyOf(sentences);
      confirmations = List.copyOf(confirmations);
    }

    /** A choice measured against the settings found in separate trials. */
    public record Confirmed(
        String loads, String choice, String values, String change, String verdict) {}

    void appendTable(Html page) {
      new AnswerTable(
              "Confirmation",
              List.of(
                  Column.figure("load"),
                  Column.name("choice"),
                  Column.figure("settings found → choice"),
                  Column.figure("change (95 % CI)"),
                  Column.verdict("confirmation")),
              confirmations.stream()
                  .map(
                      one ->
                          List.of(
                              one.loads(), one.choice(), one.values(), one.change(), one.verdict()))
                  .toList())
          .append(page);
    }
  }

  /**
   * The page's advice, in the same sentences as on screens.
   *
   * @param answer that it explains
   * @param parts evidence, costs and further details, in reading order
   * @param apply commands that set the profile
   * @param undo commands that restore the settings found
   */
  public record PageAdvice(Answer answer, List<Part> parts, List<String> apply, List<String> undo) {
    public PageAdvice {
      parts = List.copyOf(parts);
      apply = List.copyOf(apply);
      undo = List.copyOf(undo);
    }

    /** Returns the sentences of a label; empty if the advice has none. */
    public List<String> sentences(String label) {
      return parts.stream()
          .filter(part -> part.label().equals(label))
          .flatMap(part -> part.sentences().stream())
          .toList();
    }

    public record Part(String label, List<String> sentences) {
      public Part {
        sentences = List.copyOf(sentences);
      }
    }
  }
}
