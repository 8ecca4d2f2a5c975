package io.slicewise.report;

import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.Visible;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.ControlCheck;
import io.slicewise.evidence.analysis.ErrorGuard;
import io.slicewise.evidence.analysis.Guard;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.answer.Answer.Grade;
import io.slicewise.evidence.runs.Compared;
import io.slicewise.report.table.ChangeText;
import io.slicewise.stats.Verdict;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Writes a comparison as JUnit XML: one test case for each comparison of the primary metric, each
 * guard and each A/A control. Worse results fail; undecided ones, and all changes measured on a
 * machine that was too busy, are skipped, or fail on request. The run's answer is a property.
 */
public final class JunitXml {
  private final String experiment;
  private final String about;
  private final Optional<RunAnswer> answer;
  private final boolean undecidedFails;
  private final List<Case> cases = new ArrayList<>();

  private enum Result {
    PASSED,
    FAILED,
    SKIPPED
  }

  private record Case(String name, Result result, String type, String message) {}

  private JunitXml(Compared compared, RunAnswer answer, boolean undecidedFails) {
    this.experiment = compared.names().experiment();
    this.answer = Optional.of(answer);
    this.about = compared.names().from() + " -> " + compared.names().to() + ": ";
    this.undecidedFails = undecidedFails;
    compared.primary().forEach(this::addComparison);
    for (Guard guard : compared.guards()) {
      compared.rows().comparisons().stream()
          .filter(guard::concerns)
          .forEach(comparison -> addGuard(guard, comparison));
    }
    compared.rows().errors().forEach(this::addErrors);
    addUnknown(compared);
    addControls(compared.earlierControl(), "A/A before ");
    addControls(compared.control(), "A/A ");
    if (isBusy()) {
      cases.add(new Case("machine", undecided(), Grade.TOO_BUSY.name(), Grade.TOO_BUSY.words()));
    }
    if (compared.primary().isEmpty()) {
      cases.add(new Case("valid data", Result.FAILED, "NO_DATA", "nothing to compare"));
    }
  }

  private JunitXml(String experiment, Optional<RunAnswer> answer, Case only) {
    this.experiment = experiment;
    this.answer = answer;
    this.about = "";
    this.undecidedFails = false;
    cases.add(only);
  }

  /**
   * Returns the document of a run without a comparison.
   *
   * @param end how it ended
   */
  public static String ofRun(
      String experiment, String end, Optional<RunAnswer> answer, boolean passed) {
    Result result = passed ? Result.PASSED : Result.FAILED;
    return new JunitXml(experiment, answer, new Case("run", result, "RUN", end)).document();
  }

  /**
   * Returns the XML document.
   *
   * @param answer of the run with the changes
   */
  public static String of(Compared compared, RunAnswer answer, boolean undecidedFails) {
    return new JunitXml(compared, answer, undecidedFails).document();
  }

  private void addComparison(Comparison comparison) {
    Result result =
        comparison.verdict() == Verdict.UNCLEAR || (isBusy() && comparison.verdict().isChange())
            ? undecided()
            : comparison.verdict() == Verdict.WORSE ? Result.FAILED : Result.PASSED;
    cases.add(
        new Case(
            name(comparison),
            result,
            comparison.verdict().name(),
            ChangeText.sentence(comparison)
                + ", p Holm "
                + ChangeText.p(comparison.tests().adjustedP())));
  }

  private void addGuard(Guard guard, Comparison comparison) {
    addGuard(name(comparison), guard.judge(comparison), ChangeText.sentence(comparison));
  }

  private void addErrors(ErrorGuard.Judged errors) {
    String name = errors.profile() + ", " + errors.load().text() + ", " + Metric.ERRORS.key();
    addGuard(name, errors.outcome(), ChangeText.errors(errors));
  }

  private void addGuard(String name, Guard.Outcome outcome, String message) {
    Result result =
        switch (outcome) {
          case HOLDS -> Result.PASSED;
          case BROKEN -> isBusy() ? undecided() : Result.FAILED;
          case UNCLEAR -> undecided();
        };
    cases.add(new Case("guard " + name, result, "GUARD_" + outcome.name(), message));
  }

