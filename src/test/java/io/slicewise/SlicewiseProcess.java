package io.slicewise;

import io.slicewise.cli.Main;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** The program in a process of its own, for tests that kill it or read what it prints. */
public final class SlicewiseProcess {
  private SlicewiseProcess() {}

  /**
   * Starts the program.
   *
   * @param directory where its temporary files are, and {@code run.log} with all that it prints
   */
  public static Process start(Path directory, String... arguments) throws IOException {
    return of(Main.class, directory, arguments)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("run.log").toFile()))
        .start();
  }

  /** Returns a program with this class path, whose output and errors are one stream. */
  public static ProcessBuilder of(Class<?> program, Path directory, String... arguments) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    words.add("-Djava.io.tmpdir=" + directory);
    Properties here = System.getProperties();
    here.stringPropertyNames().stream()
        .filter(
            name -> name.equals("slicewise.home") || name.matches("slicewise\\.(cache|state)\\..*"))
        .forEach(name -> words.add("-D%s=%s".formatted(name, here.getProperty(name))));
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    words.addAll(List.of(arguments));
    return new ProcessBuilder(words).redirectErrorStream(true);
  }
}
