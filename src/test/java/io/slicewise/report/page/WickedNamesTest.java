package io.slicewise.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.evidence.analysis.Question;
import io.slicewise.evidence.analysis.Summaries;
import io.slicewise.evidence.answer.Answers;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.evidence.findings.Recommendation;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.observe.Observation.Topic;
import io.slicewise.report.page.PageInput.PageAdvice;
import io.slicewise.report.page.PageInput.PageRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.SyntheticRun;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the reader from names: whatever stands in a profile, a domain, a label, a reason or a
 * command stays text in every part of the page, and no script but the page's own ever runs. The
 * files' own rules would refuse most of these names; the page does not rely on that.
 */
@InBrowser
@Tag("lab")
class WickedNamesTest {
  private static final String WICKED =
      "</script><img src=x onerror=\"document.title='taken'\"><!--<script>";

  @TempDir private Path directory;

  @Test
  void namesStayTextAndRunNothing() throws IOException {
    Browser browser = Browser.shared();
    browser.look(1280, "light", "screen");
    browser.open(page());
    assertThat(browser.console()).isEmpty();
    assertThat(browser.requests()).hasSize(1);
    assertThat(browser.driver().getTitle()).isEqualTo(WICKED);
    assertThat(browser.count("img")).isZero();
    assertThat(browser.count("script")).isEqualTo(3);
    assertThat(browser.find("h1").getText()).isEqualTo(WICKED);
    assertThat(browser.table("#chart-shares .same-numbers"))
        .anySatisfy(row -> assertThat(row.get(0)).isEqualTo(WICKED + "domain"))
        .anySatisfy(row -> assertThat(row.get(1)).isEqualTo(WICKED));
    assertThat(browser.find("#chart-shares svg").getText()).contains("</script><img");
    browser.find("#all-trials tbody button").click();
    assertThat(browser.find("#drill").getText()).contains(WICKED + "label");
    assertThat(browser.count("img")).isZero();
  }

  /** A sound run whose names are then replaced where they have been read. */
  private Path page() throws IOException {
    RunDirectory run =
        SyntheticRun.write(
            directory.resolve("run"),
            Sweeps.grid("night", "50", 2, new int[] {256, 512}, new int[] {0}),
            5,
            20_000,
            List.of("LABEL"));
    UnaryOperator<String> wicked =
        name ->
            switch (name) {
              case "again" -> WICKED;
              case "web" -> WICKED + "domain";
              case "LABEL" -> WICKED + "label";
              default -> name;
            };
    Experiment experiment =
        (Experiment) renamed(ExperimentFiles.read(run.experimentFile()), wicked);
    List<TrialResult> results =
        run.results().stream().map(result -> (TrialResult) renamed(result, wicked)).toList();
    Recommendation facts = Recommendation.from(experiment, results, Question.suitedTo(results));
    String html =
        Page.of(
            new PageInput(
                new PageRun(WICKED, experiment, results, run.environments(), run.events()),
                WICKED,
                WICKED,
                Summaries.summarise(experiment, results, List.of()),
                facts,
                new PageAdvice(
                    Answers.of(RunEvidence.of(run.load())),
                    List.of(new PageAdvice.Part(WICKED, List.of(WICKED))),
                    List.of(WICKED),
                    List.of(WICKED)),
                Optional.empty(),
                List.of(),
                List.of()));
    return Files.writeString(directory.resolve("report.html"), html);
  }

  /** The same value with every text in it renamed, however deep. */
  private static Object renamed(Object value, UnaryOperator<String> names) {
    if (value instanceof String text) {
      return names.apply(text);
    }
    if (value instanceof List<?> list) {
      return list.stream().map(item -> renamed(item, names)).toList();
    }
    if (value instanceof SortedMap<?, ?> || value instanceof Topic || value instanceof Reading) {
      return value; // numbers, and what the program itself names
    }
    if (value instanceof Map<?, ?> map) {
      Map<Object, Object> copy = new LinkedHashMap<>();
      map.forEach((key, item) -> copy.put(renamed(key, names), renamed(item, names)));
      return copy;
    }
    if (value instanceof Optional<?> optional) {
      return optional.map(item -> renamed(item, names));
    }
    return value instanceof Record record ? rebuilt(record, names) : value;
  }

  private static Object rebuilt(Record value, UnaryOperator<String> names) {
    RecordComponent[] components = value.getClass().getRecordComponents();
    try {
      Class<?>[] types =
          Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      Object[] parts = new Object[components.length];
      for (int i = 0; i < parts.length; i++) {
        parts[i] = renamed(components[i].getAccessor().invoke(value), names);
      }
      return value.getClass().getDeclaredConstructor(types).newInstance(parts);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
