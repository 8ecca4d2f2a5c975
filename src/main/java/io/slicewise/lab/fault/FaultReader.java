package io.slicewise.lab.fault;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.yaml.Suggestion;
import io.slicewise.lab.fault.LabFault.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the {@code lab: faults:} list of an experiment file: maps such as {@code {fault:
 * drop-connection, command: xl sched-credit, occurrence: 3, moment: after}}.
 */
public final class FaultReader {
  private static final List<String> KEYS =
      List.of("fault", "command", "occurrence", "times", "moment", "delay", "guest");

  private final String place;
  private final Map<?, ?> map;
  private final MapFaults faults;

  private FaultReader(String place, Map<?, ?> map, MapFaults faults) {
    this.place = place;
    this.map = map;
    this.faults = faults;
  }

  /** The script; what is wrong with it is added to {@code faults}. {@code value} may be null. */
  public static List<LabFault> read(Object value, MapFaults faults) {
    List<LabFault> script = new ArrayList<>();
    if (value == null) {
      return script;
    }
    if (!(value instanceof List<?> list)) {
      faults.add("lab.faults: not a list of maps");
      return script;
    }
    for (int i = 0; i < list.size(); i++) {
      String place = "lab.faults[" + i + "]";
      if (list.get(i) instanceof Map<?, ?> map) {
        new FaultReader(place, map, faults).read().ifPresent(script::add);
      } else {
        faults.add(place + ": not a map with the keys " + String.join(", ", KEYS));
      }
    }
    return script;
  }

  private Optional<LabFault> read() {
    faults.unknownKeys(place, map, KEYS);
    Optional<FaultKind> kind = kind();
    String guest = map.get("guest") instanceof String name ? name : "";
    if (kind.filter(FaultKind.CRASH_GUEST::equals).isPresent() && guest.isEmpty()) {
      faults.add(place + ": crash-guest needs the key 'guest' with a domain's name");
    }
    int occurrence = count("occurrence");
    int times = count("times");
    Moment moment = moment();
    Duration delay = delay();
    String command = map.get("command") instanceof String beginning ? beginning : "";
    return kind.map(k -> new LabFault(k, command, occurrence, times, moment, delay, guest));
  }

  private Optional<FaultKind> kind() {
    String key = String.valueOf(map.get("fault"));
    Optional<FaultKind> kind = FaultKind.of(key);
    if (kind.isEmpty()) {
      List<String> known = Arrays.stream(FaultKind.values()).map(FaultKind::key).toList();
      String suggestion = Suggestion.of(key, known);
      faults.add(
          place
              + ".fault: '"
              + key
              + "' is unknown"
              + (suggestion.isEmpty() ? "; known are " + String.join(", ", known) : suggestion));
    }
    return kind;
  }

  private int count(String key) {
    Object value = map.get(key);
    if (value == null || (value instanceof Integer number && number >= 1)) {
      return value == null ? 1 : (Integer) value;
    }
    faults.add(place + "." + key + ": '" + value + "' is not a whole number from 1 on");
    return 1;
  }

  private Moment moment() {
    String value = map.containsKey("moment") ? String.valueOf(map.get("moment")) : "before";
    if (!value.equals("before") && !value.equals("after")) {
      faults.add(place + ".moment: '" + value + "' is not before or after");
    }
    return value.equals("after") ? Moment.AFTER : Moment.BEFORE;
  }

  private Duration delay() {
    Object value = map.get("delay");
    try {
      return value == null ? Duration.ZERO : DurationText.parse(String.valueOf(value));
    } catch (IllegalArgumentException refused) {
      faults.add(place + ".delay: " + refused.getMessage());
      return Duration.ZERO;
    }
  }
}
