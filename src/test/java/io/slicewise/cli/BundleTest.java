package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunLock;
import io.slicewise.run.bundle.OpenedBundle;
import io.slicewise.run.bundle.RunBundle;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.recording.HostAnswer;
import io.slicewise.run.recording.HostRecording;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects bundles: the same bytes every time, every damage shown, no name left after scrubbing.
 */
class BundleTest {
  @TempDir Path directory;
  private RunDirectory run;

  @BeforeEach
  void record() throws IOException {
    RecordedRun recorded =
        RecordedRun.begin(directory.resolve("shop-2026"), RecordedRun.EXPERIMENT)
            .on(HypervisorVersion.of(4, 17), 4);
    for (int block = 1; block <= 2; block++) {
      recorded.trial(2 * block - 1, "w256", 50, block, 100 + block, 40);
      recorded.trial(2 * block, "w512", 50, block, 120 + block, 30);
    }
    run = recorded.restored().end();
    Path trial;
    try (var trials = Files.list(run.root().resolve("trials"))) {
      trial = trials.sorted().findFirst().orElseThrow();
    }
    try (var samples =
        new GZIPOutputStream(Files.newOutputStream(trial.resolve("samples.jtl.gz")))) {
      samples.write("1,2,http://web.example/ of db,ok\n".getBytes(StandardCharsets.UTF_8));
    }
    Files.writeString(trial.resolve("jmeter.log"), "asks web.example for /home/anna/x\n");
  }

  private Path bundle(String name, boolean samples, boolean scrub) {
    Path file = directory.resolve(name + RunBundle.SUFFIX);
    RunBundle.write(run, file, samples, scrub);
    return file;
  }

