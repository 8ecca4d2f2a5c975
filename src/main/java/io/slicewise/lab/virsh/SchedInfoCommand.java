package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.Libvirtd.LibvirtError;
import io.slicewise.lab.libvirt.SettingParameters;
import io.slicewise.lab.libvirt.SettingParameters.TuneParameter;
import io.slicewise.lab.libvirt.SettingParameters.Wanted;
import io.slicewise.lab.virsh.VirshProgram.VirshCommand;
import io.slicewise.lab.virsh.VirshProgram.VirshFailure;
import io.slicewise.lab.virsh.VshArguments.Impact;
import io.slicewise.lab.virsh.VshArguments.VshOption;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** {@code schedinfo} and {@code blkiotune}: show and set what a guest gets of CPUs and disks. */
final class SchedInfoCommand {
  private static final int MOST_DISK_WEIGHT = 10_000;
  private static final BigInteger UNSIGNED = BigInteger.ONE.shiftLeft(Long.SIZE);

  private SchedInfoCommand() {}

  static VirshCommand command() {
    return VirshCommand.withImpact(
        "schedinfo", SchedInfoCommand::run, VshOption.domain(), VshOption.rest("set"));
  }

  /** The weight alone: a guest here has no limits of its own for a disk. */
  static VirshCommand ofDisks() {
    return VirshCommand.withImpact(
        "blkiotune",
        SchedInfoCommand::disks,
        VshOption.domain(),
        VshOption.number("weight", false));
  }

  private static void disks(VirshSession session, VshArguments arguments) throws IOException {
    Impact.check(arguments);
    LibvirtGuest guest = session.guest(arguments);
    if (!Impact.of(arguments, guest).live()) {
      throw new VirshFailure("virsh blkiotune --config is not modelled by this lab");
    }
    OptionalInt weight = arguments.number("weight");
    if (guest.running().diskWeight().isEmpty()) {
      throw new LibvirtError(
          "Requested operation is not valid: blkio device weight is valid only for bfq or cfq"
              + " scheduler");
    }
    if (weight.isEmpty()) {
      session.print("%-15s: %d\n", "weight", guest.running().diskWeight().getAsInt());
      for (String each :
          List.of(
              "weight", "read_iops_sec", "write_iops_sec", "read_bytes_sec", "write_bytes_sec")) {
        session.print("%-15s: \n", "device_" + each);
      }
      return;
    }
    if (weight.getAsInt() < 1 || weight.getAsInt() > MOST_DISK_WEIGHT) {
      throw new LibvirtError(
          "invalid argument: weight '%d' must be in range [1, %d]"
              .formatted(weight.getAsInt(), MOST_DISK_WEIGHT));
    }
    guest.running().setDiskWeight(weight.getAsInt());
  }

  private static void run(VirshSession session, VshArguments arguments) throws IOException {
    Impact.check(arguments);
    LibvirtGuest guest = session.guest(arguments);
    session.print("%-15s: %s\n", "Scheduler", "posix");
    SettingParameters parameters = session.daemon().parameters();
    boolean both = arguments.has("live") && arguments.has("config");
    Impact asked = both ? new Impact(guest.life().isPresent(), false) : Impact.of(arguments, guest);
    Map<TuneParameter, Long> values = values(parameters, guest, asked);
    List<Wanted> wanted = wanted(arguments);
    if (!wanted.isEmpty()) {
      throwIfTwice(wanted);
      Impact impact = Impact.of(arguments, guest);
      parameters.set(guest, wanted, impact.live(), impact.config());
      if (impact.live()) {
        session.daemon().tuned(guest, wanted);
      }
      values = values(parameters, guest, asked);
    } else if (both) {
      throw new VirshFailure("cannot query both live and config at once");
    }
    for (Map.Entry<TuneParameter, Long> value : values.entrySet()) {
      boolean unsigned = !value.getKey().isQuota();
      session.print(
          "%-15s: %s\n",
          value.getKey().text(),
          unsigned ? Long.toUnsignedString(value.getValue()) : value.getValue());
    }
  }

  private static Map<TuneParameter, Long> values(
      SettingParameters parameters, LibvirtGuest guest, Impact asked) {
    return asked.live() ? parameters.live(guest) : parameters.configured(guest);
  }

  private static List<Wanted> wanted(VshArguments arguments) {
    List<Wanted> all = new ArrayList<>();
    for (String setting : arguments.rest("set")) {
      int equals = setting.indexOf('=');
      if (equals < 0) {
        throw new VirshFailure("Invalid syntax for --set, expecting name=value");
      }
      all.add(wanted(setting.substring(0, equals), setting.substring(equals + 1)));
    }
    return all;
  }

  private static Wanted wanted(String name, String value) {
    TuneParameter parameter =
        TuneParameter.of(name)
            .orElseThrow(() -> new VirshFailure("invalid scheduler option: " + name));
    return new Wanted(parameter, number(parameter, value));
  }

  /**
   * Parses a number like strtoull and strtoll, with leading blanks and a sign, but refuses trailing
   * text.
   */
  private static long number(TuneParameter parameter, String text) {
    boolean signed = parameter.isQuota();
    String digits = text.replaceFirst("^[ \\t\\n\\r\\f\\x0B]+", "");
    if (digits.matches("[+-]?[0-9]+")) {
      BigInteger value = new BigInteger(digits);
      boolean fits = signed ? value.bitLength() < Long.SIZE : value.abs().compareTo(UNSIGNED) < 0;
      if (fits) {
        return value.longValue();
      }
    }
    throw new LibvirtError(
        "invalid argument: Invalid value for field '%s': expected %slong long"
            .formatted(parameter.text(), signed ? "" : "unsigned "));
  }

  private static void throwIfTwice(List<Wanted> all) {
    Set<TuneParameter> seen = new HashSet<>();
    for (Wanted wanted : all) {
      if (!seen.add(wanted.parameter())) {
        throw new LibvirtError(
            "invalid argument: parameter '%s' occurs multiple times"
                .formatted(wanted.parameter().text()));
      }
    }
  }
}
