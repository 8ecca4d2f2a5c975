package io.slicewise.run.bundle;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.slicewise.base.json.Json;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.OwnerOnly;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.run.bundle.Manifest.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** A bundle that is verified or read. */
public final class OpenedBundle implements AutoCloseable {
  private static final int LARGEST_MANIFEST = 64 << 20;

  /** Unpacked sizes that any archive may have. */
  private static final long SMALL = 64L << 20;

  private static final int MOST_PACKED = 16;

  private final Path file;
  private final ZipFile zip;
  private final Manifest manifest;

  private OpenedBundle(Path file, ZipFile zip, Manifest manifest) {
    this.file = file;
    this.zip = zip;
    this.manifest = manifest;
  }

  /** Whether a path looks like a bundle. */
  public static boolean isOne(Path path) {
    return path.toString().endsWith(RunBundle.SUFFIX) && Files.isRegularFile(path);
  }

  /**
   * Opens a bundle.
   *
   * @throws SlicewiseException if the file is not one
   */
  public static OpenedBundle open(Path file) {
    ZipFile zip = null;
    try {
      zip = new ZipFile(file.toFile());
      return new OpenedBundle(file, zip, manifest(file, zip));
    } catch (IOException | SlicewiseException fault) {
      closeAfter(zip, fault);
      throw fault instanceof SlicewiseException known
          ? known
          : notOne(file, FileFault.reason((IOException) fault));
    }
  }

  private static void closeAfter(ZipFile zip, Exception fault) {
    try {
      if (zip != null) {
        zip.close();
      }
    } catch (IOException unclosed) {
      fault.addSuppressed(unclosed);
    }
  }

  private static Manifest manifest(Path file, ZipFile zip) throws IOException {
    ZipEntry entry = zip.getEntry(Manifest.NAME);
    if (entry == null) {
      throw notOne(file, "it has no " + Manifest.NAME);
    }
    try (InputStream in = zip.getInputStream(entry)) {
      Manifest manifest = Json.mapper().readValue(in.readNBytes(LARGEST_MANIFEST), Manifest.class);
      if (manifest.format() != Manifest.FORMAT || manifest.run() == null) {
        throw notOne(file, "its format is not " + Manifest.FORMAT);
      }
      refuseLarge(file, manifest.bytes());
      return manifest;
    } catch (JsonProcessingException damaged) {
      throw notOne(file, "its manifest cannot be read");
    }
  }

  /** Refuses an archive that would grow beyond what a run does, before any of it is unpacked. */
  private static void refuseLarge(Path file, long bytes) throws IOException {
    long packed = Files.size(file);
    if (bytes > Manifest.MOST_BYTES || bytes > Math.max(SMALL, MOST_PACKED * packed)) {
      throw notOne(
          file,
          "its files have %s, and an archive of %s may have %s"
              .formatted(
                  Manifest.size(bytes),
                  Manifest.size(packed),
                  Manifest.size(
                      Math.min(Manifest.MOST_BYTES, Math.max(SMALL, MOST_PACKED * packed)))));
    }
  }

  private static SlicewiseException notOne(Path file, String why) {
    return SlicewiseException.input(
        "%s is not a bundle: %s".formatted(file, why),
        "'slicewise bundle' makes one of a run directory");
  }

  /** Returns a description of it: its run, and how many files it has. */
  public String summary() {
    return "run %s, %d files, %s%s"
        .formatted(
            manifest.run(),
            manifest.files().size(),
            manifest.samples() ? "with every sample" : "without samples",
            manifest.scrubbed() ? ", names replaced" : "");
  }

  /** Returns a sentence for each file that was changed, is missing, or was added. */
  public List<String> damages() {
    List<String> damages = new ArrayList<>();
    manifest
        .files()
        .forEach(
            (name, expected) -> {
              if (zip.getEntry(name) == null) {
                damages.add(name + " is missing");
              } else if (!expected.equals(copy(name, OutputStream.nullOutputStream(), expected))) {
                damages.add(name + " was changed");
              }
            });
    zip.stream()
        .map(ZipEntry::getName)
        .filter(name -> !name.equals(Manifest.NAME) && !manifest.files().containsKey(name))
        .forEach(name -> damages.add(name + " was added"));
    Set<String> names = new HashSet<>();
    zip.stream()
        .map(ZipEntry::getName)
        .filter(name -> !names.add(name))
        .forEach(name -> damages.add(name + " is listed twice"));
    Stream.concat(Stream.of(manifest.run()), Stream.concat(names.stream(), manifest.names()))
        .filter(OpenedBundle::leaves)
        .distinct()
        .forEach(name -> damages.add(name + " is a path outside of the run's directory"));
    return damages;
  }

  /** Whether a name, unpacked below a directory, would be written anywhere else. */
  private static boolean leaves(String name) {
    Path root = Path.of("/run");
    try {
      Path place = root.resolve(name).normalize();
      return name.startsWith("/")
          || name.contains("\\")
          || !place.startsWith(root)
          || place.equals(root);
    } catch (InvalidPathException never) {
      return true;
    }
  }

  /** Copies a file; a damaged one gives a result that differs from the manifest. */
  private Manifest.Sealed copy(String name, OutputStream to, Manifest.Sealed expected) {
    try (InputStream in = zip.getInputStream(zip.getEntry(name))) {
      return Digest.copy(in, to, expected.bytes());
    } catch (ZipException damaged) {
      return new Manifest.Sealed(-1, "");
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.STORAGE,
          "cannot read %s of %s: %s".formatted(name, file, FileFault.reason(fault)),
          "",
          fault);
    }
  }

  /**
   * Unpacks the run below a directory; returns its directory.
   *
   * @throws SlicewiseException if the bundle is damaged
   */
  public Path unpack(Path directory) {
    List<String> damages = damages();
    if (!damages.isEmpty()) {
      throw new SlicewiseException(
          ErrorKind.DAMAGED,
          "%s is damaged: %s".formatted(file, String.join("; ", damages)),
          "get it again from where it was made");
    }
    try {
      refuseWithoutRoom(directory);
      Path root = OwnerOnly.createDirectory(directory.resolve(manifest.run()));
      for (Map.Entry<String, Manifest.Sealed> one : manifest.files().entrySet()) {
        Path target = RunBundle.place(root, one.getKey());
        try (OutputStream out = Files.newOutputStream(target)) {
          copy(one.getKey(), out, one.getValue());
        }
      }
      return root;
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.STORAGE,
          "cannot unpack %s: %s".formatted(file, FileFault.reason(fault)),
          "make room in the directory for temporary files",
          fault);
    }
  }

  private void refuseWithoutRoom(Path directory) throws IOException {
    long room = Files.getFileStore(directory).getUsableSpace();
    if (manifest.bytes() > room) {
      throw new SlicewiseException(
          ErrorKind.STORAGE,
          "%s needs %s to be unpacked, and %s has %s"
              .formatted(file, Manifest.size(manifest.bytes()), directory, Manifest.size(room)),
          "make room there, or name another directory for temporary files:"
              + " JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR");
    }
  }

  @Override
  public void close() {
    try {
      zip.close();
    } catch (IOException unclosed) {
      throw new UncheckedIOException(unclosed);
    }
  }
}
