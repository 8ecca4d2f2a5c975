package io.slicewise.sweep.deadman;

import io.slicewise.base.units.EnumName;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The answer of a switch on the host.
 *
 * @param receipt what it restored; present if it has fired
 */
public record SwitchReport(State state, Optional<SwitchReceipt> receipt) {
  /** The state of a switch. */
  public enum State {
    /** It waits. */
    ARMED,
    /** It is restoring the host. */
    FIRING,
    /** It has restored the host and ended. */
    FIRED,
    /** It was asked to stand down. */
    OFF,
    /** Its process ended while it waited, as at a reboot. */
    DEAD,
    /** Its process ended while it restored the host. */
    BROKEN,
    /** It is not on the host. */
    ABSENT
  }

  static SwitchReport parse(String output) {
    List<String> lines = output.lines().toList();
    State state =
        lines.stream()
            .findFirst()
            .flatMap(
                first ->
                    Arrays.stream(State.values())
                        .filter(one -> EnumName.of(one).equals(first.strip()))
                        .findFirst())
            .orElse(State.ABSENT);
    return new SwitchReport(
        state,
        state == State.FIRED
            ? Optional.of(SwitchReceipt.parse(lines.subList(1, lines.size())))
            : Optional.empty());
  }
}
