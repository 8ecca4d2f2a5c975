package io.slicewise.host.xen;

import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds out which toolstack a host has. */
public final class Toolstacks {
  /** Non-interactive logins often lack the directories of the administrator's programs. */
  private static final List<String> PLACES = List.of("", "/usr/sbin/", "/usr/local/sbin/");

  private static final int NOT_FOUND = 127;

  private Toolstacks() {}

  /**
   * How to probe.
   *
   * @param sudo whether to call the toolstack through {@code sudo -n}
   * @param forced {@code xm} or {@code xl}; empty = whichever rules the host
   */
  public record Options(boolean sudo, Optional<String> forced) {
    public static final Options DEFAULT = new Options(false, Optional.empty());

    public Options {
      if (forced.isPresent() && !List.of("xl", "xm").contains(forced.get())) {
        throw new IllegalArgumentException("toolstack " + forced.get() + " is neither xl nor xm");
      }
    }
  }

  /**
   * Asks the host for its toolstack and version; changes nothing. Where both are installed, xm is
   * taken if xend answers it, since xend then owns the domains.
   *
   * @throws XenException if neither answers
   * @throws io.slicewise.ssh.RemoteShellException if the host cannot be reached
   */
  public static Toolstack probe(RemoteShell shell, Options options) {
    List<CommandResult> failures = new ArrayList<>();
    Optional<Found> xl =
        wanted("xl", options) ? find(shell, "xl", options, failures) : Optional.empty();
    boolean xmPossible = xl.isEmpty() || !xl.get().version.atLeast(4, 5);
    Optional<Found> xm =
        xmPossible && wanted("xm", options)
            ? find(shell, "xm", options, failures)
            : Optional.empty();
    if (xm.isPresent()) {
      return new HostToolstack(xm.get().tool, new Xm(xm.get().version));
    }
    return xl.map(found -> (Toolstack) new HostToolstack(found.tool, new Xl(found.version)))
        .orElseThrow(() -> none(shell, failures));
  }

  private record Found(Tool tool, XenVersion version) {}

  private static boolean wanted(String program, Options options) {
    return options.forced.map(program::equals).orElse(true);
  }

  private static Optional<Found> find(
      RemoteShell shell, String program, Options options, List<CommandResult> failures) {
    for (String place : PLACES) {
      List<String> prefix =
          options.sudo ? List.of("sudo", "-n", place + program) : List.of(place + program);
      Tool tool = new Tool(shell, prefix);
      CommandResult result = tool.tryRead(List.of("info"));
      if (result.succeeded()) {
        return InfoListing.parse(result.standardOutput()).version().map(v -> new Found(tool, v));
      }
      if (!missing(result)) {
        failures.add(result);
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static boolean missing(CommandResult result) {
    return result.exitStatus() == NOT_FOUND || result.standardError().contains("command not found");
  }

  private static XenException none(RemoteShell shell, List<CommandResult> failures) {
    if (failures.isEmpty()) {
      return new XenException(
          shell.address() + " has neither xl nor xm where a login finds it.",
          "Is this a Xen host? The address must lead to its Domain-0.");
    }
    XenException first = ToolRefusals.failed(shell.address(), failures.get(0));
    String others =
        failures.stream().skip(1).map(ToolRefusals::said).collect(Collectors.joining("; "));
    return new XenException(
        first.getMessage() + (others.isEmpty() ? "" : " xm says: " + others), first.hint());
  }
}
