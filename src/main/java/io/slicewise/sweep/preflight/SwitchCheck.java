package io.slicewise.sweep.preflight;

import io.slicewise.base.units.DurationText;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.Undo.Change;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.sweep.preflight.HostCheck.Reached;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Checks that the host can run a dead man's switch; changes nothing. */
final class SwitchCheck {
  /** Prints what is missing. */
  private static final String LOOK =
      """
      for program in setsid readlink grep sed tr cut mv; do
        command -v $program >/dev/null || echo "$program"
      done
      [ -r /proc/uptime ] || echo /proc/uptime
      [ -w /var/lib ] || echo "a writable /var/lib"
      """;

  private SwitchCheck() {}

  static List<CheckResult> check(Experiment experiment, Reached host) {
    HostSpec spec = experiment.host().orElseThrow();
    return spec.deadMan()
        .map(limit -> List.of(check(spec, experiment.targets(), host, limit)))
        .orElse(List.of());
  }

  private static CheckResult check(
      HostSpec spec, Set<String> targets, Reached host, Duration limit) {
    List<String> words = new ArrayList<>(spec.sudo() ? List.of("sudo", "-n") : List.of());
    words.addAll(List.of("sh", "-c", LOOK));
    CommandResult looked = host.shell().run(Command.reading(words.toArray(String[]::new)));
    List<String> missing = new ArrayList<>(looked.standardOutput().lines().toList());
    if (!looked.succeeded() && missing.isEmpty()) {
      missing.add("sh");
    }
    host.hypervisor().settings().stream()
        .filter(one -> targets.contains(one.target().name()) && isInexpressible(host, one))
        .forEach(one -> missing.add("the commands to restore " + one.target().name()));
    return missing.isEmpty()
        ? CheckResult.ok(
            "dead man",
            "the host can restore itself %s after the last heartbeat: setsid, sh and a writable /var/lib"
                .formatted(DurationText.of(limit)))
        : CheckResult.blocking(
            "dead man",
            "the host lacks %s for a dead man's switch".formatted(String.join(", ", missing)),
            "install it (setsid is in util-linux and busybox), or remove dead-man below host:");
  }

  private static boolean isInexpressible(Reached host, Setting found) {
    return host.hypervisor().unrestorable(found.parameters()).isEmpty()
        && host.hypervisor().undo(found.target(), Change.ofAll(found.parameters())).isEmpty();
  }
}
