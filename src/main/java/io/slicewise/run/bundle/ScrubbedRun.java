package io.slicewise.run.bundle;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.HintedException;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.ResealedRun;
import io.slicewise.run.RunDirectory;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.io.FileUtils;

/** A temporary copy of a run with replaced names; its seals are valid. Closing it removes it. */
final class ScrubbedRun implements AutoCloseable {
  /** Keeps every byte that is not part of a name as it is. */
  private static final Charset BYTES = StandardCharsets.UTF_8;

  private final Path directory;
  private final Path root;
  private final String name;

  private ScrubbedRun(Path directory, Path root, String name) {
    this.directory = directory;
    this.root = root;
    this.name = name;
  }

  /**
   * @throws SlicewiseException if the run is damaged, or cannot be read with other names
   */
  static ScrubbedRun of(RunDirectory run, boolean samples) throws IOException {
    LoadedRun loaded = run.load();
    if (!loaded.sentences().isEmpty()) {
      throw new SlicewiseException(
          ErrorKind.DAMAGED,
          "%s is damaged: %s".formatted(run.root(), String.join("; ", loaded.sentences())),
          "bundle it without --scrub, or repair it with 'slicewise check --repair'");
    }
    ScrubbedNames names = ScrubbedNames.of(loaded);
    Path directory = Files.createTempDirectory("slicewise-scrub-");
    ScrubbedRun copy =
        new ScrubbedRun(
            directory, Files.createDirectory(directory.resolve("run")), names.apply(run.name()));
    try {
      copy.fill(RunBundle.files(run.root(), samples), names);
      copy.check(loaded);
      return copy;
    } catch (IOException | RuntimeException fault) {
      copy.close();
      throw fault;
    }
  }

  private void fill(Map<String, Path> files, UnaryOperator<String> names) throws IOException {
    for (Map.Entry<String, Path> one : files.entrySet()) {
      Path target = RunBundle.place(root, names.apply(one.getKey()));
      if (ResealedRun.isSealed(one.getKey())) {
        Files.copy(one.getValue(), target);
      } else if (one.getKey().endsWith(".gz")) {
        packed(one.getValue(), target, names);
      } else {
        Files.writeString(target, names.apply(Files.readString(one.getValue(), BYTES)), BYTES);
      }
    }
    new ResealedRun(root, names).change();
  }

  private static void packed(Path from, Path to, UnaryOperator<String> names) throws IOException {
    try (BufferedReader in =
            new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(from)), BYTES));
        BufferedWriter out =
            new BufferedWriter(
                new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(to)), BYTES))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        out.write(names.apply(line));
        out.write('\n');
      }
    }
  }

  /** Checks that the copy is the same run: a name may also be a word of the file formats. */
  private void check(LoadedRun before) {
    try {
      RunDirectory copy = RunDirectory.open(root);
      LoadedRun loaded = copy.load();
      loaded.experiment();
      if (loaded.sentences().isEmpty() && loaded.results().size() == before.results().size()) {
        return;
      }
    } catch (HintedException unreadable) {
      throw refused(unreadable);
    }
    throw refused(null);
  }

  private static SlicewiseException refused(Throwable cause) {
    return SlicewiseException.input(
        "a name of this run is also a word of its files, so it cannot be replaced",
        "bundle it without --scrub",
        cause);
  }

  Path root() {
    return root;
  }

  String name() {
    return name;
  }

  @Override
  public void close() {
    try {
      FileUtils.deleteDirectory(directory.toFile());
    } catch (IOException kept) {
      throw new UncheckedIOException("cannot remove " + directory, kept);
    }
  }
}
