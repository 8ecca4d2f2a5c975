package io.slicewise.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slicewise.base.json.Json;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.profile.Credit;
import io.slicewise.report.Reports;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunDamage;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.journal.Seal;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.IntervalMethod;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.io.file.PathUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects: whatever happens to the bytes of a run directory, no number of a trial that is not as
 * it was written is shown, no setting is restored that was not found, and nothing is missing
 * without a word.
 */
class DamagedRunTest {
  private static final Instant NIGHT = Instant.parse("2026-11-20T21:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NIGHT, ZoneOffset.UTC);

  private static final String EXPERIMENT =
      """
      name: shop
      host: {address: dom0.example, user: root}
      domains: {main: [web], other: [db]}
      profiles:
        - {name: w256, scheduler: credit, main: {weight: 256}, other: {weight: 256}}
        - {name: w512, scheduler: credit, main: {weight: 512}}
      workload: {name: web-app, target: "http://web.example/"}
      users: [50]
      baseline: w256
      repetitions: 3
      """;

  @TempDir Path directory;
  private RunDirectory whole;
  private LoadedRun sound;

  @BeforeEach
  void record() throws IOException {
    Path file = Files.writeString(directory.resolve("e.yaml"), EXPERIMENT);
    RunDirectory made =
        SyntheticRun.write(directory.resolve("made"), EXPERIMENT, 10, 2000, List.of());
    Map<String, TrialResult> results = new HashMap<>();
    made.results().forEach(result -> results.put(result.trial().slug(), result));
    Experiment experiment = ExperimentFiles.read(file);
    whole = RunDirectory.begin(directory.resolve("results"), "shop", experiment, NIGHT);
    try (Journal journal = Journal.open(whole.journalFile())) {
      journal.append(new JournalEvent.RunStarted(NIGHT, "desk", 1, "1", "root@dom0.example"));
      journal.append(
          new JournalEvent.SettingsFound(
              NIGHT, Map.of("web", Credit.of(302, 0), "db", Credit.of(256, 0))));
      Files.copy(made.environmentFile(), whole.environmentFile());
      for (Trial trial : Plan.of(experiment)) {
        whole.freshTrialDirectory(trial);
        journal.append(new JournalEvent.TrialStarted(NIGHT, trial.number(), trial.slug()));
        journal.append(
            new JournalEvent.Applying(
                NIGHT.plusSeconds(trial.number()), "web", Credit.of(302, 0), Credit.of(512, 0)));
        TrialResult result = results.get(trial.slug());
        String sum = whole.writeResult(result);
        journal.append(JournalEvent.TrialFinished.of(NIGHT, result, sum));
      }
      journal.append(new JournalEvent.RunEnded(NIGHT, RunState.NOT_RESTORED, "not restored"));
    }
    sound = whole.load();
    assertThat(sound.damages()).isEmpty();
    assertThat(sound.results()).hasSize(6);
    Reports.write(whole);
  }

  @Test
  void identicalSamplesOfOneCellAreOneMeasurement() throws IOException {
    RunDirectory run = copy("same");
    List<TrialResult> results = sound.results();
    TrialResult first = results.get(0);
    TrialResult again = inCellOf(first, 1);
    TrialResult elsewhere =
        results.stream()
            .filter(other -> !other.trial().profile().equals(first.trial().profile()))
            .findFirst()
            .orElseThrow();
    for (TrialResult result : List.of(first, again, elsewhere)) {
      Path samples = run.trialDirectory(result.trial().slug()).resolve("samples.jtl.gz");
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(samples))) {
        out.write("timeStamp,elapsed\n1763672400000,12\n".getBytes(StandardCharsets.UTF_8));
      }
    }
    LoadedRun loaded = run.load();
    assertThat(loaded.results()).hasSize(5).doesNotContain(again).contains(first, elsewhere);
    assertThat(loaded.sentences())
        .containsExactly(
            "trials/%s/samples.jtl.gz: identical to that of %s: both are one measurement, which"
                    .formatted(again.trial().slug(), first.trial().slug())
                + " counts once");
    Path samples = run.trialDirectory(again.trial().slug()).resolve("samples.jtl.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(samples))) {
      out.write("timeStamp,elapsed\n1763672400000,13\n".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(run.load().results()).isEqualTo(sound.results());
  }

  private TrialResult inCellOf(TrialResult result, int place) {
    return sound.results().stream()
        .filter(other -> other.trial().profile().equals(result.trial().profile()))
        .filter(other -> other.trial().load().equals(result.trial().load()))
        .toList()
        .get(place);
  }

  private RunDirectory copy(String name) throws IOException {
    Path target = directory.resolve(name);
    PathUtils.copyDirectory(whole.root(), target);
    return RunDirectory.open(target);
  }

  private static void delete(Path directory) throws IOException {
    PathUtils.deleteDirectory(directory);
  }

  /** What may be shown: the same numbers, or a part of them with a word. */
  private void assertNothingWrong(RunDirectory run, String how) {
    LoadedRun loaded = run.load();
    assertThat(loaded.results()).as(how).doesNotHaveDuplicates();
    assertThat(sound.results()).as(how).containsAll(loaded.results());
    boolean same =
        loaded.results().equals(sound.results())
            && loaded.record().equals(sound.record())
            && loaded.events().equals(sound.events());
    if (!same) {
      assertThat(loaded.damages()).as(how).isNotEmpty();
    }
    loaded
        .record()
        .found()
        .forEach(
            (scheduler, settings) ->
                settings.forEach(
                    (domain, found) -> {
                      if (!sound.record().foundFor(scheduler, domain).orElseThrow().equals(found)) {
                        assertThat(loaded.settingsInDoubt()).as(how).isTrue();
                      }
                    }));
    boolean touched = loaded.record().touched().equals(sound.record().touched());
    assertThat(touched || loaded.settingsInDoubt()).as(how).isTrue();
  }

  private void damageAndLook(int directories, long seed, int reportEvery) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    int noticed = 0;
    for (int i = 0; i < directories; i++) {
      RunDirectory run = copy("damaged");
      List<String> how = new ArrayList<>();
      for (int times = 1 + random.nextInt(2); times > 0; times--) {
        how.add(damage(run, random));
      }
      String what = "seed %d directory %d: %s".formatted(seed, i, how);
      assertNothingWrong(run, what);
      boolean damaged = !run.load().damages().isEmpty();
      noticed += damaged ? 1 : 0;
      if (i % reportEvery == 0) {
        assertReported(run, damaged, what);
        assertRepaired(run, what);
      }
      delete(run.root());
    }
    System.out.printf(
        "damaged directories tried %d, noticed %d, wrong numbers shown 0%n", directories, noticed);
  }

