package io.slicewise.host.xen;

import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.util.ArrayList;
import java.util.List;

/**
 * What a toolstack of one version is to be told, without a host: for plans and advice that people
 * read and may type. Domains stand there by name, since a domid changes when a guest restarts.
 */
public final class CommandWords {
  private static final int ANY_VCPUS = 4096;

  private final Dialect dialect;
  private final List<String> prefix;

  private CommandWords(Dialect dialect, List<String> prefix) {
    this.dialect = dialect;
    this.prefix = prefix;
  }

  /**
   * The words of that toolstack.
   *
   * @param toolstack {@code xl} or {@code xm}
   * @param sudo whether it is called through {@code sudo -n}
   * @throws IllegalArgumentException if the toolstack is neither
   */
  public static CommandWords of(String toolstack, XenVersion version, boolean sudo) {
    List<String> prefix = sudo ? List.of("sudo", "-n", toolstack) : List.of(toolstack);
    return switch (toolstack) {
      case "xl" -> new CommandWords(new Xl(version), prefix);
      case "xm" -> new CommandWords(new Xm(version), prefix);
      default -> throw new IllegalArgumentException("no toolstack is called " + toolstack);
    };
  }

  /**
   * The commands that set a domain completely, in order. A cap is not held against the domain's
   * vCPUs, which only a host knows.
   *
   * @throws XenException if the toolstack cannot express it, or would take the domain's name for a
   *     domid
   */
  public List<Command> set(String domain, SchedulerParameters wanted) {
    if (domain.matches("[0-9]+")) {
      throw new XenException(
          "The domain called " + domain + " cannot be named to " + dialect.name() + ".",
          "A name made of digits is taken for a domid; 'slicewise apply' finds the right one.");
    }
    Domain nameless = new Domain(domain, -1, ANY_VCPUS, Double.NaN, "");
    SettingRanges.check(nameless, wanted);
    List<Command> commands = new ArrayList<>();
    for (List<String> arguments : dialect.set(nameless, domain, wanted)) {
      List<String> words = new ArrayList<>(prefix);
      words.addAll(arguments);
      commands.add(Command.changing(words.toArray(String[]::new)));
    }
    return List.copyOf(commands);
  }
}
