package io.slicewise.host.monitor;

import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HypervisorVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** Recorded outputs and the hosts they belong to. */
final class Fixtures {
  static final Instant ZERO = Instant.parse("2026-11-20T21:00:00Z");

  private Fixtures() {}

  static String text(String name) {
    try (InputStream in = open(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static InputStream open(String name) {
    return Fixtures.class.getResourceAsStream("/xen/monitor/" + name);
  }

  static XenmonLog xenmonLog(String name) {
    try (InputStream in = open(name)) {
      return XenmonLog.read(name.substring(name.lastIndexOf('/') + 1), in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<XenmonLog> xenmon(String set) {
    return Stream.of("dom0", "dom1", "dom2", "idle")
        .map(which -> xenmonLog(set + "/log-" + which + ".log"))
        .toList();
  }

  static HostDescription host(int major, int minor, int pcpus) {
    return new HostDescription(
        "xl", HypervisorVersion.of(major, minor), "6.1", pcpus, 2400, "credit", List.of());
  }

  static Domain domain(String name, int id, int vcpus) {
    return new Domain(name, id, vcpus, 0, "Pool-0");
  }

  /** A window in seconds after {@link #ZERO}. */
  static Window window(double from, double to) {
    return new Window(at(from), at(to));
  }

  static Instant at(double seconds) {
    return ZERO.plusNanos((long) (seconds * 1e9));
  }
}
