package io.slicewise.host.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.host.Domain;
import io.slicewise.host.monitor.Recordings.ProcLog;
import io.slicewise.host.monitor.machine.ProcUse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Protects against logs as crashes, full disks and cut connections leave them: no parser throws,
 * hangs, or turns damage into a share outside 0..1.
 */
class MonitorParserProperties {
  private static final byte[] XENMON = bytes("le4.7/log-dom2.log");
  private static final byte[] RECENT_XENMON = bytes("ge4.8/log-dom2.log");
  private static final XenmonLog IDLE = Fixtures.xenmonLog("le4.7/log-idle.log");
  private static final byte[] XENALYZE = bytes("real/xenalyze-credit2.txt");
  private static final byte[] XENTOP = bytes("real/xentop-b-v.txt");
  private static final byte[] RECORDING = recording();
  private static final List<Domain> DOMAINS =
      List.of(Fixtures.domain("Domain-0", 0, 2), Fixtures.domain("web", 2, 1));

  /** Three snapshots, two seconds apart. */
  private static byte[] recording() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 3; i++) {
      text.append("cpu  ").append(100 + 50 * i).append(" 0 50 ").append(800 + 150 * i);
      text.append(" 20 1 2 27 0 0\ncpu0 1 0 1 8 0 0 0 0\nintr ").append(12345 + i);
      text.append(" 1 2 3\nctxt ").append(5000 + i).append("\nbtime 1700000000\n");
      text.append("nr_free_pages 9\npgpgin ").append(12345678 + i).append("\npswpin 40\n");
      text.append("8 0 sda 1000 10 ").append(80000 + i).append(" 500 2000 20 1600 9 0 700 14\n");
      text.append("8 1 sda1 5 6 7 8\n7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n0.52 0.40 0.30 1/99 7\n");
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String name) {
    return Fixtures.text(name).getBytes(StandardCharsets.UTF_8);
  }

  /** Understands a mutated text, or throws. */
  private interface Parser {
    void parse(Random random, int hits) throws IOException;
  }

  /** What is mutated. */
  private enum Kind {
    XENMON,
    XENALYZE,
    XENTOP,
    PROC
  }

  private static Parser parser(Kind kind) {
    return switch (kind) {
      case XENMON -> MonitorParserProperties::xenmon;
      case XENALYZE -> MonitorParserProperties::xenalyze;
      case XENTOP -> MonitorParserProperties::xentop;
      case PROC -> MonitorParserProperties::proc;
    };
  }

  /** The slower a kind is to read, the fewer of it. */
  private static void run(Kind kind, long firstSeed, int texts) {
    for (long seed = firstSeed; seed < firstSeed + texts; seed++) {
      Random random = new Random(seed);
      try {
        parser(kind).parse(random, 1 + random.nextInt(30));
      } catch (IOException | RuntimeException | AssertionError failure) {
        throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"XENMON, 300", "XENALYZE, 150", "XENTOP, 650", "PROC, 900"})
  void survivesTwoThousandMutants(Kind kind, int texts) {
    run(kind, 1, texts);
  }

  @ParameterizedTest
  @CsvSource({"XENMON, 3000", "XENALYZE, 1500", "XENTOP, 6500", "PROC, 9000"})
  @Tag("thorough")
  void survivesTwentyThousandMutants(Kind kind, int texts) {
    run(kind, 1, texts);
  }

  @ParameterizedTest
  @CsvSource({"XENMON, 150000", "XENALYZE, 75000", "XENTOP, 325000", "PROC, 450000"})
  @Tag("nightly")
  void survivesAMillionMutants(Kind kind, int texts) {
    run(kind, 1_000_000, texts);
  }

  private static void xenmon(Random random, int hits) throws IOException {
    byte[] mutated = mutate(random.nextBoolean() ? XENMON : RECENT_XENMON, random, hits);
    XenmonLog log = XenmonLog.read("log-dom2.log", new ByteArrayInputStream(mutated));
    MonitorResult result =
        XenmonLogs.reduce(
            List.of(log, IDLE),
            Fixtures.host(4, random.nextInt(20), 2),
            Fixtures.ZERO,
            Fixtures.window(1, 9),
            DOMAINS,
            List.of());
    assertSound(result.shares());
    assertThat(log.rows().size() + log.damagedLines().size()).isLessThanOrEqualTo(lines(mutated));
  }

  private static void xenalyze(Random random, int hits) {
    XenalyzeSummary summary = XenalyzeSummary.of(mutated(XENALYZE, random, hits));
    XenalyzeReduction reduction = new XenalyzeReduction(summary, 2.4e9);
    assertSound(DOMAINS.stream().map(reduction::shares).toList());
  }

  private static void xentop(Random random, int hits) {
    for (Map<String, Double> each : XentopBatch.of(mutated(XENTOP, random, hits)).iterations()) {
      assertThat(each.values()).allMatch(percent -> percent >= 0);
    }
  }

  private static void proc(Random random, int hits) {
    ProcLog log = ProcLog.of(mutated(RECORDING, random, hits));
    ProcUse use = ProcUse.over(log.stretches());
    assertThat(use.seconds() > 0).isEqualTo(log.stretches().stream().anyMatch(s -> s.size() > 1));
    assertThat(Double.isNaN(use.loadAverage()) || isRate(use.loadAverage())).isTrue();
    assertThat(use.cpuShares().values()).allMatch(share -> share >= 0 && share <= 1);
    assertThat(use.eventsPerSecond().values()).allMatch(MonitorParserProperties::isRate);
    assertThat(use.memoryPerSecond().values()).allMatch(MonitorParserProperties::isRate);
    for (ProcUse.DiskUse disk : use.disks().values()) {
      assertThat(unknownOr(disk.busyShare(), 1)).isTrue();
      assertThat(
              DoubleStream.of(
                  disk.readsPerSecond(),
                  disk.writesPerSecond(),
                  disk.readBytesPerSecond(),
                  disk.writtenBytesPerSecond()))
          .allMatch(rate -> unknownOr(rate, Double.MAX_VALUE));
    }
  }

  private static boolean isRate(double rate) {
    return rate >= 0 && Double.isFinite(rate);
  }

  private static void assertSound(List<DomainShares> shares) {
    for (DomainShares each : shares) {
      boolean impossibleRun = each.run() > 1.02 && each.note().contains("number of vCPUs");
      boolean sound =
          (impossibleRun || unknownOr(each.run(), 1.02))
              && unknownOr(each.waiting(), 1.02)
              && unknownOr(each.blocked(), 1);
      assertThat(sound).as("%s", each).isTrue();
    }
  }

  private static boolean unknownOr(double share, double most) {
    return Double.isNaN(share) || (share >= 0 && share <= most);
  }

  private static String mutated(byte[] original, Random random, int hits) {
    return new String(mutate(original, random, hits), StandardCharsets.UTF_8);
  }

  private static int lines(byte[] text) {
    int count = 1;
    for (byte b : text) {
      count += b == '\n' ? 1 : 0;
    }
    return count;
  }

  /** Flips, inserts, cuts, repeats, blanks out and appends pieces, as real damage does. */
  private static byte[] mutate(byte[] original, Random random, int hits) {
    StringBuilder text = new StringBuilder(new String(original, StandardCharsets.ISO_8859_1));
    for (int i = 0; i < hits && text.length() > 10; i++) {
      int at = random.nextInt(text.length());
      int to = Math.min(text.length(), at + 1 + random.nextInt(40));
      switch (random.nextInt(7)) {
        case 0 -> text.setCharAt(at, (char) random.nextInt(256));
        case 1 -> text.setCharAt(at, (char) ('0' + random.nextInt(10)));
        case 2 -> text.delete(at, to);
        case 3 -> text.insert(at, text.substring(at, to));
        case 4 -> text.replace(at, to, "\0".repeat(to - at));
        case 5 -> text.append(text, at, Math.min(text.length(), at + original.length));
        default -> text.setLength(Math.max(10, text.length() - random.nextInt(200)));
      }
    }
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }
}
