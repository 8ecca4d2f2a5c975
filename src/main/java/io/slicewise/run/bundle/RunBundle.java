package io.slicewise.run.bundle;

import io.slicewise.base.json.Json;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.HintedException;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.ResealedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.bundle.Manifest.Digest;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipOutputStream;
import org.apache.commons.io.FileUtils;

/**
 * Writes a run as one archive: a manifest with the checksum of every file, then the files in the
 * order of their paths, with fixed times, so that the same run always gives the same bytes.
 */
public final class RunBundle {
  /** The end of a bundle's file name. */
  public static final String SUFFIX = ".slicewise.zip";

  private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);
  private static final Set<String> LOCAL = Set.of(".lock", ".reserve", ".probe");
  private static final Pattern SAMPLES = Pattern.compile(".*/(samples|warm-up)\\.jtl(\\.gz)?");

  /** Text of keys, which never belongs into a run directory. */
  private static final Pattern KEYS =
      Pattern.compile(
          "-----BEGIN [A-Z ]*PRIVATE KEY-----|\\b(ssh-(ed25519|rsa|dss)|ecdsa-sha2-\\S+) AAAA");

  private static final long LARGEST_SCANNED = 32L << 20;

  private RunBundle() {}

  /**
   * Writes a bundle, which must not exist yet. A run on which a process works is bundled as of now:
   * the trials that have finished.
   *
   * @param samples whether to include every sample
   * @param scrub whether to replace the names of hosts, domains and users
   * @return the SHA-256 of its manifest, which names it
   */
  public static String write(RunDirectory run, Path file, boolean samples, boolean scrub) {
    try (RunMoment moment = RunMoment.of(run, samples)) {
      if (!scrub) {
        return write(moment.run().root(), run.name(), file, samples, false);
      }
      try (ScrubbedRun copy = ScrubbedRun.of(moment.run(), samples)) {
        return write(copy.root(), copy.name(), file, samples, true);
      }
    } catch (FileAlreadyExistsException exists) {
      throw SlicewiseException.input(file + " exists", "name another file with --output", exists);
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.STORAGE,
          "cannot write the bundle %s: %s".formatted(file, FileFault.reason(fault)),
          "name another file with --output",
          fault);
    }
  }

  private static String write(Path root, String name, Path file, boolean samples, boolean scrubbed)
      throws IOException {
    Map<String, Path> files = files(root, samples);
    Map<String, Manifest.Sealed> seals = new TreeMap<>();
    for (Map.Entry<String, Path> one : files.entrySet()) {
      refuseKeys(one.getValue());
      try (InputStream in = Files.newInputStream(one.getValue())) {
        seals.put(
            one.getKey(), Digest.copy(in, OutputStream.nullOutputStream(), Long.MAX_VALUE - 1));
      }
    }
    Manifest manifest = new Manifest(Manifest.FORMAT, name, samples, scrubbed, seals);
    if (manifest.bytes() > Manifest.MOST_BYTES) {
      throw SlicewiseException.input(
          "%s has %s of files, and a bundle may have %s"
              .formatted(root, Manifest.size(manifest.bytes()), Manifest.size(Manifest.MOST_BYTES)),
          "leave out the single samples with --no-samples");
    }
    byte[] text = (Json.text(manifest) + "\n").getBytes(StandardCharsets.UTF_8);
    boolean whole = false;
    try (ZipOutputStream zip =
        new ZipOutputStream(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW))) {
      begin(zip, Manifest.NAME);
      zip.write(text);
      for (Map.Entry<String, Path> one : files.entrySet()) {
        begin(zip, one.getKey());
        try (InputStream in = Files.newInputStream(one.getValue())) {
          refuseIfDifferent(
              one.getValue(), seals.get(one.getKey()), Digest.copy(in, zip, Long.MAX_VALUE - 1));
        }
      }
      whole = true;
    } finally {
      if (!whole) {
        Files.deleteIfExists(file);
      }
    }
    return Digest.copy(new ByteArrayInputStream(text), OutputStream.nullOutputStream(), text.length)
        .sha256();
  }

  private static void begin(ZipOutputStream zip, String name) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(NO_TIME);
    zip.putNextEntry(entry);
  }

  private static void refuseIfDifferent(Path file, Manifest.Sealed before, Manifest.Sealed now) {
    if (!before.equals(now)) {
      throw SlicewiseException.input(
          file + " changed while it was bundled", "wait until no process works on the run");
    }
  }

  /**
   * Returns where a file of a bundle is written below a run's directory, which exists afterwards.
   * An archive has no empty directories, so that of the trials is made beside each experiment.
   */
  static Path place(Path root, String name) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    if (file.endsWith("experiment.yaml")) {
      Files.createDirectories(file.resolveSibling("trials"));
    }
    return file;
  }

  static Map<String, Path> files(Path root, boolean samples) throws IOException {
    Map<String, Path> files = new TreeMap<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path one, BasicFileAttributes attributes) {
            String name = root.relativize(one).toString().replace('\\', '/');
            boolean local = LOCAL.contains(one.getFileName().toString());
            if (attributes.isRegularFile()
                && !local
                && (samples || !SAMPLES.matcher("/" + name).matches())) {
              files.put(name, one);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path one, IOException fault) throws IOException {
            if (fault instanceof NoSuchFileException) { // a process works on the run
              return FileVisitResult.CONTINUE;
            }
            throw fault;
          }
        });
    return files;
  }

  private static void refuseKeys(Path file) throws IOException {
    if (Files.size(file) <= LARGEST_SCANNED && KEYS.matcher(text(file)).find()) {
      throw SlicewiseException.input(
          file + " contains a key, which a bundle never does", "remove it from the run directory");
    }
  }

  /** Returns the beginning of a file's text, unpacked; a damaged one as far as it goes. */
  private static String text(Path file) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (InputStream raw = Files.newInputStream(file);
        InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
      Digest.copy(in, text, LARGEST_SCANNED);
    } catch (EOFException | ZipException damaged) {
      return text.toString(StandardCharsets.ISO_8859_1);
    }
    return text.toString(StandardCharsets.ISO_8859_1);
  }

  /** A temporary copy of a run with replaced names; its seals are valid. Closing it removes it. */
  private record ScrubbedRun(Path directory, Path root, String name) implements AutoCloseable {
    /** Keeps every byte that is not part of a name as it is. */
    private static final Charset BYTES = StandardCharsets.UTF_8;

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

    @Override
    public void close() {
      try {
        FileUtils.deleteDirectory(directory.toFile());
      } catch (IOException kept) {
        throw new UncheckedIOException("cannot remove " + directory, kept);
      }
    }
  }
}
