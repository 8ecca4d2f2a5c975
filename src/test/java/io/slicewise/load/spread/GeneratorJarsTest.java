package io.slicewise.load.spread;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is copied to a generator: the program, and nothing else. */
class GeneratorJarsTest {
  @TempDir private Path directory;

  @Test
  void theWorkingDirectoryIsNoPartOfTheProgram() throws IOException {
    Path jar = Files.writeString(directory.resolve("a.jar"), "a jar");
    String classPath = jar + File.pathSeparator + File.pathSeparator + directory.resolve("missing");
    assertThat(Bundle.of(classPath, directory).jars())
        .extracting(Bundle.Jar::file)
        .containsExactly(jar);
  }

  @Test
  void classesBecomeTheSameJarEachTime() throws IOException {
    Path classes = Files.createDirectories(directory.resolve("classes/io"));
    Files.writeString(classes.resolve("A.class"), "one class");
    Path scratch = Files.createDirectory(directory.resolve("scratch"));
    String classPath = directory.resolve("classes").toString();
    String once = Files.readString(Bundle.of(classPath, scratch).sums());
    assertThat(Bundle.of(classPath, scratch).sums()).hasContent(once);
  }
}
