package io.slicewise.sweep.preflight;

import io.slicewise.base.units.Phrase;
import io.slicewise.load.generator.GeneratorOutput.ClockOffset;
import io.slicewise.load.generator.JavaCommand;
import io.slicewise.load.spread.MachineFacts;
import io.slicewise.load.spread.MachineFacts.Cache;
import io.slicewise.load.spread.MachineFacts.Limits;
import io.slicewise.load.spread.MachineFacts.Resources;
import io.slicewise.load.spread.MachineFacts.Software;
import io.slicewise.load.spread.SpreadGenerator.Looked;
import java.util.ArrayList;
import java.util.List;

/** What a machine lacks to be a generator. */
public final class MachineNeeds {
  private static final int OLDEST_JAVA = 17;

  /** The program takes about 100 MB; the samples of a trial need more. */
  private static final double LEAST_DISK = 300;

  private static final double GOOD_DISK = 2_000;
  private static final double LEAST_FILES = 1_024;
  private static final double GOOD_FILES = 4_096;
  private static final double GOOD_PORTS = 20_000;

  /** A closed connection keeps its port for a minute. */
  private static final double PORT_SECONDS = 60;

  private static final double BESIDE_HEAP = 200;
  private static final double WRONG_MILLIS = 1_000;
  private static final double BUSY = 0.5;

  private final String name;
  private final MachineFacts facts;
  private final List<CheckResult> findings = new ArrayList<>();

  private MachineNeeds(String name, MachineFacts facts) {
    this.name = name;
    this.facts = facts;
  }

  /** Returns the findings about one machine; each begins with its name. */
  public static List<CheckResult> of(Looked machine) {
    if (machine.facts().isEmpty()) {
      return List.of(
          CheckResult.blocking(
              "generator",
              "%s: %s"
                  .formatted(
                      machine.name(),
                      machine.fault().replace("generator " + machine.name() + ": ", "")),
              machine.wayOut()));
    }
    MachineNeeds needs = new MachineNeeds(machine.name(), machine.facts().get());
    needs.judge();
    return List.copyOf(needs.findings);
  }

  private void judge() {
    processors();
    java();
    disk();
    clock();
    limits();
    if (!facts.lacks().isEmpty()) {
      block(
          "the commands %s are missing".formatted(String.join(", ", facts.lacks())),
          "install them, of Debian: coreutils, findutils, sed, grep, mawk");
    }
    if (facts.user().equals("root")) {
      warn("the login is root, which a generator does not need", "use an ordinary user");
    }
  }

  private void processors() {
    Resources has = facts.resources();
    String sentence =
        Phrase.of(
            "%s, %d cores%s, load average %.1f, %.1f of %.1f GB of memory left: enough for %,d"
                + " users",
            facts.software().system(),
            has.cores(),
            facts.governor().isEmpty() ? "" : " (governor %s)".formatted(facts.governor()),
            has.load(),
            has.availableMegabytes() / 1024,
            has.memoryMegabytes() / 1024,
            users());
    if (has.load() > BUSY * has.cores()) {
      warn(sentence, "a busy generator lengthens response times; keep it idle");
    } else if (List.of("powersave", "conservative").contains(facts.governor())) {
      warn(sentence, "cpupower frequency-set -g performance keeps the processors' frequency");
    } else {
      ok(sentence);
    }
  }

  /** The next trial's JVM starts while the last one still runs. */
  private long users() {
    double each = JavaCommand.heapMegabytes(1_000) - JavaCommand.heapMegabytes(0);
    double heap =
        facts.resources().availableMegabytes() / 2 - BESIDE_HEAP - JavaCommand.heapMegabytes(0);
    return Math.max(0, (long) (heap / each * 1_000));
  }

  private void java() {
    int here = Runtime.version().feature();
    Software there = facts.software();
    if (there.javaMajor() < OLDEST_JAVA) {
      block(
          there.java().isEmpty()
              ? "Java was not found"
              : "Java is %s, too old".formatted(there.java()),
          "install a Java %d runtime there, or name its program with 'java'".formatted(here));
    } else if (there.javaMajor() != here) {
      warn(
          "Java %s there, %s here".formatted(there.java(), Runtime.version()),
          "use Java %d on all generators, so that they cost the same".formatted(here));
    } else {
      ok("Java " + there.java());
    }
  }

  private void disk() {
    Cache cache = facts.cache();
    String sentence =
        Phrase.of("%.1f GB free in %s", cache.freeMegabytes() / 1024, cache.directory());
    if (!cache.writable()) {
      block(
          "%s cannot be written to".formatted(cache.directory()),
          "give the login a home directory");
    } else if (cache.freeMegabytes() < LEAST_DISK) {
      block(sentence, "the program takes 100 MB, and samples need room: free some space");
    } else if (cache.freeMegabytes() < GOOD_DISK) {
      warn(sentence, "a million samples take 20 MB: free some space for a long trial");
    } else {
      ok(sentence);
    }
  }

  private void clock() {
    ClockOffset clock = facts.clock();
    double ahead = clock.ahead().toNanos() / 1e6;
    String sentence =
        Phrase.of(
            "clock %+.1f ms from this machine's, known to ±%.1f ms",
            ahead, clock.bound().toNanos() / 1e6);
    if (Math.abs(ahead) > WRONG_MILLIS) {
      warn(sentence, "corrected, but no time service keeps it: check with timedatectl");
    } else {
      ok(sentence);
    }
  }

  private void limits() {
    Limits limits = facts.limits();
    String sentence =
        Phrase.of(
            "%s open files a process; %,.0f ports, so %,.0f new connections a second to one target"
                + " (tcp_tw_reuse %s, somaxconn %,.0f)",
            Double.isInfinite(limits.openFiles())
                ? "any number of"
                : Phrase.of("%,.0f", limits.openFiles()),
            limits.ports(),
            limits.ports() / PORT_SECONDS,
            limits.reuse(),
            limits.backlog());
    if (limits.openFiles() < LEAST_FILES) {
      block(sentence, "each user has a connection: raise the limit of open files (ulimit -n)");
    } else if (limits.openFiles() < GOOD_FILES) {
      warn(sentence, "each user has a connection: raise the limit of open files (ulimit -n)");
    } else if (limits.ports() < GOOD_PORTS) {
      warn(sentence, "widen the ports: sysctl net.ipv4.ip_local_port_range='1024 65535'");
    } else {
      ok(sentence);
    }
  }

  private void ok(String sentence) {
    findings.add(CheckResult.ok("generator", named(sentence)));
  }

  private void warn(String sentence, String wayOut) {
    findings.add(CheckResult.warning("generator", named(sentence), wayOut));
  }

  private void block(String sentence, String wayOut) {
    findings.add(CheckResult.blocking("generator", named(sentence), wayOut));
  }

  private String named(String sentence) {
    return "%s: %s".formatted(name, sentence);
  }
}
