package io.slicewise.host.groups;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.HypervisorException;
import io.slicewise.profile.Fair;
import io.slicewise.profile.SchedulerParameters;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Settings of a group that systemd manages: a value in its files would last until the next reload
 * of systemd's configuration, so {@code systemctl set-property --runtime} sets it. systemd keeps
 * each property in a file of its own in /run; the one that was not there is removed when the value
 * found comes back, so that the unit is again as its administrator configured it. A mark in /run
 * shows which those are and what was found, and lasts as long as they do: until a reboot. What is
 * set for good is in /etc, and its marks in /var/lib.
 *
 * @param systemd the directory in which systemd keeps properties
 * @param marks that of the marks
 * @param option of {@code set-property}
 */
record Units(String systemd, String marks, String option) {
  private static final String WEIGHT = "CPUWeight";
  private static final String QUOTA = "CPUQuota";
  private static final String PERIOD = "CPUQuotaPeriodSec";
  static final String CPUS = "AllowedCPUs";
  private static final int PERCENT_DIGITS = 2;

  /**
   * What lasts until a reboot.
   *
   * @param run {@code /run}
   */
  static Units untilReboot(String run) {
    return new Units(run + "/systemd", run + "/slicewise", " --runtime");
  }

  /**
   * What lasts.
   *
   * @param root empty for the host's
   */
  static Units forGood(String root) {
    return new Units(root + "/etc/systemd", root + "/var/lib/slicewise", "");
  }

  /** Whether a group is a unit's, by its name. */
  static boolean isUnit(String path) {
    return path.matches(".*\\.(service|scope|slice)");
  }

  /** Returns the properties that change, with their values; an empty value is unset. */
  static Map<String, String> properties(
      String name, SchedulerParameters current, SchedulerParameters wanted) {
    Map<String, String> before = properties(name, current);
    Map<String, String> after = properties(name, wanted);
    if (Fair.leavesCpus(wanted)) {
      after.remove(CPUS);
    }
    after
        .entrySet()
        .removeIf(property -> property.getValue().equals(before.get(property.getKey())));
    return after;
  }

  /** Returns all properties; what is as without any setting is empty. */
  static Map<String, String> properties(String name, SchedulerParameters parameters) {
    Map<String, String> properties = new LinkedHashMap<>();
    int shares = CgroupVersion.V2.shares(parameters);
    boolean usual = shares == CgroupVersion.V2.defaultShares();
    String weight = usual ? "" : Integer.toString(shares);
    properties.put(WEIGHT, parameters.get(Fair.IDLE) ? "idle" : weight);
    properties.put(QUOTA, Fair.LIMIT.limits(parameters) ? percent(name, parameters) : "");
    Duration period = parameters.get(Fair.PERIOD);
    properties.put(
        PERIOD, period.equals(Fair.PERIOD.defaultValue()) ? "" : period.toNanos() / 1_000 + "us");
    String cpus = parameters.get(Fair.CPUS);
    properties.put(CPUS, cpus.equals(Fair.Cpus.INHERITED) ? "" : cpus);
    return properties;
  }

  private static String percent(String name, SchedulerParameters parameters) {
    BigDecimal percent =
        BigDecimal.valueOf(parameters.get(Fair.QUOTA).toNanos())
            .multiply(BigDecimal.valueOf(100))
            .divide(
                BigDecimal.valueOf(parameters.get(Fair.PERIOD).toNanos()),
                PERCENT_DIGITS + 4,
                java.math.RoundingMode.HALF_UP)
            .stripTrailingZeros();
    if (percent.scale() > PERCENT_DIGITS) {
      throw new HypervisorException(
          "%s of %s is %s %% of its period, and systemd takes hundredths of a percent."
              .formatted(Fair.LIMIT.text(parameters), name, percent.toPlainString()),
          "Choose a quota that is.");
    }
    return percent.toPlainString() + "%";
  }

  /**
   * Returns the script that sets properties of a unit.
   *
   * @param found their values now, for those that nobody has set at run time so far
   */
  String script(String unit, Map<String, String> properties, Map<String, String> found) {
    List<String> lines = new ArrayList<>();
    lines.add("u=" + Changing.quoted(unit));
    lines.add("r=" + systemd);
    lines.add("d=$r/transient/$u.d");
    lines.add("[ -e \"$r/transient/$u\" ] || d=$r/system.control/$u.d");
    lines.add("m=" + marks + "/$u");
    lines.add("mkdir -p \"$m\" || exit");
    properties.forEach(
        (property, value) ->
            lines.add(
                "[ -e \"$d/50-%1$s.conf\" ] || [ -e \"$m/%1$s\" ] || echo '%2$s' >\"$m/%1$s\""
                    .formatted(property, found.getOrDefault(property, value))));
    StringBuilder set = new StringBuilder("systemctl set-property" + option + " \"$u\"");
    properties.forEach((property, value) -> set.append(" '%s=%s'".formatted(property, value)));
    lines.add(set + " || exit");
    properties.forEach(
        (property, value) ->
            lines.add(
                ("[ ! -e \"$m/%1$s\" ] || [ \"$(cat \"$m/%1$s\")\" != '%2$s' ]"
                        + " || rm -f \"$d/50-%1$s.conf\" \"$m/%1$s\"")
                    .formatted(property, value)));
    lines.add("rmdir \"$m\" \"$d\" 2>/dev/null");
    lines.add("true");
    return String.join("; ", lines);
  }
}
