package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines.Said;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The way of a production admin on a lab: every command from the first file to settings that are
 * applied and taken back.
 */
final class LiveStudy {
  private static final Pattern ANSWER = Pattern.compile("(?m)^ANSWER +(.*)$");

  private final Lab lab;
  private final Path directory;
  private final Path file;
  private final LabSettings asFound;

  private LiveStudy(Lab lab, Path directory, Path file) {
    this.lab = lab;
    this.directory = directory;
    this.file = file;
    asFound = lab.settings();
  }

  /** Writes the first file of a workload, with the address of the lab. */
  static LiveStudy drafted(Lab lab, Path directory, String... words) throws IOException {
    LiveStudy study = new LiveStudy(lab, directory, directory.resolve("site.yaml"));
    study.said(
        Stream.of(
                Stream.of("init"),
                Stream.of(words),
                Stream.of("--host", "127.0.0.1", "-o", study.file.toString()))
            .flatMap(all -> all)
            .toArray(String[]::new));
    assertThat(Files.readString(study.file)).contains("observe: true", "dead-man: 1m");
    study.edit(
        "  address: 127.0.0.1.*",
        "  address: 127.0.0.1\n  user: root\n  port: %d\n  identity: %s\n  known-hosts: %s"
            .formatted(lab.sshPort(), lab.privateKey(), lab.knownHosts()));
    Files.writeString(study.file, Files.readString(study.file) + "limits: {lab-lateness: 9s}\n");
    return study;
  }

  Path file() {
    return file;
  }

  /** Replaces a text that the file has. */
  void edit(String pattern, String replacement) throws IOException {
    String before = Files.readString(file);
    String after = before.replaceFirst(pattern, Matcher.quoteReplacement(replacement));
    assertThat(after).as(pattern).isNotEqualTo(before);
    Files.writeString(file, after);
  }

  /** Enters the guests, and two profiles. */
  void enter(String main, String first, String second) throws IOException {
    edit("  main: \\[guest\\].*", "  main: [%s]\n  other: [Batch]".formatted(main));
    edit("  - \\{name: heavy.*\\}", "  - {%s}\n  - {%s}".formatted(first, second));
  }

  /** Runs a command that must succeed. */
  Said said(String... words) {
    Said said = CommandLines.run(words);
    assertThat(said.exit()).as(String.join(" ", words) + said.err() + said.out()).isZero();
    return said;
  }

  private Said measured() {
    Said said =
        CommandLines.run(
            "run", file + "", "--anyway", "--plain", "--results", directory.resolve("runs") + "");
    assertThat(said.exit()).as(said.err() + said.out()).isIn(CommandLines.measured());
    assertThat(lab.settings()).isEqualTo(asFound);
    return said;
  }

  /** Plans, observes, and returns what the study of both candidates printed. */
  String compare(int pairs) throws IOException {
    assertThat(said("plan", file + "").out()).contains("as-found-twice", "coin");
    assertThat(measured().out()).contains("only observed", "no changes left");
    edit("pairs: \\d+", "pairs: " + pairs);
    edit(", observe: true", "");
    String printed = measured().out();
    assertThat(printed).containsPattern(ANSWER);
    return printed;
  }

  /** Applies a profile, by its name or else the answer's, and takes it back. */
  void applyAndRestore(String... choice) {
    Path run = RunDirectory.newest(directory.resolve("runs")).orElseThrow().root();
    said(
        Stream.concat(Stream.of("apply", run + "", "--yes"), Stream.of(choice))
            .toArray(String[]::new));
    assertThat(lab.settings()).isNotEqualTo(asFound);
    said("restore", run + "");
    assertThat(lab.settings()).isEqualTo(asFound);
  }
}
