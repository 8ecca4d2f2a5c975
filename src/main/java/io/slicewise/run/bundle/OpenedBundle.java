package io.slicewise.run.bundle;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.slicewise.base.json.Json;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.OwnerOnly;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** A bundle that is verified or read. */
public final class OpenedBundle implements AutoCloseable {
  private static final int LARGEST_MANIFEST = 64 << 20;

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
      return manifest;
    } catch (JsonProcessingException damaged) {
      throw notOne(file, "its manifest cannot be read");
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
    return damages;
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
      Path root = OwnerOnly.createDirectory(inside(directory, manifest.run()));
      for (Map.Entry<String, Manifest.Sealed> one : manifest.files().entrySet()) {
        Path target = inside(root, one.getKey());
        Files.createDirectories(target.getParent());
        try (OutputStream out = Files.newOutputStream(target)) {
          copy(one.getKey(), out, one.getValue());
        }
      }
      Files.createDirectories(root.resolve("trials"));
      return root;
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.STORAGE,
          "cannot unpack %s: %s".formatted(file, FileFault.reason(fault)),
          "make room in the directory for temporary files",
          fault);
    }
  }

  private Path inside(Path root, String name) {
    Path place = root.resolve(name).normalize();
    if (name.isEmpty() || !place.startsWith(root.normalize()) || place.equals(root.normalize())) {
      throw notOne(file, "it names the file '%s'".formatted(name));
    }
    return place;
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
