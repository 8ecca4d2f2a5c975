package io.slicewise;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lies under bench/ compiles against the code of today, although no build step runs it. */
class BenchTest {
  private static final Path BENCH = Path.of(System.getProperty("slicewise.home"), "bench");

  @TempDir private Path classes;

  @Test
  void programsCompileWithoutAWarning() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      List<String> options =
          List.of(
              "-Xlint:all,-path,-classfile,-options,-serial,-try",
              "-Werror",
              "-proc:none",
              "--release",
              "17",
              "-d",
              classes.toString(),
              "-cp",
              System.getProperty("java.class.path"));
      boolean compiled =
          compiler
              .getTask(
                  said, files, null, options, null, files.getJavaFileObjectsFromPaths(of("java")))
              .call();
      assertThat(compiled).as(said.toString()).isTrue();
    }
  }

  @Test
  void scriptsParse() throws IOException, InterruptedException {
    for (Path script : of("sh")) {
      Process bash = new ProcessBuilder("bash", "-n", script.toString()).inheritIO().start();
      assertThat(bash.waitFor()).as(script.toString()).isZero();
    }
  }

  private static List<Path> of(String ending) throws IOException {
    try (Stream<Path> files = Files.list(BENCH)) {
      List<Path> found =
          files.filter(file -> file.toString().endsWith("." + ending)).sorted().toList();
      assertThat(found).isNotEmpty();
      return found;
    }
  }
}
