package io.slicewise.load.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.slicewise.base.units.Window;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.ssh.RemoteShellException.Kind;
import io.slicewise.ssh.Shells;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A window has what started in it, and does not count where its log may be incomplete. */
class AccessLogTest {
  private static final double WIDTH = 2;

  @TempDir private Path directory;
  private Path file;
  private AccessLog log;
  private Instant begin;

  @BeforeEach
  void follow() throws IOException {
    file = Files.createFile(directory.resolve("access.log"));
    log =
        AccessLog.follow(
            Shells::local,
            file.toString(),
            LineFormats.named("nginx"),
            new Selection(Map.of(), Selection.LASTING, Selection.DOWNLOAD, Map.of("a", "/a*")));
    log.awaitBegun();
    begin = Instant.now();
  }

  @AfterEach
  void close() {
    log.close();
  }

  private void write(String lines) throws IOException {
    Files.writeString(file, lines, StandardOpenOption.APPEND);
  }

  /** A line of nginx for a request that began so many seconds after the window. */
  private String line(double start, double seconds, String rest) {
    double end = begin.toEpochMilli() / 1000.0 + start + seconds;
    return String.format(Locale.ROOT, "%.3f %.3f - %s%n", end, seconds, rest);
  }

  private LoggedWindow read() {
    return log.read(new Window(begin, begin.plusMillis((long) (1000 * WIDTH))));
  }

  @Test
  void takesWhatStartedInTheWindowWheneverItEnded() throws IOException {
    write(line(-0.5, 1, "200 GET shop 10 \"/a\""));
    write(line(0.5, 0.1, "200 GET shop 10 \"/a?b\""));
    write(line(1.0, 2, "503 GET shop 10 \"/b\""));
    write(line(1.2, 0.1, "499 GET shop 0 \"/b\""));
    write(line(2.1, 0.1, "200 GET shop 10 \"/b\""));
    write(line(0.7, 1, "101 GET shop 10 \"/chat\""));
    write(line(0.7, 1, "200 GET shop 9999999 \"/film\""));

    LoggedWindow window = read();

    assertThat(window.faults()).isEmpty();
    assertThat(window.requests())
        .extracting(Seen::label, Seen::failed, Seen::aborted)
        .containsExactly(tuple(0, false, false), tuple(1, true, false), tuple(1, false, true));
    assertThat(window.leftOut()).isEqualTo(2);
    // What ends only now belonged to that window.
    write(line(1.9, 9, "200 GET shop 10 \"/a\""));
    Instant next = Instant.now();
    assertThat(log.read(new Window(next, next.plusSeconds(1))).unfinishedBefore()).isEqualTo(1);
  }

  @Test
  void doesNotCountAWindowInWhichTheLogWasTruncated() throws Exception {
    write(line(-1, 0.1, "200 GET shop 10 \"/a\"").repeat(5));
    Awaitility.await().until(() -> !log.lateness().isZero());
    Files.write(file, new byte[0]);
    write(line(1.5, 0.1, "200 GET shop 10 \"/a\""));

    assertThat(read().faults())
        .singleElement()
        .satisfies(fault -> assertThat(fault).contains("was truncated"));
  }

  @Test
  void doesNotCountAWindowOfLinesThatAreNotUnderstood() throws IOException {
    write(line(0.5, 0.1, "200 GET shop 10 \"/a\""));
    write("::1 - - [23/Nov/2026:13:22:39 +0000] \"GET / HTTP/1.1\" 200 12 \"-\" \"\u001b[2J\"\n");

    assertThat(read().faults())
        .singleElement()
        .satisfies(
            fault ->
                assertThat(fault)
                    .startsWith("1 of 2 lines are not of format nginx, such as '::1 - -")
                    .contains("\\u001b[2J", "no duration; add to the server: log_format"));
  }

  @Test
  void doesNotCountAWindowWithoutRequests() {
    assertThat(read().faults()).containsExactly("no request that counts started in it");
  }

