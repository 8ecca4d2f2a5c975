package io.slicewise.lab;

import io.slicewise.base.units.ExitCode;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.lab.fault.FaultReader;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.MapFaults;
import io.slicewise.lab.sim.Demands;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.Schedulers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the {@code lab:} map of an experiment file; collects every fault before it complains. */
final class LabOptionsReader {
  private static final List<String> KEYS =
      List.of(
          "version",
          "scheduler",
          "pcpus",
          "dom0-vcpus",
          "guests",
          "seed",
          "faults",
          "xenmon",
          "demand-factor");
  private static final List<String> GUEST_KEYS = List.of("name", "vcpus", "memory", "burns");

  private final Map<String, Object> map;
  private final LabOptions defaults;
  private final MapFaults faults = new MapFaults();

  LabOptionsReader(Map<String, Object> map, LabOptions defaults) {
    this.map = map;
    this.defaults = defaults;
  }

  LabOptions read() {
    faults.unknownKeys("lab", map, KEYS);
    LabToolstack toolstack = toolstack(defaults);
    Optional<Scheduler> scheduler = scheduler();
    int pcpus = whole("pcpus", 1, 64, defaults.pcpus());
    int dom0 = whole("dom0-vcpus", 1, 64, pcpus);
    List<LabGuest> guests = guests(defaults);
    long seed = whole("seed", 0, Integer.MAX_VALUE, (int) defaults.seed());
    List<LabFault> script = FaultReader.read(map.get("faults"), faults);
    boolean xenmon = flag("xenmon", defaults.xenmon());
    Demands demands = demands(defaults);
    throwIfAny();
    try {
      return new LabOptions(
          toolstack,
          scheduler,
          pcpus,
          dom0,
          guests,
          seed,
          script,
          Optional.empty(),
          defaults.servers(),
          defaults.scene(),
          xenmon,
          demands,
          0,
          0);
    } catch (IllegalArgumentException together) {
      faults.add("lab: " + together.getMessage());
      throw faults();
    }
  }

  private LabToolstack toolstack(LabOptions defaults) {
    Object value = map.get("version");
    try {
      return value == null ? defaults.toolstack() : LabToolstack.parse(String.valueOf(value));
    } catch (IllegalArgumentException refused) {
      faults.add("lab.version: " + refused.getMessage());
      return defaults.toolstack();
    }
  }

  private Optional<Scheduler> scheduler() {
    Object value = map.get("scheduler");
    if (value == null) {
      return Optional.empty();
    }
    Optional<Scheduler> scheduler = Scheduler.ofXenName(String.valueOf(value));
    if (scheduler.isEmpty()) {
      faults.add(
          "lab.scheduler: '%s' is not one of %s"
              .formatted(value, String.join(", ", Schedulers.KNOWN.settable().keySet())));
    }
    return scheduler;
  }

  private List<LabGuest> guests(LabOptions defaults) {
    Object value = map.get("guests");
    if (value == null) {
      return defaults.guests();
    }
    if (!(value instanceof List<?> list)) {
      faults.add("lab.guests: not a list of maps");
      return defaults.guests();
    }
    List<LabGuest> guests = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      guest("lab.guests[" + i + "]", list.get(i)).ifPresent(guests::add);
    }
    return guests.isEmpty() ? defaults.guests() : guests;
  }

  private Optional<LabGuest> guest(String place, Object value) {
    if (!(value instanceof Map<?, ?> guest)) {
      faults.add(place + ": not a map with the keys " + String.join(", ", GUEST_KEYS));
      return Optional.empty();
    }
    faults.unknownKeys(place, guest, GUEST_KEYS);
    try {
      return Optional.of(
          new LabGuest(
              guest.get("name") instanceof String name ? name : "",
              guest.get("vcpus") instanceof Number vcpus ? vcpus.intValue() : 1,
              guest.get("memory") instanceof Number memory ? memory.intValue() : 512,
              Boolean.TRUE.equals(guest.get("burns"))));
    } catch (IllegalArgumentException refused) {
      faults.add(place + ": " + refused.getMessage());
      return Optional.empty();
    }
  }

  private Demands demands(LabOptions defaults) {
    Object value = map.get("demand-factor");
    if (value == null) {
      return defaults.demands();
    }
    if (value instanceof Number factor && factor.doubleValue() > 0) {
      return defaults.demands().scaled(factor.doubleValue());
    }
    faults.add("lab.demand-factor: '" + value + "' is not a number above 0");
    return defaults.demands();
  }

  private int whole(String key, int least, int most, int otherwise) {
    Object value = map.get(key);
    if (value == null) {
      return otherwise;
    }
    if (value instanceof Integer number && number >= least && number <= most) {
      return number;
    }
    faults.add("lab." + key + ": '" + value + "' is not a whole number " + least + ".." + most);
    return otherwise;
  }

  private boolean flag(String key, boolean otherwise) {
    Object value = map.get(key);
    if (value == null || value instanceof Boolean) {
      return value == null ? otherwise : (Boolean) value;
    }
    faults.add("lab." + key + ": '" + value + "' is not true or false");
    return otherwise;
  }

  private void throwIfAny() {
    if (!faults.isEmpty()) {
      throw faults();
    }
  }

  private SlicewiseException faults() {
    return new SlicewiseException(
        ExitCode.USAGE, faults.text(), "docs/lab.md lists the keys of 'lab'");
  }
}
