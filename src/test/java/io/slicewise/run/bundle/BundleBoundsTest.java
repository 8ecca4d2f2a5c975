package io.slicewise.run.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.slicewise.base.json.Json;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Sha256;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the disk of whoever reads an archive: what would grow beyond 16 times its size, beyond 4
 * GiB, or beyond the room there is, is refused before any of it is written. The archives are real;
 * a large one is sparse, a file system without room is a mounted one of 8 MiB.
 */
class BundleBoundsTest {
  private static final int MEBIBYTE = 1 << 20;

  @TempDir Path directory;

  /**
   * An archive of one file of zeros, which packs to a thousandth, behind that many unused bytes.
   */
  private Path archive(String name, int mebibytes, long before) throws IOException {
    Path file = directory.resolve(name + RunBundle.SUFFIX);
    MessageDigest digest = Sha256.begin();
    byte[] zeros = new byte[MEBIBYTE];
    for (int i = 0; i < mebibytes; i++) {
      digest.update(zeros);
    }
    String sum = HexFormat.of().formatHex(digest.digest());
    Map<String, Manifest.Sealed> files = new LinkedHashMap<>();
    files.put("zeros", new Manifest.Sealed((long) mebibytes * MEBIBYTE, sum));
    Manifest manifest = new Manifest(Manifest.FORMAT, "run", false, false, files);
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(before);
    }
    try (ZipOutputStream zip =
        new ZipOutputStream(Files.newOutputStream(file, StandardOpenOption.APPEND))) {
      zip.putNextEntry(new ZipEntry(Manifest.NAME));
      zip.write(Json.text(manifest).getBytes(StandardCharsets.UTF_8));
      zip.putNextEntry(new ZipEntry("zeros"));
      for (int i = 0; i < mebibytes; i++) {
        zip.write(zeros);
      }
    }
    return file;
  }

  @Test
  void sixteenTimesTheArchivesSizeIsTheMost() throws IOException {
    assertThatThrownBy(() -> OpenedBundle.open(archive("bomb", 65, 0)))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("its files have 65 MB, and an archive of 6")
        .hasMessageContaining("may have 64 MB");
    assertUnpacks(archive("small", 64, 0), 64);
    assertUnpacks(archive("large", 65, 5L * MEBIBYTE), 65);
  }

  private void assertUnpacks(Path file, int mebibytes) throws IOException {
    try (OpenedBundle bundle = OpenedBundle.open(file)) {
      Path root = bundle.unpack(Files.createTempDirectory(directory, "into"));
      assertThat(root.resolve("zeros")).hasSize((long) mebibytes * MEBIBYTE);
    }
  }

  @Test
  @Tag("thorough")
  void fourGibibytesAreTheMostOfAnyArchive() throws IOException {
    Path file = archive("sparse", 4097, 300L * MEBIBYTE);
    assertThat(Files.size(file)).isGreaterThan(300L * MEBIBYTE);
    assertThatThrownBy(() -> OpenedBundle.open(file))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("its files have 4 GB, and an archive of 30")
        .hasMessageContaining("may have 4 GB");
  }

  @Test
  void whatTheDiskHasNoRoomForIsNotWritten() throws Exception {
    Path full = Files.createDirectory(directory.resolve("full"));
    assumeThat(run("mount", "-t", "tmpfs", "-o", "size=8m", "none", full.toString()))
        .as("only root can mount a file system")
        .isZero();
    try (OpenedBundle bundle = OpenedBundle.open(archive("nine", 9, 0))) {
      assertThatThrownBy(() -> bundle.unpack(full))
          .isInstanceOfSatisfying(
              SlicewiseException.class,
              fault -> assertThat(fault.errorKind()).isEqualTo(ErrorKind.STORAGE))
          .hasMessageContaining("needs 9 MB to be unpacked")
          .hasMessageContaining(full + " has 8 MB");
      assertThat(full).isEmptyDirectory();
    } finally {
      assertThat(run("umount", full.toString())).isZero();
    }
  }

  private static int run(String... words) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    try (OutputStream none = OutputStream.nullOutputStream()) {
      process.getInputStream().transferTo(none);
    }
    return process.waitFor();
  }
}
