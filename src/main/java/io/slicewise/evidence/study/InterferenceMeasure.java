package io.slicewise.evidence.study;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The measures of neighbours' interference with a guest. Shares are in percent. */
public enum InterferenceMeasure {
  TPS("tx /s", study -> study.guest().value("tps")),
  DROP("drop %", study -> study.drop("tps")),
  GUEST_WAIT("guest wait ms", study -> 1e3 * InterferenceStudy.wait(study.guest())),
  DISK_WAIT("disk wait ms", study -> 1e3 * InterferenceStudy.wait(study.control())),
  GUEST_READS("guest reads/s", study -> study.guest().value("reads_per_s")),
  DISK_READS("disk reads/s", study -> study.control().value("reads_per_s")),
  OVERHEAD("overhead %", study -> InterferenceStudy.overhead(study.guest(), study.control())),
  VALL("VALL %", InterferenceStudy::overheadOfAll),
  RPS("RPS %", InterferenceStudy::reads),
  ARW("ARW %", InterferenceStudy::waits),
  EXT("EXT %", InterferenceStudy::external),
  LOSS("L %", InterferenceStudy::loss),
  WRITE_LOSS("L writes %", study -> study.lossOf("w")),
  FLUSH_LOSS("L flushes %", study -> study.lossOf("f")),
  SECTORS("I_MB %", InterferenceStudy::sectors),
  MAGNIFICATION("disk/guest MB", InterferenceStudy::magnification),
  OTHERS("others' MB %", InterferenceStudy::others),
  OWN("dom0's own %", InterferenceStudy::own),
  STEAL("steal %", study -> 100 * study.guest().value("steal_share")),
  CONTROL_STEAL("dom0 steal %", study -> 100 * study.control().value("steal_share")),
  UNDER_WAY("in flight", study -> InterferenceStudy.underWay(study.guest())),
  TX_PER_READ("tx/read", study -> study.guest().value("tps") / study.guest().value("reads_per_s")),
  NEIGHBOURS("neighbours /s", study -> study.guest().value("interference"));

  private final String heading;

  @SuppressWarnings("ImmutableEnumChecker") // Lambdas without state.
  private final ToDoubleFunction<InterferenceStudy> value;

  InterferenceMeasure(String heading, ToDoubleFunction<InterferenceStudy> value) {
    this.heading = heading;
    this.value = value;
  }

  /** The heading of its column. */
  public String heading() {
    return heading;
  }

  /** The name in files. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The value for a case; {@code NaN} if its counters were not read. */
  public double of(InterferenceStudy study) {
    return value.applyAsDouble(study);
  }
}
