package io.slicewise.evidence.study;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.evidence.study.Cells.Tiers;
import io.slicewise.evidence.study.InterferenceRow.InterferenceMeasure;
import io.slicewise.evidence.study.Traffic.IoShares;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.experiment.load.Load;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The interference study of a run: what the neighbours cost the loaded guest, and whose I/O it is.
 * A trial's reference is the trial of its own block without neighbours, at the same users and
 * profile.
 *
 * @param traffic whose the traffic of the disks is, by case and domain
 * @param blocks number of blocks with a reference
 * @param fits regressions of the drop on the measures
 * @param verified conditions without neighbours, which are never external
 * @param notes what is missing, in sentences
 */
public record NeighbourStudy(
    List<InterferenceRow> rows,
    List<InterferenceRow> verified,
    List<Traffic> traffic,
    List<InterferenceFit> fits,
    int blocks,
    List<String> notes) {
  public NeighbourStudy {
    rows = List.copyOf(rows);
    verified = List.copyOf(verified);
    traffic = List.copyOf(traffic);
    fits = List.copyOf(fits);
    notes = List.copyOf(notes);
  }

  private record Place(String profile, Load load) {
    String text() {
      return "%s, %s".formatted(profile, load.text());
    }
  }

  /** One trial's cells. */
  private record Reading(
      int block, int neighbours, StudyCell guest, StudyCell control, IoShares shares) {}

  /**
   * The study of the valid trials.
   *
   * @param guest the loaded domain
   * @param domid of that domain, if known, to recognize its backends
   * @throws SlicewiseException if no trial was measured without neighbours
   */
  public static NeighbourStudy of(List<TrialResult> results, String guest, OptionalInt domid) {
    Map<Place, List<Reading>> places = new LinkedHashMap<>();
    Map<String, Map<String, List<Reading>>> conditions = new LinkedHashMap<>();
    for (TrialResult result : results) {
      Load load = result.trial().load();
      if (result.valid() && load.level(Axis.NEIGHBOURS).isPresent()) {
        String profile = result.trial().profile();
        List<Reading> readings =
            load.level(Axis.PART).isEmpty()
                ? places.computeIfAbsent(new Place(profile, load.driven()), at -> new ArrayList<>())
                : conditions
                    .computeIfAbsent(profile, at -> new TreeMap<>())
                    .computeIfAbsent(condition(load), at -> new ArrayList<>());
        readings.add(reading(result, guest, domid));
      }
    }
    refuseWithoutReference(places);
    List<InterferenceRow> verified = new ArrayList<>();
    List<InterferenceRow> rows = new ArrayList<>();
    List<Traffic> traffic = new ArrayList<>();
    List<InterferenceFit> fits = new ArrayList<>();
    int blocks = 0;
    for (Map.Entry<Place, List<Reading>> place : places.entrySet()) {
      Map<Integer, Map<Integer, InterferenceStudy>> levels =
          levels(place.getValue(), place.getValue());
      List<InterferenceStudy> lone = List.copyOf(levels.getOrDefault(0, Map.of()).values());
      blocks = Math.max(blocks, lone.size());
      levels.forEach(
          (neighbours, studies) ->
              rows.add(
                  InterferenceRow.of(
                      place.getKey().text(),
                      named(neighbours),
                      neighbours == 0,
                      List.copyOf(studies.values()),
                      lone)));
      levels
          .keySet()
          .forEach(
              neighbours ->
                  traffic.addAll(
                      Traffic.of(
                          place.getKey().text(),
                          named(neighbours),
                          guest,
                          shares(place.getValue(), neighbours),
                          shares(place.getValue(), 0))));
      fits.addAll(InterferenceFit.of(place.getKey().text(), levels));
      conditions
          .getOrDefault(place.getKey().profile(), Map.of())
          .forEach(
              (name, readings) ->
                  verified.add(
                      InterferenceRow.of(
                          place.getKey().text(),
                          name,
                          false,
                          List.copyOf(
                              levels(readings, place.getValue())
                                  .getOrDefault(0, Map.of())
                                  .values()),
                          lone)));
    }
    List<String> notes = new ArrayList<>(alarms(verified));
    notes.addAll(notes(places, traffic, guest));
    return new NeighbourStudy(rows, verified, traffic, fits, blocks, notes);
  }

  private static String condition(Load load) {
    return "%s, alone with %s"
        .formatted(load.level(Axis.PART).orElseThrow().text(), load.driven().text());
  }

  /** Returns how many of the conditions without neighbours alarm. */
  private static List<String> alarms(List<InterferenceRow> verified) {
    return verified.isEmpty()
        ? List.of()
        : List.of(
            "%d conditions without neighbours: external by L in %s; EXT above 0 in %s"
                .formatted(
                    verified.size(),
                    alarms(
                        verified,
                        row -> row.verdict() == InterferenceRow.Blame.EXTERNAL,
                        InterferenceMeasure.LOSS),
                    alarms(verified, InterferenceRow::alarm, InterferenceMeasure.EXT)));
  }

  private static String alarms(
      List<InterferenceRow> rows, Predicate<InterferenceRow> which, InterferenceMeasure measure) {
    List<String> names =
        rows.stream()
            .filter(which)
            .map(
                row -> Phrase.of("%s %.1f %%", row.name().split(",", 2)[0], row.of(measure).mean()))
            .toList();
    return names.isEmpty() ? "none" : "%d (%s)".formatted(names.size(), String.join(", ", names));
  }

  private static String named(int neighbours) {
    return "with " + Axis.NEIGHBOURS.text(Level.of(neighbours));
  }

  private static Map<Integer, IoShares> shares(List<Reading> readings, int neighbours) {
    Map<Integer, IoShares> shares = new TreeMap<>();
    readings.stream()
        .filter(reading -> reading.neighbours() == neighbours)
        .forEach(reading -> shares.put(reading.block(), reading.shares()));
    return shares;
  }

  /** Returns the neighbours to blame in a case that is external, the busiest first. */
  public List<Traffic> accused(InterferenceRow row) {
    return row.verdict() != InterferenceRow.Blame.EXTERNAL
        ? List.of()
        : traffic.stream()
            .filter(part -> part.place().equals(row.place()) && part.name().equals(row.name()))
            .filter(Traffic::accused)
            .sorted(Comparator.comparingDouble((Traffic part) -> -part.more().mean()))
            .toList();
  }

  private static void refuseWithoutReference(Map<Place, List<Reading>> places) {
    boolean any =
        places.values().stream()
            .flatMap(List::stream)
            .anyMatch(reading -> reading.neighbours() == 0);
    if (!any) {
      throw new SlicewiseException(
          ErrorKind.NO_VALID_DATA,
          "the run has no valid trial without neighbours to compare the others with",
          "sweep them with interference: [0, 1, 2, 3]; slicewise init interference writes such an"
              + " experiment");
    }
  }

  /** By neighbours, then block; blocks without a reference do not count. */
  private static Map<Integer, Map<Integer, InterferenceStudy>> levels(
      List<Reading> readings, List<Reading> references) {
    Map<Integer, Reading> lone = new TreeMap<>();
    references.stream()
        .filter(reading -> reading.neighbours() == 0)
        .forEach(reading -> lone.put(reading.block(), reading));
    Map<Integer, Map<Integer, InterferenceStudy>> levels = new TreeMap<>();
    for (Reading reading : readings) {
      Reading alone = lone.get(reading.block());
      if (alone != null) {
        levels
            .computeIfAbsent(reading.neighbours(), level -> new TreeMap<>())
            .put(
                reading.block(),
                new InterferenceStudy(
                    reading.guest(), reading.control(), alone.guest(), alone.control()));
      }
    }
    return levels;
  }

  private static Reading reading(TrialResult result, String guest, OptionalInt domid) {
    Map<String, MachineCounters> machines = result.machines();
    Map<String, Double> own =
        new TreeMap<>(
            Optional.ofNullable(machines.get(guest))
                .filter(MachineCounters::measured)
                .map(MachineCells::io)
                .orElse(Map.of()));
    result.load().map(LoadResult::throughput).ifPresent(rate -> own.put("tps", rate));
    result.measures().stream()
        .filter(measure -> measure.name().equals("interference"))
        .mapToDouble(Measure::value)
        .filter(Double::isFinite)
        .forEach(rate -> own.put("interference", rate));
    IoShares shares = IoShares.of(machines, serving(machines), guest, domid);
    return new Reading(
        result.trial().block(),
        result.trial().load().count(Axis.NEIGHBOURS).orElseThrow(),
        new StudyCell(Map.of(), Tiers.XEN, own),
        new StudyCell(Map.of(), Tiers.CONTROL, control(machines, shares, guest)),
        shares);
  }

  private static Map<String, Double> control(
      Map<String, MachineCounters> machines, IoShares shares, String guest) {
    Optional<MachineCounters> serving = serving(machines);
    Map<String, Double> values = new TreeMap<>(serving.map(MachineCells::io).orElse(Map.of()));
    double readMillis = 0;
    double reads = 0;
    for (MachineCounters machine : machines.values()) {
      if (machine.tier() == Tier.GUEST && machine.measured()) {
        Map<String, Double> io = MachineCells.io(machine);
        readMillis += io.getOrDefault("r_ms", 0.0);
        reads += io.getOrDefault("r_total", 0.0);
      }
    }
    put(values, "all_r_ms", readMillis);
    put(values, "all_r_total", reads);
    put(values, "others_share", shares.others(guest));
    double disk =
        serving.map(MachineCounters::ownDisks).map(MachineCells::bytes).orElse(Double.NaN);
    put(values, "own_share", 1 - shares.allBytes() / disk);
    return values;
  }

  /** A storage domain takes the place of the control domain. */
  private static Optional<MachineCounters> serving(Map<String, MachineCounters> machines) {
    return on(machines, Tier.STORAGE)
        .or(() -> on(machines, Tier.DOM0))
        .or(() -> on(machines, Tier.HOST));
  }

  private static void put(Map<String, Double> values, String metric, double value) {
    if (Double.isFinite(value)) {
      values.put(metric, value);
    }
  }

  private static Optional<MachineCounters> on(Map<String, MachineCounters> machines, Tier tier) {
    return machines.values().stream()
        .filter(machine -> machine.tier() == tier && machine.measured())
        .findFirst();
  }

  private static List<String> notes(
      Map<Place, List<Reading>> places, List<Traffic> traffic, String guest) {
    List<String> notes = new ArrayList<>();
    List<Reading> all = places.values().stream().flatMap(List::stream).toList();
    if (all.stream().noneMatch(reading -> reading.guest().has("r_total"))) {
      notes.add(
          "%s was not read (see logins:), so its wait and its loss are unknown".formatted(guest));
    }
    if (all.stream().noneMatch(reading -> reading.control().has("others_share"))) {
      notes.add("neither backends nor other guests were read, so it is unknown whose I/O it is");
    }
    traffic.stream()
        .filter(part -> part.name().equals(named(0)) && part.busy())
        .map(
            part ->
                Phrase.of(
                    "%s moved %.0f %% of the bytes without neighbours (%s): the guest was not"
                        + " alone, so L shows only the effect of the other neighbours",
                    part.domain(), part.bytes().mean(), part.place()))
        .forEach(notes::add);
    return notes;
  }
}
