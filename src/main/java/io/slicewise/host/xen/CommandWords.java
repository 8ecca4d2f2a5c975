package io.slicewise.host.xen;

import io.slicewise.host.Domain;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.SettingCommands;
import io.slicewise.host.Target;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.util.ArrayList;
import java.util.List;

/** The commands of a toolstack version, without a host. */
record CommandWords(Dialect dialect, List<String> prefix) implements SettingCommands {
  private static final int ANY_VCPUS = 4096;

  /**
   * Returns the commands of a toolstack.
   *
   * @param toolstack {@code xl} or {@code xm}
   * @param sudo whether it is called through {@code sudo -n}
   * @throws IllegalArgumentException if the toolstack is neither
   */
  static CommandWords of(String toolstack, HypervisorVersion version, boolean sudo) {
    List<String> prefix = sudo ? List.of("sudo", "-n", toolstack) : List.of(toolstack);
    return switch (toolstack) {
      case "xl" -> new CommandWords(new Xl(version), prefix);
      case "xm" -> new CommandWords(new Xm(version), prefix);
      default -> throw new IllegalArgumentException("unknown toolstack " + toolstack);
    };
  }

  @Override
  public List<Command> set(String target, SchedulerParameters wanted) {
    if (Target.Pool.isCalled(target)) {
      Target.Pool pool = Target.Pool.called(target);
      SettingRanges.check(pool, wanted);
      return List.of(changing(dialect.setPool(pool, wanted)));
    }
    return ofDomain(target, wanted);
  }

  private List<Command> ofDomain(String domain, SchedulerParameters wanted) {
    if (domain.matches("[0-9]+")) {
      throw new HypervisorException(
          "The domain called " + domain + " cannot be named to " + dialect.name() + ".",
          "A name of digits is interpreted as a domid; 'slicewise apply' finds the right one.");
    }
    Domain nameless = new Domain(domain, -1, ANY_VCPUS, Double.NaN, "");
    SettingRanges.check(nameless, wanted);
    return dialect.set(nameless, domain, wanted).stream().map(this::changing).toList();
  }

  private Command changing(List<String> arguments) {
    List<String> words = new ArrayList<>(prefix);
    words.addAll(arguments);
    return Command.changing(words.toArray(String[]::new));
  }
}