  private static Map<String, byte[]> entries(Path file) throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(file))) {
      for (ZipEntry one = zip.getNextEntry(); one != null; one = zip.getNextEntry()) {
        entries.put(one.getName(), zip.readAllBytes());
      }
    }
    return entries;
  }

  private Path written(Map<String, byte[]> entries) throws IOException {
    Path file = Files.createTempFile(directory, "altered", RunBundle.SUFFIX);
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, byte[]> one : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(one.getKey()));
        zip.write(one.getValue());
      }
    }
    return file;
  }

  @Test
  void theSameRunGivesTheSameBytes() throws IOException {
    assertThat(bundle("one", true, false)).hasSameBinaryContentAs(bundle("two", true, false));
    assertThat(bundle("three", true, true)).hasSameBinaryContentAs(bundle("four", true, true));
  }

  /** The journal and its head are of one moment; what has not finished by then is left out. */
  @Test
  void aRunOnWhichAProcessWorksIsBundledAsOfOneMoment() throws Exception {
    Path running = Files.createDirectory(run.trialDirectory("5-running"));
    AtomicBoolean bundled = new AtomicBoolean();
    try (RunLock held = RunLock.take(run.root());
        Journal journal = Journal.open(run.journalFile())) {
      assertThat(held).isNotNull();
      CompletableFuture<Void> work =
          CompletableFuture.runAsync(
              () -> {
                while (!bundled.get()) {
                  journal.append(new JournalEvent.HostLost(Instant.EPOCH, "again"));
                  grow(running.resolve("proc"));
                }
              });
      for (boolean scrub : new boolean[] {false, true}) {
        try (OpenedBundle opened = OpenedBundle.open(bundle("live" + scrub, true, scrub))) {
          assertThat(opened.damages()).isEmpty();
          RunDirectory then =
              RunDirectory.open(opened.unpack(Files.createTempDirectory(directory, "out")));
          assertThat(then.load().sentences()).isEmpty();
          assertThat(then.results()).hasSize(4);
          assertThat(then.trialDirectory("5-running")).doesNotExist();
        }
      }
      bundled.set(true);
      work.join();
    }
    assertThat(run.load().sentences()).isEmpty();
  }

  private static void grow(Path file) {
    try {
      Files.writeString(file, "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void verifyShowsEachFileThatWasChangedIsMissingOrWasAdded() throws IOException {
    Path whole = bundle("whole", true, false);
    CommandLines.Said intact = CommandLines.run("bundle", "verify", whole.toString());
    assertThat(intact.out()).startsWith("intact: run shop-2026, ");
    assertThat(intact.exit()).isZero();

    Map<String, byte[]> entries = entries(whole);
    entries.put("experiment.yaml", "name: other\n".getBytes(StandardCharsets.UTF_8));
    entries.remove("journal.head");
    entries.put("extra.txt", new byte[] {1});
    Path altered = written(entries);
    CommandLines.Said said = CommandLines.run("bundle", "verify", altered.toString());
    assertThat(said.out().lines())
        .contains(
            "  experiment.yaml was changed", "  journal.head is missing", "  extra.txt was added");
    assertThat(said.exit()).isEqualTo(19);
    assertThat(CommandLines.run("report", altered.toString()).err())
        .contains("is damaged: experiment.yaml was changed");
  }

  @Test
  void noFileIsUnpackedOutsideItsDirectory() throws IOException {
    Map<String, byte[]> entries = entries(bundle("whole", true, false));
    String manifest = new String(entries.get("manifest.json"), StandardCharsets.UTF_8);
    entries.put(
        "manifest.json",
        manifest
            .replace("\"experiment.yaml\"", "\"../../outside\"")
            .getBytes(StandardCharsets.UTF_8));
    entries.put("../../outside", entries.remove("experiment.yaml"));
    assertThat(CommandLines.run("report", written(entries).toString()).err())
        .contains("../../outside is a path outside of the run's directory");
  }

  @Test
  void verifyRefusesPathsThatLeaveTheRun() throws IOException {
    for (String path : List.of("../../tmp/x", "/tmp/x", "trials/../../x", "..")) {
      Map<String, byte[]> entries = entries(bundle("p" + path.length(), true, false));
      entries.put(path, "x".getBytes(StandardCharsets.UTF_8));
      String manifest = new String(entries.get("manifest.json"), StandardCharsets.UTF_8);
      entries.put(
          "manifest.json",
          manifest
              .replaceFirst(
                  "\"files\" *: *\\{",
                  "$0 \"%s\": {\"bytes\": 1, \"sha256\": \"\"},".formatted(path))
              .getBytes(StandardCharsets.UTF_8));
      CommandLines.Said said = CommandLines.run("bundle", "verify", written(entries).toString());
      assertThat(said.out()).contains(path + " is a path outside of the run's directory");
      assertThat(said.exit()).isEqualTo(19);
    }
  }

  @Test
  void anArchiveThatWouldGrowBeyondBoundsIsRefusedBeforeAnythingIsWritten() throws IOException {
    Map<String, byte[]> entries = entries(bundle("small", true, false));
    String manifest = new String(entries.get("manifest.json"), StandardCharsets.UTF_8);
    for (long size : new long[] {65L << 20, 5L << 30, Long.MAX_VALUE, -1}) {
      entries.put(
          "manifest.json",
          manifest
              .replaceFirst("\"bytes\" *: *\\d+", "\"bytes\": " + size)
              .getBytes(StandardCharsets.UTF_8));
      String file = written(entries).toString();
      assertThat(CommandLines.run("report", file).err()).contains("and an archive of", "may have");
      assertThat(CommandLines.run("bundle", "verify", file).exit()).isEqualTo(2);
    }
  }

  @Test
  void noCommandThatReachesAHostTakesAnArchive() throws IOException {
    String file = bundle("copy", true, false).toString();
    FileUtils.deleteDirectory(run.root().toFile());
    for (List<String> command :
        List.of(
            List.of("apply", "--adopt", "--yes", "--profile", "w512", file),
            List.of("restore", "--adopt", file),
            List.of("resume", "--adopt", file))) {
      CommandLines.Said said = CommandLines.run(command.toArray(String[]::new));
      assertThat(said.err())
          .as(String.join(" ", command))
          .contains("shop-2026 was read from a bundle: an archive never changes a host");
      assertThat(said.exit()).isEqualTo(ExitCode.LOCKED.code());
    }
    Path unpacked = Files.createDirectories(directory.resolve("by-hand"));
    for (Map.Entry<String, byte[]> one : entries(Path.of(file)).entrySet()) {
      Files.createDirectories(unpacked.resolve(one.getKey()).getParent());
      Files.write(unpacked.resolve(one.getKey()), one.getValue());
    }
    assertThat(CommandLines.run("restore", "--adopt", unpacked.toString()).err())
        .contains("by-hand was read from a bundle");
  }

  @Test
  void reportCompareAndCheckReadABundleLikeItsRun() throws IOException {
    String root = run.root().toString();
    String file = bundle("whole", false, false).toString();
    for (String command : List.of("check", "compare")) {
      assertThat(CommandLines.run(command, file).out().replaceAll("\\S*shop-2026\\S*", "RUN"))
          .as(command)
          .isEqualTo(CommandLines.run(command, root).out().replaceAll("\\S*shop-2026\\S*", "RUN"));
    }
    assertThat(CommandLines.run("report", "--format", "csv", file).out())
        .isEqualTo(CommandLines.run("report", "--format", "csv", root).out());
    assertThat(CommandLines.run("report", file).out()).contains("whole-report.html");
    assertThat(directory.resolve("whole-report.html")).isNotEmptyFile();
  }

  /** Platforms list guests that no experiment names, and their numbers are no names. */
  @Test
  void aScrubbedBundleHasNoNamesOfContainersLeft() throws IOException {
    String id = "3".repeat(64);
    String listed = id + " acme-shop\n/etc/pve/lxc/101.conf:hostname: acme-mail\n";
    HostRecording.in(run.root())
        .add(HostAnswer.of(Instant.EPOCH, List.of("docker", "ps"), false, 0, listed, ""));
    String recorded =
        new String(
            entries(bundle("scrubbed", false, true)).get(HostRecording.NAME),
            StandardCharsets.UTF_8);
    assertThat(recorded).contains(id + " guest-", "101.conf:hostname: guest-");
    assertThat(recorded).doesNotContain("acme");
  }

  @Test
  void aScrubbedBundleHasNoNameLeftAndTheSameNumbers() throws IOException {
    Path file = bundle("scrubbed", true, true);
    for (Map.Entry<String, byte[]> one : entries(file).entrySet()) {
      String text =
          new String(
              one.getKey().endsWith(".gz") ? unpacked(one.getValue()) : one.getValue(),
              StandardCharsets.UTF_8);
      assertThat(text)
          .as(one.getKey())
          .doesNotContain("dom0.example", "web.example", "anna", "\"web\"", "\"db\"", "of db,");
    }
    String csv = CommandLines.run("report", "--format", "csv", file.toString()).out();
    assertThat(csv.replace("guest-1", "web").replace("guest-2", "db"))
        .isEqualTo(CommandLines.run("report", "--format", "csv", run.root().toString()).out());
    assertThat(CommandLines.run("check", file.toString()).out()).doesNotContain("damaged");
  }

  @Test
  void refusesAKeyInAPackedFile() throws IOException {
    try (var out =
        new GZIPOutputStream(Files.newOutputStream(run.root().resolve("proc-dom0.txt.gz")))) {
      out.write("dom0 ssh-ed25519 AAAAC3Nz\n".getBytes(StandardCharsets.UTF_8));
    }
    assertThatThrownBy(() -> bundle("packed", true, false))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("contains a key");
  }

  private static byte[] unpacked(byte[] packed) throws IOException {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed));
        ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      in.transferTo(out);
      return out.toByteArray();
    }
  }

  @Test
  void refusesKeysAndOverwritesNothing() throws IOException {
    bundle("once", true, false);
    assertThatThrownBy(() -> bundle("once", true, false))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageEndingWith("exists");
    Files.writeString(run.root().resolve("id"), "-----BEGIN OPENSSH PRIVATE KEY-----\n");
    assertThatThrownBy(() -> bundle("key", true, false))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("contains a key");
  }
}