  private static void assertReported(RunDirectory run, boolean damaged, String how)
      throws IOException {
    String before = Files.readString(run.root().resolve("summary.json"));
    boolean fewer = run.load().trialsInDoubt();
    String text =
        String.join(
            "\n",
            Reports.write(run.load(), IntervalMethod.STUDENT, Reports.Shares.OWN)
                .text()
                .apply(100));
    assertThat(text.contains("DAMAGED")).as(how).isEqualTo(damaged);
    if (fewer) {
      assertThat(run.root().resolve("summary.json")).as(how).hasContent(before);
    }
  }

  private void assertRepaired(RunDirectory run, String how) {
    RunRepair.repair(run, CLOCK);
    LoadedRun repaired = run.load();
    assertThat(repaired.trialsInDoubt()).as(how).isFalse();
    assertThat(sound.results()).as(how).containsAll(repaired.results());
    boolean touched = repaired.record().touched().equals(sound.record().touched());
    assertThat(touched || repaired.settingsInDoubt()).as(how).isTrue();
  }

  private static String damage(RunDirectory run, SplittableRandom random) throws IOException {
    List<String> lines =
        Files.exists(run.journalFile())
            ? new ArrayList<>(
                new String(Files.readAllBytes(run.journalFile()), StandardCharsets.ISO_8859_1)
                    .lines()
                    .toList())
            : new ArrayList<>();
    int line = random.nextInt(Math.max(1, lines.size()));
    int kind = lines.size() < 2 ? 5 + random.nextInt(5) : random.nextInt(10);
    switch (kind) {
      case 0 -> lines.remove(line);
      case 1 -> lines.add(random.nextInt(lines.size()), lines.get(line));
      case 2 -> Collections.swap(lines, line, random.nextInt(lines.size()));
      case 3 -> lines.addAll(List.copyOf(lines));
      case 4 -> lines.subList(line, lines.size()).clear();
      case 5 -> {
        return flip(run.journalFile(), random);
      }
      case 6 -> {
        return flip(record(run, random), random);
      }
      case 7 -> {
        Path from = record(run, random);
        Path to = record(run, random);
        if (Files.exists(from)) {
          Files.write(to, Files.readAllBytes(from));
        }
        return from + " over " + to;
      }
      case 8 -> {
        Path gone = record(run, random);
        Files.deleteIfExists(gone);
        return "without " + gone;
      }
      default -> {
        Files.deleteIfExists(run.journalFile());
        return "without a journal";
      }
    }
    Files.write(
        run.journalFile(),
        lines.stream()
            .map(text -> text + "\n")
            .reduce("", String::concat)
            .getBytes(StandardCharsets.ISO_8859_1));
    return "lines changed by " + kind + " at " + line;
  }

