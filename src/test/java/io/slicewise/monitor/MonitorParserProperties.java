package io.slicewise.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.xen.Domain;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

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
  private static final List<Domain> DOMAINS =
      List.of(Fixtures.domain("Domain-0", 0, 2), Fixtures.domain("web", 2, 1));

  private static byte[] bytes(String name) {
    return Fixtures.text(name).getBytes(StandardCharsets.UTF_8);
  }

  @Property(tries = 1000)
  void xenmonLogsSurviveMutation(@ForAll long seed, @ForAll @IntRange(min = 1, max = 30) int hits)
      throws IOException {
    Random random = new Random(seed);
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

  @Property(tries = 1000)
  void summariesSurviveMutation(@ForAll long seed, @ForAll @IntRange(min = 1, max = 30) int hits) {
    String mutated = new String(mutate(XENALYZE, new Random(seed), hits), StandardCharsets.UTF_8);
    XenalyzeReduction reduction = new XenalyzeReduction(XenalyzeSummary.of(mutated), 2.4e9);
    assertSound(DOMAINS.stream().map(reduction::shares).toList());
  }

  @Property(tries = 1000)
  void xentopSurvivesMutation(@ForAll long seed, @ForAll @IntRange(min = 1, max = 30) int hits) {
    String mutated = new String(mutate(XENTOP, new Random(seed), hits), StandardCharsets.UTF_8);
    XentopBatch.of(mutated)
        .iterations()
        .forEach(
            iteration ->
                iteration.values().forEach(percent -> assertThat(percent).isNotNegative()));
  }

  private static void assertSound(List<DomainShares> shares) {
    for (DomainShares each : shares) {
      boolean impossibleRun = each.run() > 1.02 && each.note().contains("number of vCPUs");
      assertThat(impossibleRun || unknownOr(each.run(), 1.02)).as(each.toString()).isTrue();
      assertThat(unknownOr(each.waiting(), 1.02)).as(each.toString()).isTrue();
      assertThat(unknownOr(each.blocked(), 1)).as(each.toString()).isTrue();
    }
  }

  private static boolean unknownOr(double share, double most) {
    return Double.isNaN(share) || (share >= 0 && share <= most);
  }

  private static int lines(byte[] text) {
    int count = 1;
    for (byte b : text) {
      count += b == '\n' ? 1 : 0;
    }
    return count;
  }

  /** Flips, inserts, cuts, repeats and blanks out pieces, as real damage does. */
  private static byte[] mutate(byte[] original, Random random, int hits) {
    StringBuilder text = new StringBuilder(new String(original, StandardCharsets.ISO_8859_1));
    for (int i = 0; i < hits && text.length() > 10; i++) {
      int at = random.nextInt(text.length());
      int to = Math.min(text.length(), at + 1 + random.nextInt(40));
      switch (random.nextInt(6)) {
        case 0 -> text.setCharAt(at, (char) random.nextInt(256));
        case 1 -> text.setCharAt(at, (char) ('0' + random.nextInt(10)));
        case 2 -> text.delete(at, to);
        case 3 -> text.insert(at, text.substring(at, to));
        case 4 -> text.replace(at, to, "\0".repeat(to - at));
        default -> text.setLength(Math.max(10, text.length() - random.nextInt(200)));
      }
    }
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }
}
