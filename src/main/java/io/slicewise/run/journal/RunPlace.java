package io.slicewise.run.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The place of a run, which distinguishes a copy of its directory from the run itself.
 *
 * @param run the run's random id
 * @param machine the id of the machine
 * @param directory the absolute path of the run directory
 * @param file the inode of the journal, which a move within a file system keeps and a copy does
 *     not; 0 if the file system has none
 */
public record RunPlace(String run, String machine, String directory, long file) {
  private static final int ID_BYTES = 8;

  /** Returns a new id at the journal's place; the file must exist. */
  public static RunPlace fresh(Path journal) throws IOException {
    byte[] id = new byte[ID_BYTES];
    new SecureRandom().nextBytes(id);
    return of(HexFormat.of().formatHex(id), journal);
  }

  /** Returns an id at the journal's place; the file must exist. */
  public static RunPlace of(String id, Path journal) throws IOException {
    Path absolute = journal.toAbsolutePath().normalize();
    return new RunPlace(
        id, ThisProcess.machineId(), absolute.getParent().toString(), inode(absolute));
  }

  private static long inode(Path file) throws IOException {
    try {
      return ((Number) Files.getAttribute(file, "unix:ino")).longValue();
    } catch (UnsupportedOperationException | IllegalArgumentException noInodes) {
      return 0;
    }
  }

  /**
   * Whether the journal belongs to this place: the same file on the same machine, even if it was
   * moved.
   */
  public boolean isAt(Path journal) throws IOException {
    RunPlace now = of(run, journal);
    boolean moved = !Files.exists(Path.of(directory, journal.getFileName().toString()));
    return machine.equals(now.machine)
        && file == now.file
        && (directory.equals(now.directory) || moved || isSameFile(journal));
  }

  /** Whether another path leads to the same directory, for example through a symbolic link. */
  private boolean isSameFile(Path journal) throws IOException {
    return Files.isSameFile(Path.of(directory), journal.toAbsolutePath().getParent());
  }
}
