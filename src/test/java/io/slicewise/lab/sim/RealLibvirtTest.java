package io.slicewise.lab.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.lab.sim.FairScheduler.Quota;
import io.slicewise.lab.sim.Machine.MachineSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The model of a Linux host agrees with the shares measured under a real libvirt within 3 points,
 * and docs/lab.md says what this test computes.
 */
class RealLibvirtTest {
  private static final String BEGIN = "<!-- libvirt shares: begin -->";
  private static final String END = "<!-- libvirt shares: end -->";
  private static final long SECOND = 1_000_000_000L;

  /** What was measured of one setting: means of its repetitions. */
  private record Row(
      String place, String setting, double share, double first, double second, double throttled) {
    /** Whether the two guests had the core nearly to themselves. */
    boolean alone() {
      return !place.equals("v1, crowded");
    }
  }

  private record Outcome(double first, double second, double throttled) {
    double share() {
      return first / (first + second);
    }
  }

  static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    rows.addAll(rows("v1, crowded", "shares-v1.csv", 2, 3));
    rows.addAll(rows("v1, boosted", "shares-v1-boosted.csv", 2, 3));
    rows.addAll(rows("v2", "shares-v2.csv", 1, 2));
    return rows;
  }

  private static List<Row> rows(String place, String file, int guest, int wall) {
    InputStream csv = RealLibvirtTest.class.getResourceAsStream("/libvirt/" + file);
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(Objects.requireNonNull(csv), StandardCharsets.UTF_8))) {
      Map<String, List<String[]>> cases =
          reader
              .lines()
              .skip(1)
              .map(line -> line.split(",", -1))
              .collect(
                  Collectors.groupingBy(
                      cells -> cells[0], LinkedHashMap::new, Collectors.toList()));
      return cases.entrySet().stream()
          .map(one -> row(place, one.getKey(), one.getValue(), guest, wall))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Row row(String place, String setting, List<String[]> lines, int guest, int wall) {
    double[] run = new double[2];
    double throttled = 0;
    for (String[] cells : lines) {
      int which = cells[guest].startsWith("A") ? 0 : 1;
      double seconds = Double.parseDouble(cells[wall]);
      run[which] += Double.parseDouble(cells[wall + 1]) / seconds / lines.size() * 200;
      throttled += Double.parseDouble(cells[wall + 3]) / seconds / lines.size() * 200;
    }
    return new Row(place, setting, run[0] / (run[0] + run[1]), run[0], run[1], throttled);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void agreesWithTheMeasuredShare(Row row) {
    Outcome model = simulate(row, false);
    assertThat(model.share()).isCloseTo(row.share(), within(0.03));
    if (row.setting().contains("q25")) {
      assertThat(Math.min(model.first(), model.second())).isCloseTo(25.0, within(0.1));
    }
  }

  @Test
  void theTableInTheDocumentsIsWhatTheModelGives() throws IOException {
    assertThat(LabPage.between(BEGIN, END)).isEqualTo(table());
  }

  private static String table() {
    String head =
        """
        | cgroup, host | first guest : second | share: real | model | emulators elsewhere | \
        % of the core: real | model | throttled: real | model |
        | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
        """;
    return head + rows().stream().map(RealLibvirtTest::line).collect(Collectors.joining("\n"));
  }

  private static String line(Row row) {
    Outcome model = simulate(row, false);
    Outcome elsewhere = simulate(row, true);
    return String.format(
        Locale.ROOT,
        "| %s | %s | %.3f | %.3f | %.3f | %.1f / %.1f | %.1f / %.1f | %.0f | %.0f |",
        row.place(),
        row.setting(),
        row.share(),
        model.share(),
        elsewhere.share(),
        row.first(),
        row.second(),
        model.first(),
        model.second(),
        row.throttled(),
        model.throttled());
  }

  /** Twenty seconds of both guests computing on core 1, beside the host's other work. */
  private static Outcome simulate(Row row, boolean emulators) {
    Machine machine = new Machine(new MachineSpec(2, SchedulerOptions.Fair.LINUX, 1));
    machine.addDomain("host", 0, 6, Machine.POOL_0);
    machine.addDomain("first", 1, 1, Machine.POOL_0);
    machine.addDomain("second", 2, 1, Machine.POOL_0);
    boolean v2 = row.place().equals("v2");
    machine.fair().setMachineWeight(row.place().equals("v1, boosted") ? 16384 : 1024);
    if (!v2) {
      otherWork(machine, row.alone() ? 1 : 3);
    }
    if (emulators) {
      emulator(machine, 101, 1);
      emulator(machine, 102, 2);
    }
    String[] both = row.setting().replace("w", "").split(":", -1);
    if (row.setting().equals("1024:4096+none:q25")) {
      both = new String[] {"1024", "4096+q25"};
    }
    for (int guest = 1; guest <= 2; guest++) {
      machine.pin(guest, 0, Set.of(1));
      set(machine, guest, both[guest - 1]);
      machine.burn(guest, 0);
    }
    machine.runUntil(20 * SECOND);
    double throttled =
        machine.fair().throttling(1, 0).throttledNanos()
            + machine.fair().throttling(2, 0).throttledNanos();
    return new Outcome(percent(machine, 1), percent(machine, 2), 100.0 * throttled / machine.now());
  }

  private static void set(Machine machine, int guest, String setting) {
    for (String part : setting.split("\\+", -1)) {
      if (part.startsWith("q")) {
        long micros = Long.parseLong(part.substring(1)) * 1000;
        machine.fair().setQuota(guest, 0, Optional.of(new Quota(micros, 100_000)));
      } else if (!part.equals("none")) {
        machine.fair().setWeight(guest, Double.parseDouble(part));
      }
    }
  }

  /** So many tasks on each core that never end. */
  private static void otherWork(Machine machine, int onEach) {
    for (int task = 0; task < 2 * onEach; task++) {
      machine.pin(0, task, Set.of(task % 2));
      machine.burn(0, task);
    }
  }

  /** A guest's emulator on the other core: a little work, again and again. */
  private static void emulator(Machine machine, int domid, int guest) {
    machine.addDomain("emulator", domid, 1, Machine.POOL_0);
    machine.fair().nest(domid, guest);
    machine.pin(domid, 0, Set.of(0));
    new Emulator(machine, domid).accept(0);
  }

  private record Emulator(Machine machine, int domid) implements LongConsumer {
    @Override
    public void accept(long nanos) {
      machine.submit(domid, 500_000, done -> machine.at(done + 20_000_000, this));
    }
  }

  private static double percent(Machine machine, int domid) {
    return 100.0 * machine.times(domid, 0).runningNanos() / machine.now();
  }
}
