package io.slicewise.base.units;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Writes files atomically: a reader sees the old content or the new one, never a part, even after a
 * crash of the machine. Only the owner may read them.
 */
public final class WholeFile {
  private WholeFile() {}

  /** Writes UTF-8 text. */
  public static void write(Path file, String text) throws IOException {
    write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Writes a draft next to the file, forces it to disk and moves it into place. If writing fails,
   * the draft is removed.
   */
  public static void write(Path file, byte[] content) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".draft");
    try {
      writeForced(draft, content);
      OwnerOnly.close(draft);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      Files.deleteIfExists(draft);
      throw e;
    }
    forceDirectory(file.toAbsolutePath().getParent());
  }

  private static void writeForced(Path file, byte[] content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer buffer = ByteBuffer.wrap(content);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    }
  }

  /** Forces a directory to disk, so that new files in it survive a crash. */
  public static void forceDirectory(Path directory) throws IOException {
    try (FileChannel opened = FileChannel.open(directory, StandardOpenOption.READ)) {
      opened.force(true);
    }
  }
}