  @Test
  void doesNotTakeASilentLogForAQuietSite() {
    Window window = new Window(begin, begin.plusSeconds(20));
    long start = 1000 * begin.toEpochMilli();
    List<Seen> half =
        IntStream.range(0, 200)
            .mapToObj(i -> new Seen(start + i * 50_000L, 10_000, -1, 200, 0, false))
            .toList();

    assertThat(Silence.of(window, half, window))
        .hasValueSatisfying(why -> assertThat(why).contains("no request started for 10."));
    Window eleven = new Window(begin, begin.plusSeconds(11));
    assertThat(Silence.of(eleven, half, eleven)).isEmpty();
    // A pause that began in it counts, wherever it ends.
    assertThat(Silence.of(eleven, half, new Window(begin, begin.plusSeconds(14)))).isPresent();
  }

  @Test
  @Tag("thorough")
  void aLostConnectionIsNoLateLog() throws Exception {
    log.close();
    AtomicBoolean away = new AtomicBoolean();
    Supplier<RemoteShell> shells = () -> away.get() ? unreachable() : Shells.local();
    Selection all = new Selection(Map.of(), Selection.LASTING, Selection.DOWNLOAD, Map.of());
    log = AccessLog.follow(shells, file.toString(), LineFormats.named("nginx"), all);
    log.awaitBegun();
    assertThat(log.trouble()).isEmpty();
    away.set(true);
    ProcessHandle.current()
        .descendants()
        .filter(one -> one.info().commandLine().orElse("").contains(file.toString()))
        .forEach(ProcessHandle::destroyForcibly);
    Awaitility.await()
        .until(
            () -> log.trouble(),
            why -> why.equals(Optional.of("no connection to the log's machine: it is away")));
    begin = Instant.now();
    write(line(0, 0.1, "200 GET shop 10 \"/a\""));
    TimeUnit.SECONDS.sleep(6);
    away.set(false);
    Awaitility.await().until(() -> log.trouble().isEmpty());

    assertThat(log.lateness()).isLessThan(Duration.ofSeconds(3));
  }

  private static RemoteShell unreachable() {
    throw new RemoteShellException(Kind.UNREACHABLE, "it is away", "", null);
  }

  @Test
  void aLateLogIsNoLostConnection() throws IOException {
    write(line(-40, 0.1, "200 GET shop 10 \"/a\""));
    Awaitility.await().until(() -> log.trouble().isPresent());

    assertThat(log.trouble())
        .hasValueSatisfying(why -> assertThat(why).startsWith("lines arrive up to 4"));
  }

  @Test
  void forgetsThatLinesWereLate() throws IOException {
    write(line(-40, 0.1, "200 GET shop 10 \"/a\""));
    Awaitility.await().until(() -> log.trouble().isPresent());
    Instant now = Instant.now();

    log.forget(now.plusSeconds(70));
    assertThat(log.trouble()).isPresent();
    log.forget(now.plusSeconds(140));
    assertThat(log.trouble()).isEmpty();
  }

  @Test
  void seesAClockThatIsSet() {
    AccessLog.LogClock clock = new AccessLog.LogClock();
    assertThat(clock.take(poll(0, 5.0))).isEmpty();
    assertThat(clock.take(poll(1, 5.0))).isEmpty();
    assertThat(clock.take(poll(2, -25.0)))
        .hasValueSatisfying(why -> assertThat(why).contains("moved by -30.0 s"));
    assertThat(clock.take(poll(3, -25.0))).isEmpty();
    assertThat(clock.ahead().toSeconds()).isEqualTo(-25);
  }

  private LogFollower.Poll poll(int second, double ahead) {
    Instant asked = begin.plusSeconds(second);
    return new LogFollower.Poll(
        asked,
        asked.plusMillis(4),
        asked.plusMillis(2).plusMillis((long) (1000 * ahead)),
        ZoneOffset.UTC,
        0,
        List.of());
  }
}
