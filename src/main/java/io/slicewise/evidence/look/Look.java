package io.slicewise.evidence.look;

import static io.slicewise.evidence.look.LookedGuest.percent;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.look.Ceiling.Verdict;
import io.slicewise.host.HostDescription;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Tier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What was found on a host in a time in which nothing was changed.
 *
 * @param host as it was named
 * @param monitor what measured the shares
 * @param doubt why the waits are too long; empty if they are not
 * @param guests those that wanted most of the pCPUs first, the control domain included
 * @param requests of a log; empty without one
 * @param notes what is missing or in doubt, in sentences
 */
public record Look(
    String host,
    Instant start,
    double seconds,
    Platform platform,
    String monitor,
    String doubt,
    List<LookedGuest> guests,
    Pressure pressure,
    Optional<Requests> requests,
    List<String> notes) {
  /** Pressure below this is not mentioned. */
  private static final double WORTH_NAMING = 0.1;

  public Look {
    guests =
        guests.stream().sorted(Comparator.comparingDouble(LookedGuest::wanted).reversed()).toList();
    notes = List.copyOf(notes);
  }

  /** The hypervisor with its version, the scheduler, and the number of pCPUs. */
  public record Platform(String hypervisor, String scheduler, int pcpus) {
    static Platform of(HostDescription host) {
      return new Platform(host.hypervisor(), host.bootScheduler(), host.pcpus());
    }
  }

  /**
   * What the kernel of the host counted; of a host of Xen, the control domain's. Shares of the
   * time, {@code NaN} where the kernel does not count it.
   *
   * @param disk in which some task waited for a disk
   * @param memory in which some task waited for memory
   * @param cpu in which some task waited for a CPU
   * @param stolen share of the CPUs' time that a hypervisor below took; not known of a control
   *     domain, whose stolen time is its wait in the table
   */
  public record Pressure(double disk, double memory, double cpu, double stolen) {
    static Pressure of(MachineCounters machine) {
      return new Pressure(
          stalled(machine, "io.some"),
          stalled(machine, "memory.some"),
          stalled(machine, "cpu.some"),
          machine.measured() && machine.tier() != Tier.DOM0
              ? machine.share(MachineCounters.STEAL)
              : Double.NaN);
    }

    private static double stalled(MachineCounters machine, String what) {
      return machine.measured()
          ? machine.counted().stalled().getOrDefault(what, Double.NaN) / machine.seconds()
          : Double.NaN;
    }
  }

  /** The requests of a log that started in the time. */
  public record Requests(
      long count, double rate, double meanMillis, double p95Millis, long failed) {}

  /** The answer as one word. */
  public Verdict answer() {
    return List.of(Verdict.CAPPED, Verdict.GAIN, Verdict.SATURATED, Verdict.UNKNOWN).stream()
        .filter(verdict -> guests.stream().anyMatch(guest -> guest.has(verdict)))
        .findFirst()
        .orElse(
            guests.stream().allMatch(guest -> guest.has(Verdict.IDLE))
                ? Verdict.IDLE
                : Verdict.NOTHING_TO_GAIN);
  }

  /** Returns the guests with a verdict, the highest ceiling first. */
  public List<LookedGuest> with(Verdict verdict) {
    return guests.stream()
        .filter(guest -> guest.has(verdict))
        .sorted(Comparator.comparingDouble(guest -> -guest.ceiling().closed()))
        .toList();
  }

  /**
   * Returns the setting to try first, as a guest and its parameter; empty if none suggests itself.
   */
  public Optional<String> proposal() {
    return Stream.of(Verdict.CAPPED, Verdict.GAIN, Verdict.SATURATED)
        .flatMap(verdict -> with(verdict).stream())
        .map(LookedGuest::proposal)
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Returns the answer, the most important sentence first. */
  public List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    with(Verdict.CAPPED).forEach(guest -> sentences.add(capped(guest)));
    List<LookedGuest> gain = with(Verdict.GAIN);
    if (!gain.isEmpty()) {
      sentences.add(gain(gain.get(0)));
      gain.stream().skip(1).limit(1).map(Look::brief).forEach(sentences::add);
    }
    with(Verdict.SATURATED).forEach(guest -> sentences.add(saturated(guest)));
    switch (answer()) {
      case NOTHING_TO_GAIN -> sentences.add(nothing(with(Verdict.NOTHING_TO_GAIN).get(0)));
      case IDLE ->
          sentences.add(
              Phrase.of(
                  "Nothing to gain from CPU scheduling now: no guest used %.0f %% of a pCPU. Look"
                      + " again while the host is busy.",
                  Ceiling.IDLE_PCPUS * 100));
      default -> {}
    }
    Optional.of(with(Verdict.UNKNOWN))
        .filter(Predicate.not(List::isEmpty))
        .map(Look::unknown)
        .ifPresent(sentences::add);
    elsewhere().ifPresent(sentences::add);
    return List.copyOf(sentences);
  }

  /** Returns who waited for whom, the guests with the highest ceilings first. */
  public List<String> waits() {
    return guests.stream()
        .filter(guest -> guest.has(Verdict.GAIN) || guest.has(Verdict.SATURATED))
        .sorted(
            Comparator.comparing((LookedGuest guest) -> guest.has(Verdict.SATURATED))
                .thenComparingDouble(guest -> -guest.ceiling().closed()))
        .limit(2)
        .map(LookedGuest::waited)
        .toList();
  }

  private static String gain(LookedGuest guest) {
    Ceiling ceiling = guest.ceiling();
    String atMost =
        Double.isNaN(ceiling.open())
            ? "%s if its users wait for each answer; for visitors there is no bound, since its"
                    .formatted(percent(ceiling.closed()))
                + " programs were nearly saturated"
            : "%s if its users wait for each answer, %s if visitors come on their own"
                .formatted(percent(ceiling.closed()), percent(ceiling.open()));
    return "CPU scheduling can shorten the mean response time of %s by at most %s."
        .formatted(guest.name(), atMost);
  }

  private static String nothing(LookedGuest most) {
    return "Nothing worth a study to gain from CPU scheduling under this load: at most %s of the"
            .formatted(percent(most.ceiling().most()))
        + " mean response time of %s, and less of all others.".formatted(most.name());
  }

  private static String brief(LookedGuest guest) {
    return "The next is %s: at most %s.".formatted(guest.name(), percent(guest.ceiling().closed()));
  }

  private static String saturated(LookedGuest guest) {
    return "%s always wanted to run: it computes without end, or is saturated and has no ceiling."
        .formatted(guest.name());
  }

  private static String capped(LookedGuest guest) {
    String limit = guest.settings().isEmpty() ? "limit" : "limit (%s)".formatted(guest.settings());
    return Double.isNaN(guest.held())
        ? ("%s may be held back by its own %s, which this monitor does not count: it has no"
                + " ceiling until that is raised.")
            .formatted(guest.name(), limit)
        : "%s was held back by its own %s for %s of its vCPUs' time: raise that first."
            .formatted(guest.name(), limit, percent(guest.held()));
  }

  private static String unknown(List<LookedGuest> guests) {
    String names =
        guests.stream().map(LookedGuest::name).limit(3).collect(Collectors.joining(", "));
    int more = guests.size() - 3;
    return "No ceiling for %s%s: %s."
        .formatted(
            names,
            more > 0 ? " and %s".formatted(Plural.of(more, "more guest")) : "",
            guests.stream()
                .map(LookedGuest::note)
                .filter(Predicate.not(String::isEmpty))
                .findFirst()
                .orElse("its waits were not measured"));
  }

  private Optional<String> elsewhere() {
    List<String> parts = new ArrayList<>();
    named(pressure.disk(), "tasks waited for disks %s of the time", parts);
    named(pressure.memory(), "tasks waited for memory %s of the time", parts);
    named(
        pressure.stolen(),
        "a hypervisor below this host took %s of its CPUs' time, which no setting here changes",
        parts);
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of("Look there first: %s.".formatted(String.join("; ", parts)));
  }

  private static void named(double share, String sentence, List<String> parts) {
    if (share >= WORTH_NAMING) {
      parts.add(sentence.formatted(percent(share)));
    }
  }
}
