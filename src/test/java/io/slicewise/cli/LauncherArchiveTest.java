package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the launcher's choice of a class-data archive: made once for each build, used by every
 * command but {@code reduce}, and never used when it is empty or older than the jar. A small script
 * in the place of the JVM records how it is called.
 */
@Tag("lab")
class LauncherArchiveTest {
  private static final String LIST = "-XX:DumpLoadedClassList=";
  private static final String MAKE = "-Xshare:dump";
  private static final String USE = "-XX:SharedArchiveFile=";

  @TempDir private Path home;
  private Path archive;
  private Path calls;

  @BeforeEach
  void build() throws IOException {
    Files.createDirectories(home.resolve("target"));
    Files.createDirectories(home.resolve("jdk/bin"));
    Files.copy(Path.of("slicewise").toAbsolutePath(), home.resolve("slicewise"));
    archive = home.resolve("target/slicewise.jsa");
    calls = home.resolve("calls");
    makeJar(Instant.parse("2026-01-01T00:00:00Z"));
    jvm(
        "[[ $* != *%s* ]] || for word; do case $word in %s*) echo classes >\"${word#*=}\" ;; esac; done"
            .formatted(MAKE, USE));
  }

  private void makeJar(Instant built) throws IOException {
    Path jar = Files.writeString(home.resolve("target/slicewise.jar"), "jar");
    Files.setLastModifiedTime(jar, FileTime.from(built));
  }

  private void jvm(String does) throws IOException {
    Path java = home.resolve("jdk/bin/java");
    Files.writeString(java, "#!/bin/bash\necho \"$*\" >>'%s'\n%s\n".formatted(calls, does));
    assertThat(java.toFile().setExecutable(true)).isTrue();
  }

  /** Returns how the JVM was called, each time. */
  private List<String> run(String... arguments) throws Exception {
    Files.deleteIfExists(calls);
    ProcessBuilder builder = new ProcessBuilder("bash", home.resolve("slicewise").toString());
    builder.command().addAll(List.of(arguments));
    builder.environment().put("JAVA_HOME", home.resolve("jdk").toString());
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return Files.readAllLines(calls);
  }

  @Test
  void firstCommandMakesTheArchiveAndEveryCommandUsesIt() throws Exception {
    List<String> first = run("status");
    assertThat(first).hasSize(3);
    assertThat(first.get(0)).contains(LIST, "io.slicewise.cli.CommonClasses ");
    assertThat(first.get(1)).contains(MAKE);
    assertThat(first.get(2)).contains(USE + archive).endsWith("io.slicewise.cli.Main status");
    assertThat(run("--help")).singleElement().asString().contains(USE + archive);
  }

  @Test
  void buildAfterTheArchiveMakesItAnew() throws Exception {
    run("status");
    makeJar(Instant.parse("2100-01-01T00:00:00Z"));
    assertThat(run("status")).element(1).asString().contains(MAKE);
  }

  @Test
  void archiveThatCannotBeMadeIsTriedOnceAndNotUsed() throws Exception {
    jvm("exit 0");
    assertThat(run("status")).hasSize(3).last().asString().doesNotContain(USE);
    assertThat(archive).isEmptyFile();
    assertThat(run("status")).singleElement().asString().doesNotContain(USE, LIST);
  }

  @Test
  void reduceHasAnArchiveOfItsOwn() throws Exception {
    assertThat(run("reduce", "a.jtl"))
        .noneMatch(call -> call.contains("slicewise.jsa"))
        .allMatch(call -> call.contains("reduce.jsa"));
  }
}
