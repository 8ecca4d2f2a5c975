package io.slicewise.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.RecordedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects what the page says before any script runs: the answer in a sentence with evidence and
 * price, the commands, exclusions, provenance, and a policy that allows its own two scripts alone.
 */
class PageTextTest {
  @TempDir private Path directory;

  private String page(double factor) throws IOException {
    RecordedRun run = RecordedRun.begin(directory.resolve("run"), RecordedRun.EXPERIMENT);
    Random random = new Random(3);
    int trial = 1;
    for (int block = 1; block <= 8; block++) {
      for (int users : List.of(50, 300)) {
        for (String profile : List.of("w256", "again", "w512")) {
          double times = profile.equals("w512") ? factor : 1;
          double p95 = 200 * times * Math.exp(0.005 * random.nextGaussian());
          run.trial(trial++, profile, users, block, users * 1000 / p95, p95);
        }
      }
    }
    run.trial(trial, "both", 50, 1, 1, 1, List.of("errors 3.10 % > 0.50 %"));
    return Files.readString(Reports.write(run.restored().end()).html());
  }

  /** What stands there without a script. */
  private String frame(double factor) throws IOException {
    String page = page(factor);
    return page.substring(0, page.indexOf("<script"));
  }

  @Test
  void aTrialThatWasRepeatedCountsOnce() throws IOException {
    RecordedRun run = RecordedRun.begin(directory.resolve("repeated"), RecordedRun.EXPERIMENT);
    Trial trial = new Trial(1, 1, "w256", Load.of(50), 1);
    run.trial(trial, 100, 200, List.of("errors 3.10 % > 0.50 %"));
    run.trial(trial.attempt(2), 100, 200, List.of());
    assertThat(Files.readString(Reports.write(run.end()).html()))
        .contains("1 of 1 finished trial valid");
  }

  @Test
  void answersFirstWithEvidencePriceAndCommands() throws IOException {
    assertThat(frame(0.8))
        .containsPattern(
            "class=\"answer\">Use w512 at 300 users: p95 [^<]*, −\\d\\d\\.\\d % \\[[^<]*; better at"
                + " 2 of 2 loads, worse at none</h2>")
        .containsPattern(
            "<th scope=\"row\">50 users</th>\\s*<td[^>]*>200 → 160</td>\\s*<td[^>]*>−\\d\\d\\.\\d %"
                + " \\[−")
        .contains("<strong>better</strong>", "<dt>Settings</dt>", "weight 512 cap 0 for web")
        .contains("better at 2 of 2 loads, worse at none")
        .containsPattern("p95 200 → 160 ms, −\\d\\d\\.\\d % \\[−")
        .contains("<pre tabindex=\"0\">xl sched-credit -d web -w 512 -c 0</pre>")
        .contains("<pre tabindex=\"0\">xl sched-credit -d web -w 256 -c 0</pre>");
  }

  @Test
  void writesEveryNegativeNumberWithOneMinusAndNoneThatIsNotKnown() throws IOException {
    String page = frame(0.8);
    assertThat(page.substring(page.indexOf("<main")))
        .contains("lag-1 autocorrelation −")
        .doesNotContainPattern("[ \\[(]-\\d")
        .doesNotContain("NaN %", "p NaN");
  }

  @Test
  void keepsTheBaselineWhereNothingIsShownToBeBetter() throws IOException {
    assertThat(frame(1)).contains(": no profile is shown to be better in p95</h2>");
  }

  @Test
  void tellsWhyItMayBeTrusted() throws IOException {
    assertThat(frame(0.8))
        .contains("again at 50 users: p95 differs from the identical baseline by")
        .contains("<li>1 trial excluded: errors 3.10 % &gt; 0.50 %: 0049</li>")
        .contains("Xen 4.17, xl, scheduler credit")
        .contains("weight 256 cap 0 → weight 512 cap 0")
        .contains("<span class=\"origin origin-host\">measured</span>");
  }

  @Test
  void listsTrialsThatDifferInNumbersOnceWithACount() throws IOException {
    RecordedRun run = RecordedRun.begin(directory.resolve("alike"), RecordedRun.EXPERIMENT);
    List<String> late = List.of("late by 21.0 ms", "late by 35.5 ms", "late by 28.0 ms");
    for (int block = 1; block <= 3; block++) {
      run.trial(block, "w256", 50, block, 100, 200, List.of(late.get(block - 1)));
    }
    Reports.Written written = Reports.write(run.end());
    assertThat(String.join("\n", written.notes().apply(100)))
        .contains("3 trials excluded: late by 21.0 to 35.5 ms: 0001, 0002, 0003");
    assertThat(Files.readString(written.html()))
        .contains(
            "<li><details class=\"alike\"><summary>3 trials excluded: late by 21.0 to 35.5 ms:"
                + " 0001, 0002, 0003</summary>")
        .contains("<li>0002: late by 35.5 ms</li>");
  }

  @Test
  void driftHasOneProbabilityWhereverItIsMentioned() throws IOException {
    RecordedRun run = RecordedRun.begin(directory.resolve("drift"), RecordedRun.EXPERIMENT);
    int trial = 1;
    Random random = new Random(5);
    for (int block = 1; block <= 6; block++) {
      for (String profile : List.of("w256", "again", "w512")) {
        double p95 = 200 * Math.exp(0.02 * random.nextGaussian());
        run.trial(trial++, profile, 50, block, 100, p95);
      }
    }
    Reports.Written written = Reports.write(run.restored().end());
    String page = Files.readString(written.html());
    Matcher inText = Pattern.compile("none shown \\(p ([\\d.]+)\\)").matcher(page);
    Matcher inTrust = Pattern.compile("p ([\\d.]+) for both together").matcher(page);
    assertThat(inText.find() && inTrust.find()).isTrue();
    assertThat(Double.parseDouble(inTrust.group(1)))
        .isCloseTo(Double.parseDouble(inText.group(1)), within(0.005));
  }

  @Test
  void allowsItsOwnTwoScriptsAndNothingElse() throws IOException {
    String page = page(1);
    assertThat(page.substring(0, page.indexOf("<script")))
        .containsPattern(
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';"
                + " script-src 'sha256-[^']{44}' 'sha256-[^']{44}'\">");
    String data = page.substring(page.indexOf("id=\"data\">") + 10);
    assertThat(data.substring(0, data.indexOf("</script>"))).doesNotContain("<");
  }
}
