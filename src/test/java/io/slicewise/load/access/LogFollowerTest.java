package io.slicewise.load.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.ssh.Shells;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No line is lost or doubled when a log is rotated; what may be lost is reported. */
class LogFollowerTest {
  @TempDir private Path directory;
  private final List<String> read = new ArrayList<>();
  private Path log;
  private LogFollower follower;
  private int written;

  @BeforeEach
  void begin() {
    log = directory.resolve("access log");
    write(log, "before\n");
    follower = new LogFollower(Shells::local, log.toString(), read::add);
    assertThat(follower.poll().lost()).isEmpty();
    assertThat(read).isEmpty();
  }

  @AfterEach
  void end() {
    follower.close();
  }

  private static void write(Path file, String text) {
    try {
      Files.write(
          file,
          text.getBytes(StandardCharsets.ISO_8859_1),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private void lines(Path file, int count) {
    StringBuilder text = new StringBuilder();
    IntStream.range(0, count).forEach(i -> text.append("line ").append(++written).append('\n'));
    write(file, text.toString());
  }

  private void rename(Path from, Path to) {
    try {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private Path numbered(int number) {
    return directory.resolve("access log." + number);
  }

  private void assertEveryLine() {
    assertThat(read)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, written).mapToObj(i -> "line " + i).toList());
  }

  @Test
  void readsWhatIsAppendedAndWaitsForHalfLines() {
    lines(log, 3);
    write(log, "li");
    assertThat(follower.poll().bytes()).isPositive();
    assertThat(read).hasSize(3);
    write(log, "ne 4\n");
    written++;
    follower.poll();

    assertEveryLine();
  }

  @Test
  void readsALongLineThatIsWrittenInHalves() {
    String half = "x".repeat(80_000);
    write(log, half);
    follower.poll();
    write(log, half + "\n");
    follower.poll();

    assertThat(read).containsExactly(half + half);
  }

  @Test
  void doesNotTakeTheRestOfALineThatBeganBefore() {
    follower.close();
    write(log, "half");
    read.clear();
    follower = new LogFollower(Shells::local, log.toString(), read::add);
    follower.poll();
    write(log, " of a line\n");
    lines(log, 1);
    follower.poll();

    assertEveryLine();
  }

  @Test
  @Tag("thorough")
  void losesNothingInAHundredRotationsByRenaming() {
    Random random = new Random(7);
    List<String> lost = new ArrayList<>();
    for (int rotation = 0; rotation < 100; rotation++) {
      lines(log, random.nextInt(35));
      if (random.nextBoolean()) {
        lost.addAll(follower.poll().lost());
      }
      rename(log, numbered(1));
      // The server goes on in the old file until it is told.
      lines(numbered(1), random.nextInt(35));
      if (random.nextBoolean()) {
        lost.addAll(follower.poll().lost());
      }
      lines(log, 1 + random.nextInt(35));
      // Its buffer may be flushed to the old file even then.
      lines(numbered(1), random.nextInt(3));
      lost.addAll(follower.poll().lost());
    }
    lost.addAll(follower.poll().lost());

    assertThat(lost).isEmpty();
    assertEveryLine();
  }

  @Test
  void readsFilesThatWereRotatedTwiceBetweenTwoPolls() {
    lines(log, 2);
    rename(log, numbered(2));
    lines(log, 3);
    rename(log, numbered(1));
    lines(log, 4);

    assertThat(follower.poll().lost()).isEmpty();
    assertEveryLine();
  }

  @Test
  void readsAFileToItsEndThatWasDeleted() throws IOException {
    lines(log, 1);
    follower.poll();
    lines(log, 2);
    Files.delete(log);
    follower.poll();
    lines(log, 3);
    follower.poll();

    assertEveryLine();
  }

  @Test
  void reportsEveryTruncationOfAHundred() throws IOException {
    Random random = new Random(3);
    int reported = 0;
    for (int rotation = 0; rotation < 100; rotation++) {
      lines(log, 1 + random.nextInt(35));
      follower.poll();
      Files.copy(log, numbered(1), StandardCopyOption.REPLACE_EXISTING);
      Files.write(log, new byte[0]);
      // Also where the file is soon longer than before.
      lines(log, random.nextInt(70));
      reported += follower.poll().lost().isEmpty() ? 0 : 1;
    }

    assertThat(reported).isEqualTo(100);
    assertEveryLine();
  }

  @Test
  void goesOnByInodeAndOffsetAfterALostConnection() {
    lines(log, 2);
    follower.poll();
    follower.close();
    lines(log, 3);
    rename(log, numbered(1));
    lines(log, 4);

    assertThat(follower.poll().lost()).isEmpty();
    assertEveryLine();
  }

  @Test
  void reportsAFileThatIsGoneAfterALostConnection() throws IOException {
    follower.close();
    lines(log, 3);
    Files.delete(log);
    lines(log, 1);

    assertThat(follower.poll().lost())
        .singleElement()
        .satisfies(lost -> assertThat(lost).contains("the connection was lost"));
  }

  @Test
  void survivesBytesThatAreNoText() {
    byte[] odd = {'a', 0, (byte) 0xff, 27, '[', '2', 'J', '\n'};
    write(log, new String(odd, StandardCharsets.ISO_8859_1));
    lines(log, 1);
    write(log, "x".repeat(200_000) + "\n");
    lines(log, 1);
    follower.poll();

    assertThat(read).contains("line 1", "line 2");
    assertThat(read.get(0)).hasSize(7);
  }

  @Test
  void refusesAFileThatDoesNotExist() {
    Path none = directory.resolve("none");
    try (LogFollower other = new LogFollower(Shells::local, none.toString(), read::add)) {
      assertThatThrownBy(other::poll)
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining("has no file " + none);
    }
  }

  @Test
  void knowsTheClockOfTheMachine() {
    LogFollower.Poll poll = follower.poll();

    assertThat(poll.theirs()).isBetween(poll.asked().minusMillis(5), poll.answered().plusMillis(5));
    assertThat(Stream.of(poll.zone())).isNotEmpty();
  }
}