  private static Path record(RunDirectory run, SplittableRandom random) throws IOException {
    try (Stream<Path> trials = Files.list(run.trials())) {
      List<Path> all = trials.sorted().toList();
      return all.get(random.nextInt(all.size())).resolve("trial.json");
    }
  }

  private static String flip(Path file, SplittableRandom random) throws IOException {
    if (!Files.exists(file) || Files.size(file) == 0) {
      return "nothing";
    }
    byte[] bytes = Files.readAllBytes(file);
    int at = random.nextInt(bytes.length);
    bytes[at] ^= (byte) (1 << random.nextInt(8));
    Files.write(file, bytes);
    return "byte %d of %s".formatted(at, file.getFileName());
  }

  @Test
  void noDamageShowsAWrongNumberWithoutAWord() throws IOException {
    damageAndLook(60, 21, 12);
  }

  @Test
  @Tag("nightly")
  void noneOfThousandsOfDamagesShowsAWrongNumberWithoutAWord() throws IOException {
    damageAndLook(3000, 22, 50);
  }

  @Test
  void aRunWithoutItsJournalIsNoRunThatDidNothing() throws IOException {
    RunDirectory run = copy("without");
    Files.delete(run.journalFile());
    LoadedRun loaded = run.load();
    assertThat(loaded.damages())
        .extracting(RunDamage::kind)
        .contains(RunDamage.Kind.JOURNAL_MISSING);
    assertThat(loaded.recoverable()).hasSize(6);
    assertThat(loaded.remedy()).isEqualTo("slicewise check --repair " + run.root());
    RunRepair.Repair repair = RunRepair.repair(run, CLOCK).orElseThrow();
    assertThat(repair.recovered()).hasSize(6);
    assertThat(run.load().results()).isEqualTo(sound.results());
    assertThat(run.load().settingsInDoubt()).isTrue();
    assertThat(run.load().remedy()).isEqualTo("slicewise restore --trust-damaged " + run.root());
  }

  /** The lab ended with its run, so nothing of it can be in doubt. */
  @Test
  void aRepairedRunOfTheLabIsNotDamaged() throws IOException {
    RunDirectory run = copy("lab");
    ObjectNode environment = (ObjectNode) Json.mapper().readTree(run.environmentFile().toFile());
    environment
        .putObject("origin")
        .put("kind", "lab")
        .put("sentence", "measured on the lab")
        .put("simulated", false);
    environment.remove("sum");
    Files.writeString(run.environmentFile(), Seal.line(environment.toString()));
    Files.delete(run.journalFile());
    RunRepair.repair(run, CLOCK);
    assertThat(run.load().damages()).isEmpty();
  }

  @Test
  void aFoundWeightThatWasEditedIsNotUsed() throws IOException {
    RunDirectory run = copy("edited");
    String text = Files.readString(run.journalFile());
    Files.writeString(run.journalFile(), text.replaceFirst("302", "702"));
    LoadedRun loaded = run.load();
    assertThat(loaded.settingsInDoubt()).isTrue();
    assertThat(loaded.record().found().toString()).contains("302").doesNotContain("702");
  }

  @Test
  void aRecordOrAnEnvironmentWithoutAChecksumIsAltered() throws IOException {
    RunDirectory run = copy("before");
    Path record = run.trialDirectory(sound.results().get(0).trial().slug()).resolve("trial.json");
    for (Path file : List.of(record, run.environmentFile())) {
      Files.writeString(
          file,
          Files.readString(file).replaceFirst("(?s),\\s*\"sum\" : \"[0-9a-f]{16}\".*", "\n}"));
    }
    LoadedRun loaded = run.load();
    assertThat(loaded.results()).hasSize(5);
    assertThat(loaded.damages())
        .extracting(RunDamage::kind)
        .containsExactly(RunDamage.Kind.TRIAL_ALTERED, RunDamage.Kind.ENVIRONMENT_ALTERED);
  }
}
