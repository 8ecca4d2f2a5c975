import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.Hypervisors;
import io.slicewise.profile.Fair;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.Shells;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How long a switch of control groups of this machine takes: the commands that write the shares of
 * all groups, and the same with the readings before and after. Groups are given by name; as root.
 */
final class SwitchBench {
  private static final int ROUNDS = 100;

  public static void main(String[] names) {
    try (RemoteShell shell = Shells.local()) {
      Hypervisor host = Hypervisors.probe(shell, false, Optional.of("groups"), Optional.empty());
      List<Setting> found = settings(host, names);
      List<Double> writes = new ArrayList<>();
      List<Double> switches = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        List<Setting> now = settings(host, names);
        int shares = 200 + round % 2 * 600;
        List<Setting> wanted =
            now.stream()
                .map(one -> new Setting(one.target(), one.parameters().with(Fair.SHARES, shares)))
                .toList();
        if (round % 4 < 2) {
          List<Command> commands = new ArrayList<>();
          for (int i = 0; i < now.size(); i++) {
            commands.addAll(
                host.commandsFor(
                    now.get(i).target(), now.get(i).parameters(), wanted.get(i).parameters()));
          }
          long began = System.nanoTime();
          commands.forEach(shell::run);
          writes.add((System.nanoTime() - began) / 1e6);
        } else {
          Map<String, SchedulerParameters> expected = Setting.byName(now);
          long began = System.nanoTime();
          host.apply(wanted, expected);
          switches.add((System.nanoTime() - began) / 1e6);
        }
      }
      host.apply(found);
      print("write", writes);
      print("read, write and read back", switches);
    }
  }

  private static List<Setting> settings(Hypervisor host, String[] names) {
    return host.settings().stream()
        .filter(one -> List.of(names).contains(one.target().name()))
        .toList();
  }

  private static void print(String what, List<Double> millis) {
    List<Double> sorted = millis.stream().skip(10).sorted().toList();
    System.out.printf(
        "%s: median %.1f ms, 95th percentile %.1f ms, n = %d%n",
        what, sorted.get(sorted.size() / 2), sorted.get((int) (sorted.size() * 0.95)), sorted.size());
  }
}
