package io.slicewise.cli.options;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.run.RunClaim;
import io.slicewise.run.bundle.OpenedBundle;
import io.slicewise.run.bundle.RunBundle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.io.FileUtils;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a path of the command line. A bundle becomes the directory of its run, unpacked for the
 * time of this command; as a copy, it never changes a host.
 */
public final class BundlePath implements ITypeConverter<Path> {
  private static final Map<Path, Path> OPENED = new ConcurrentHashMap<>();

  @Override
  public Path convert(String text) {
    Path path = Path.of(text);
    try {
      return OpenedBundle.isOne(path) ? unpacked(path) : path;
    } catch (SlicewiseException unusable) {
      throw new TypeConversionException(unusable.getMessage());
    }
  }

  private static Path unpacked(Path file) {
    try (OpenedBundle bundle = OpenedBundle.open(file)) {
      Path directory = Files.createTempDirectory("slicewise-bundle-");
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> FileUtils.deleteQuietly(directory.toFile())));
      Files.createFile(directory.resolve(RunClaim.ARCHIVE_MARK));
      Path root = bundle.unpack(directory);
      OPENED.put(root, file);
      return root;
    } catch (IOException fault) {
      throw new UncheckedIOException("no directory for temporary files", fault);
    }
  }

  /**
   * Returns where a file written for a run stays: for a run in a bundle it is copied beside the
   * bundle.
   */
  public static Path kept(Path root, Path file) {
    Path bundle = OPENED.get(root);
    if (bundle == null) {
      return file;
    }
    String name = bundle.getFileName().toString();
    String start = name.substring(0, name.length() - RunBundle.SUFFIX.length());
    Path copy = bundle.resolveSibling(start + "-" + file.getFileName());
    try {
      return Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.STORAGE, "cannot write %s: %s".formatted(copy, FileFault.reason(fault)), "");
    }
  }
}
