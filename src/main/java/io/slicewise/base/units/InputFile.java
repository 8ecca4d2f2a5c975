package io.slicewise.base.units;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Opens files that a user names: rejects devices, which may be endless, and pipes, which may never
 * begin, and reads text up to a limit. The messages of exceptions are clauses for {@link
 * FileFault#reason}.
 */
public final class InputFile {
  /** The limit for configuration files: about 10,000 profiles. */
  public static final int CONFIGURATION = 2 << 20;

  /** The limit for lists of accounts and for plans. */
  public static final int LISTS = 64 << 20;

  private static final int TYPE = 0170000;
  private static final int CHARACTER_DEVICE = 0020000;
  private static final int BLOCK_DEVICE = 0060000;

  private InputFile() {}

  /**
   * Reads the text of a file.
   *
   * @param most maximum number of bytes
   * @throws IOException if it is a device or a pipe, too large, not UTF-8 or unreadable
   */
  public static String text(Path file, int most) throws IOException {
    requireRegular(file);
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw new IOException("it is larger than " + size(most));
      }
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes))
          .toString();
    }
  }

  /**
   * Rejects anything but a regular file: logs and lists of samples are read several times, up to
   * their end.
   *
   * @throws IOException if it is a directory, a device or a pipe, or is missing
   */
  public static void requireRegular(Path file) throws IOException {
    refuseDevice(file);
    if (!Files.isRegularFile(file)) {
      throw new IOException("it is a pipe or a socket, not a file");
    }
  }

  private static void refuseDevice(Path file) throws IOException {
    if (Files.readAttributes(file, BasicFileAttributes.class).isDirectory()) {
      throw new IOException("it is a directory");
    }
    if (file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      int type = (int) Files.getAttribute(file, "unix:mode") & TYPE;
      if (type == CHARACTER_DEVICE || type == BLOCK_DEVICE) {
        throw new IOException("it is a device, not a file");
      }
    }
  }

  private static String size(int bytes) {
    return (bytes >> 20) + " MiB";
  }
}