  /** Adds a test case for each question without an answer. */
  private void addUnknown(Compared compared) {
    for (String cell : compared.rows().missing()) {
      cases.add(new Case(cell, undecided(), "MISSING", "no valid trials to compare"));
    }
    for (Guard guard : compared.unjudged()) {
      String name = "guard " + guard.metric().key();
      cases.add(
          new Case(name, undecided(), "GUARD_UNCLEAR", "unknown in some of the compared cells"));
    }
  }

  private void addControls(ControlCheck check, String label) {
    for (Comparison control : check.controls()) {
      cases.add(
          new Case(
              label + name(control),
              check.falseAlarms().contains(control) ? Result.FAILED : Result.PASSED,
              "FALSE_ALARM",
              ChangeText.sentence(control)));
    }
  }

  /** Returns whether the machine that measured was too busy for any verdict. */
  private boolean isBusy() {
    return answer.filter(one -> one.answer().grade() == Grade.TOO_BUSY).isPresent();
  }

  private Result undecided() {
    return undecidedFails ? Result.FAILED : Result.SKIPPED;
  }

  private static String name(Comparison comparison) {
    return "%s, %s, %s"
        .formatted(comparison.profile(), comparison.load().text(), comparison.metric().key());
  }

  private String document() {
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
      xml.writeStartDocument("UTF-8", "1.0");
      xml.writeCharacters("\n");
      xml.writeStartElement("testsuite");
      xml.writeAttribute("name", legal("slicewise compare " + experiment));
      xml.writeAttribute("time", "0");
      xml.writeAttribute("tests", String.valueOf(cases.size()));
      xml.writeAttribute("errors", "0");
      xml.writeAttribute("skipped", count(Result.SKIPPED));
      xml.writeAttribute("failures", count(Result.FAILED));
      if (answer.isPresent()) {
        write(xml, answer.get());
      }
      for (Case one : cases) {
        write(xml, one);
      }
      xml.writeCharacters("\n");
      xml.writeEndElement();
      xml.writeEndDocument();
      xml.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("writing into memory cannot fail", e);
    }
    return text + "\n";
  }

  private String count(Result result) {
    return String.valueOf(cases.stream().filter(one -> one.result == result).count());
  }

  /** Writes the run's answer as properties of the suite. */
  private static void write(XMLStreamWriter xml, RunAnswer run) throws XMLStreamException {
    xml.writeCharacters("\n  ");
    xml.writeStartElement("properties");
    property(xml, "answer of", run.run());
    property(xml, "answer", run.answer().headline());
    property(xml, "kind", EnumName.of(run.answer().kind()));
    property(xml, "grade", EnumName.of(run.answer().grade()));
    for (String caveat : run.answer().caveats()) {
      property(xml, "caveat", caveat);
    }
    xml.writeEndElement();
  }

  private static void property(XMLStreamWriter xml, String name, String value)
      throws XMLStreamException {
    xml.writeEmptyElement("property");
    xml.writeAttribute("name", name);
    xml.writeAttribute("value", legal(value));
  }

  private void write(XMLStreamWriter xml, Case one) throws XMLStreamException {
    xml.writeCharacters("\n  ");
    xml.writeStartElement("testcase");
    xml.writeAttribute("name", legal(one.name));
    xml.writeAttribute("classname", legal("slicewise." + experiment));
    xml.writeAttribute("time", "0");
    if (one.result == Result.FAILED) {
      xml.writeStartElement("failure");
      xml.writeAttribute("message", legal(one.message));
      xml.writeAttribute("type", one.type);
      xml.writeCharacters(legal(about + one.message));
      xml.writeEndElement();
    } else if (one.result == Result.SKIPPED) {
      xml.writeEmptyElement("skipped");
      xml.writeAttribute("message", legal("undecided: " + one.message));
    } else {
      xml.writeStartElement("system-out");
      xml.writeCharacters(legal(one.message));
      xml.writeEndElement();
    }
    xml.writeEndElement();
  }

  /** Shows control characters escaped; replaces what else XML 1.0 cannot represent. */
  private static String legal(String text) {
    return Visible.text(text)
        .replaceAll("[^\\t\\n\\r\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "?");
  }
}
