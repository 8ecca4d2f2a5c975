package io.slicewise.host.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slicewise.host.CgroupVersion;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.groups.Inventory.Guest;
import io.slicewise.host.groups.Platform.Place;
import io.slicewise.profile.Fair;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds what is read of cgroup v2 and what is sent to systemd to the recordings of a Debian 12 with
 * systemd 252, Podman 4.3, Docker 20.10 and LXC 5.0. Its programs are not run here: {@code
 * systemctl} is one that leaves the recorded files behind.
 */
class RecordedGroupsTest {
  private static final SchedulerParameters DEFAULTS = SchedulerParameters.defaults(Scheduler.FAIR);
  private static final Trees TREES =
      new Trees(
          CgroupVersion.V2,
          "/sys/fs/cgroup",
          Optional.of("/sys/fs/cgroup"),
          Optional.of("/sys/fs/cgroup"));
  private static final String WEB = "/system.slice/web.service";
  private static final Pattern FILE = Pattern.compile("(?m)^(cpu[a-z.]*): (\\S.*)$");

  private static String recorded(String name) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    RecordedGroupsTest.class.getResourceAsStream("/groups/recorded-v2.jsonl")),
                StandardCharsets.UTF_8))) {
      ObjectMapper json = new ObjectMapper();
      for (String line : lines.lines().toList()) {
        JsonNode node = json.readTree(line);
        if (node.get("name").asText().equals(name)) {
          return node.get("command").asText() + "\n" + node.get("stdout").asText();
        }
      }
    } catch (IOException fault) {
      throw new IllegalStateException(fault);
    }
    throw new IllegalArgumentException("no recording " + name);
  }

  /** The listing of a host whose unit has the recorded files. */
  private static Snapshot snapshot(String recording, String... more) {
    StringBuilder listing = new StringBuilder("1 /sys/fs/cgroup\n60 /sys/fs/cgroup/system.slice\n");
    listing.append("4525 /sys/fs/cgroup").append(WEB).append('\n');
    Matcher files = FILE.matcher(recorded(recording));
    while (files.find()) {
      if (!files.group(2).startsWith("cat:")) {
        listing.append("/sys/fs/cgroup%s/%s:%s%n".formatted(WEB, files.group(1), files.group(2)));
      }
    }
    listing.append("@ /\n/proc/sys/kernel/random/boot_id:b\n/sys/devices/system/cpu/online:0-1\n");
    List.of(more).forEach(line -> listing.append(line).append('\n'));
    return Snapshot.parse(TREES, listing.toString());
  }

  @Test
  void readsWhatSystemdWrote() {
    Snapshot snapshot = snapshot("set-property --runtime", "/run/systemd/system");
    SchedulerParameters read = GroupFiles.settings("web.service", WEB, snapshot);
    assertThat(read.get(Fair.SHARES)).isEqualTo(200);
    assertThat(read.get(Fair.QUOTA)).isEqualTo(Duration.ofMillis(50));
    assertThat(read.get(Fair.IDLE)).isFalse();
    Map<String, String> properties = Units.properties("web.service", DEFAULTS, read);
    assertThat(recorded("set-property --runtime"))
        .startsWith(
            "systemctl set-property --runtime web.service CPUWeight=%s CPUQuota=%s;"
                .formatted(properties.get("CPUWeight"), properties.get("CPUQuota")));
    assertThat(properties).containsOnlyKeys("CPUWeight", "CPUQuota");
  }

  /** On a fresh host no unit has a weight; systemd enables the controller with the first one. */
  @Test
  void takesAUnitWithoutTheControllerForOneWithoutSettings() {
    assertThat(
            GroupFiles.settings(
                    "web.service", WEB, snapshot("fresh service", "/run/systemd/system"))
                .get(Fair.SHARES))
        .isEqualTo(100);
    assertThatThrownBy(() -> GroupFiles.settings("web.service", WEB, snapshot("fresh service")))
        .hasMessage(
            "web.service has no cpu.weight: the CPU controller is not enabled for groups in"
                + " /system.slice.");
  }

  @Test
  void refusesAUnitWhoseValueComesBackAtTheNextReload() {
    assertThat(recorded("runtime over durable, then daemon-reload")).contains("\n444\n300\n");
    Snapshot snapshot =
        snapshot(
            "set-property --runtime",
            "/run/systemd/system",
            "/etc/systemd/system.control/web.service.d/50-CPUWeight.conf");
    Place place = Platform.place(WEB).orElseThrow();
    Guest guest = new Guest("web.service", place, null, null, "4525", "4525", false);
    assertThatThrownBy(() -> new Limits(snapshot).check(guest, DEFAULTS))
        .hasMessageContaining("CPUWeight of web.service is set for good in /etc/systemd/")
        .hasMessageContaining("which counts again at the next reload of systemd");
  }

  @Test
  void refusesAQuotaThatSystemdCannotBeTold() {
    SchedulerParameters third =
        DEFAULTS.with(Fair.QUOTA, Duration.ofMillis(10)).with(Fair.PERIOD, Duration.ofMillis(30));
    assertThatThrownBy(() -> Units.properties("web.service", third))
        .hasMessageContaining("systemd takes hundredths of a percent");
  }

  @Test
  void findsTheLevelOfEachPlatformsGuests() {
    assertThat(place("docker run", "(/system\\.slice/docker-\\S+)"))
        .matches(place -> place.platform() == Platform.DOCKER && place.id().startsWith("3ea887df"));
    assertThat(place("podman update", "(/machine\\.slice/\\S+/container)"))
        .matches(place -> place.platform() == Platform.PODMAN && place.path().endsWith(".scope"));
    assertThat(place("lxc start (Proxmox layout)", "0::(/lxc/101/ns)"))
        .isEqualTo(new Place(Platform.PROXMOX_CONTAINER, "/lxc/101", "101"));
    assertThat(place("template unit with a dash and an at", "ControlGroup=(\\S+)"))
        .matches(place -> place.id().equals("pg-x@17-main.service"));
    assertThat(place("scope: set-property --runtime", "ControlGroup=(\\S+)"))
        .isEqualTo(
            new Place(Platform.PROXMOX_VM, "/qemu.slice/100.scope", "100.scope".substring(0, 3)));
  }

  /** Pods with an id that is a hash, of the kubelet in kind, jobs of Slurm, and tasks of Nomad. */
  @Test
  void findsTheLevelOfGuestsThatOtherProgramsMake() {
    String hash = "1864dd0546310be9937c37cf88024cb8";
    String uid = "b30be889-ebb4-8524-cc84-bfd79acd6057";
    String burstable = "/kubepods.slice/kubepods-burstable.slice/";
    String pod = "kubepods-burstable-pod%s.slice";
    assertThat(place(burstable + pod.formatted(hash) + "/crio-0b.scope/container"))
        .isEqualTo(new Place(Platform.POD, burstable + pod.formatted(hash), hash));
    assertThat(place("/kubepods/burstable/pod" + hash + "/0b").id()).isEqualTo(hash);
    String kind =
        "/kubelet.slice/kubelet-kubepods.slice/kubelet-" + pod.formatted(uid.replace('-', '_'));
    assertThat(place(kind + "/cri-containerd-0b.scope").path()).isEqualTo(kind);
    String slurm = "/system.slice/nodename_slurmstepd.scope";
    assertThat(place(slurm + "/job_55786247/step_batch/user/task_0"))
        .isEqualTo(new Place(Platform.SLURM, slurm + "/job_55786247", "job_55786247"));
    assertThat(place("/slurm/uid_1000/job_7/step_0").id()).isEqualTo("job_7");
    assertThat(Platform.place(slurm + "/system")).isEmpty();
    assertThat(Platform.place(slurm)).isEmpty();
    String nomad = "/nomad.slice/share.slice/" + uid + ".promtail.scope";
    assertThat(place(nomad)).isEqualTo(new Place(Platform.NOMAD, nomad, uid + ".promtail"));
    String container = hash + hash;
    String podman = "/machine.slice/machine-libpod_pod_" + container + ".slice";
    assertThat(place(podman + "/libpod-" + container + ".scope/container"))
        .isEqualTo(new Place(Platform.PODMAN_POD, podman, container));
    assertThat(place("/libpod_parent/libpod-" + container).platform()).isEqualTo(Platform.PODMAN);
    String task = "/ecstasks.slice/ecstasks-" + hash + ".slice";
    assertThat(place(task + "/docker-" + container + ".scope"))
        .isEqualTo(new Place(Platform.ECS, task, hash));
    assertThat(place("/ecs/" + uid + "/" + container).path()).isEqualTo("/ecs/" + uid);
    Snapshot systemd = Snapshot.parse(TREES, "1 /sys/fs/cgroup\n@ /\n/run/systemd/system\n");
    assertThat(systemd.managed(nomad)).as("systemd does not know it").isFalse();
    assertThat(systemd.managed(WEB)).isTrue();
  }

  private static Place place(String path) {
    return Platform.place(path).orElseThrow();
  }

  private static Place place(String recording, String pattern) {
    Matcher path = Pattern.compile(pattern).matcher(recorded(recording));
    assertThat(path.find()).isTrue();
    return Platform.place(path.group(1)).orElseThrow();
  }

  /** A restarted container is the same guest in another life: new inode, same id. */
  @Test
  void identifiesAContainerByItsIdOverRestarts() {
    Pattern life = Pattern.compile("(/system\\.slice/docker-\\S+) inode (\\d+)");
    Matcher before = life.matcher(recorded("docker run"));
    Matcher after = life.matcher(recorded("docker restart"));
    assertThat(before.find() && after.find()).isTrue();
    assertThat(Platform.place(before.group(1)).orElseThrow().identity())
        .isEqualTo(Platform.place(after.group(1)).orElseThrow().identity())
        .isNotEmpty();
    assertThat(before.group(2)).isNotEqualTo(after.group(2));
  }

  /** With KillMode=process a unit's group outlives its restart, and so does the inode. */
  @Test
  void distinguishesLivesOfAUnitInOneGroup() {
    assertThat(recorded("set-property --runtime")).contains("InvocationID=");
    String one = "invocation:web.service 0e8f6c2b7a1d4f0e9c3b5a7d9e1f2a3b";
    Guest before = guest(snapshot("fresh service", "/run/systemd/system", one));
    Guest same = guest(snapshot("fresh service", "/run/systemd/system", one));
    Guest after = guest(snapshot("fresh service", "/run/systemd/system", one.replace("0e", "1e")));
    assertThat(before.id().isSameLife(same.id())).isTrue();
    assertThat(before.id().isGuest(after.id())).isTrue();
    assertThat(before.id().isSameLife(after.id())).as("restarted").isFalse();
    assertThat(before.inode()).isEqualTo(after.inode());
  }

  private static Guest guest(Snapshot snapshot) {
    return Inventory.guest("web.service", Platform.place(WEB).orElseThrow(), snapshot);
  }

  @Test
  void restoringAUnitLeavesNoFileThatWasNotThere(@TempDir Path directory) throws Exception {
    Units units = Units.untilReboot(directory.toString());
    Map<String, String> found = Units.properties("web.service", DEFAULTS);
    SchedulerParameters set =
        DEFAULTS.with(Fair.SHARES, 200).with(Fair.QUOTA, Duration.ofMillis(50));
    Map<String, String> ours = Map.of("CPUWeight", "200", "CPUQuota", "50%");
    assertThat(Units.properties("web.service", set)).containsAllEntriesOf(ours);
    run(directory, units.script("web.service", ours, found));
    Path dropIns = directory.resolve("systemd/system.control/web.service.d");
    assertThat(Files.readString(dropIns.resolve("50-CPUWeight.conf"))).contains("CPUWeight=200");
    run(directory, units.script("web.service", Map.of("CPUWeight", "300"), ours));
    run(directory, units.script("web.service", Map.of("CPUWeight", "", "CPUQuota", ""), ours));
    assertThat(dropIns).doesNotExist();
    assertThat(directory.resolve("slicewise/web.service")).doesNotExist();
  }

  @Test
  void restoringWhatAUnitKeptLeavesNoFileThatWasNotThere(@TempDir Path directory) throws Exception {
    assertThat(recorded("set-property durable")).contains("/etc/systemd/system.control/");
    Units units = Units.forGood(directory.toString());
    Map<String, String> none = Map.of("CPUWeight", "");
    Map<String, String> ours = Map.of("CPUWeight", "200");
    run(directory, units.script("web.service", ours, none));
    Path dropIns = directory.resolve("etc/systemd/system.control/web.service.d");
    assertThat(Files.readString(dropIns.resolve("50-CPUWeight.conf"))).contains("CPUWeight=200");
    assertThat(directory.resolve("systemd")).as("what is gone after a reboot").doesNotExist();
    run(directory, units.script("web.service", none, ours));
    assertThat(dropIns).doesNotExist();
    assertThat(directory.resolve("var/lib/slicewise/web.service")).doesNotExist();
  }

  /** The recorded containers got these weights from these shares. */
  @Test
  void givesContainersTheSharesOfAWeight() {
    assertThat(recorded("docker run")).contains("--cpu-shares 512").contains("cpu.weight 20");
    assertThat(recorded("docker update")).contains("--cpu-shares 2048").contains("cpu.weight 79");
    for (int[] pair : new int[][] {{512, 20}, {2048, 79}}) {
      int shares = Keeping.olderShares(pair[1]);
      assertThat(shares).isBetween(pair[0] - 26, pair[0]);
    }
    assertThat(Keeping.newerShares(100)).isBetween(1000, 1024);
    assertThat(Keeping.newerShares(1)).isEqualTo(2);
  }

  private static List<String> kept(
      String path, SchedulerParameters current, SchedulerParameters wanted, String... host) {
    Snapshot snapshot =
        Snapshot.parse(
            TREES,
            "1 /sys/fs/cgroup\n9 /sys/fs/cgroup%s\n@ /\n/run/systemd/system\n%s"
                .formatted(path, String.join("\n", host)));
    Guest guest = new Guest("g", Platform.place(path).orElseThrow(), null, null, "9", "9", false);
    return new Keeping(null, snapshot, false)
        .commands(guest, current, wanted).stream().map(command -> command.words().get(2)).toList();
  }

  @Test
  void keepsByThePlatformsOwnCommands() {
    SchedulerParameters set =
        DEFAULTS.with(Fair.SHARES, 400).with(Fair.QUOTA, Duration.ofMillis(150));
    String container = "/system.slice/docker-%s.scope".formatted("3".repeat(64));
    String update =
        "docker update --cpu-period=100000 --cpu-quota=%s --cpu-shares=%d " + "3".repeat(64);
    assertThat(kept(container, DEFAULTS, set))
        .containsExactly(
            "%s && { [ \"$(cat %s/cpu.weight)\" = 400 ] || %s; }"
                .formatted(
                    update.formatted("150000", Keeping.olderShares(400)),
                    "/sys/fs/cgroup" + container,
                    update.formatted("150000", Keeping.newerShares(400))));
    assertThat(kept("/qemu.slice/100.scope", DEFAULTS, set))
        .containsExactly("qm set 100 --cpuunits 400 --cpulimit 1.5");
    assertThat(kept("/qemu.slice/100.scope", set, DEFAULTS))
        .containsExactly("qm set 100 --delete cpuunits,cpulimit");
    assertThat(kept("/lxc/101", DEFAULTS, DEFAULTS.with(Fair.SHARES, 50)))
        .containsExactly("pct set 101 --cpuunits 50");
    assertThat(kept(WEB, DEFAULTS, set).get(0))
        .contains("systemctl set-property \"$u\" 'CPUWeight=400' 'CPUQuota=150%'")
        .contains("/etc/systemd/system.control/$u.d".replace("/etc/systemd", "$r"))
        .doesNotContain("--runtime");
  }

  @Test
  void refusesWhatAPlatformWouldNotKeep() {
    SchedulerParameters idle = DEFAULTS.with(Fair.IDLE, true);
    assertThatThrownBy(() -> kept("/lxc/101", DEFAULTS, idle))
        .hasMessage("Settings of g cannot be kept: its platform has no idle to keep.");
    assertThatThrownBy(() -> kept("/user.slice/run-1.scope", DEFAULTS, idle))
        .hasMessage("Settings of g cannot be kept: a scope of systemd ends with its processes.");
    assertThatThrownBy(() -> kept(WEB, DEFAULTS, idle, "/run/systemd/transient/web.service"))
        .hasMessage(
            "Settings of g cannot be kept: its unit has no file, since it was made by systemd-run or"
                + " another program, and is forgotten when it ends.");
    assertThatThrownBy(() -> kept("/lxc.payload.web", DEFAULTS, DEFAULTS.with(Fair.SHARES, 50)))
        .isInstanceOfSatisfying(
            HypervisorException.class,
            refused ->
                assertThat(refused.hint()).isEqualTo("Write there: lxc.cgroup2.cpu.weight = 50"));
  }

  /** A container that was removed can never be started again. */
  @Test
  void asksAPlatformWhetherItStillHasAGuest(@TempDir Path directory) throws Exception {
    String id = "3".repeat(64);
    String unknown = "echo 'Error: No such container: nosuch' >&2; exit 1";
    assertThat(forgotten(directory, "docker " + id, "docker", unknown)).isTrue();
    assertThat(forgotten(directory, "docker " + id, "docker", "echo '[{}]'")).isFalse();
    String dead = "echo 'dial unix docker.sock: no such file or directory' >&2; exit 1";
    assertThat(forgotten(directory, "docker " + id, "docker", dead)).isFalse();
    assertThat(forgotten(directory, "podman " + id, "podman", "exit 1")).isTrue();
    assertThat(forgotten(directory, "podman " + id, "podman", "exit 125")).isFalse();
    assertThat(forgotten(directory, "unit web.service", "systemctl", "echo not-found")).isTrue();
    assertThat(forgotten(directory, "unit web.service", "systemctl", "echo loaded")).isFalse();
    assertThat(Keeping.forgotten("", false)).as("a plain group").isEmpty();
  }

  private static boolean forgotten(Path directory, String identity, String program, String answer)
      throws Exception {
    Path file = program(directory, program, "#!/bin/sh\n" + answer + "\n");
    ProcessBuilder asking =
        new ProcessBuilder(Keeping.forgotten(identity, false).orElseThrow().words());
    asking.environment().put("PATH", file.getParent() + ":" + System.getenv("PATH"));
    return asking.start().waitFor() == 0;
  }

  @Test
  void keepsTheFileOfSomeoneElse(@TempDir Path directory) throws Exception {
    Path dropIn = directory.resolve("systemd/system.control/web.service.d/50-CPUWeight.conf");
    run(directory, "systemctl set-property --runtime web.service CPUWeight=250");
    String theirs = Files.readString(dropIn);
    Units units = Units.untilReboot(directory.toString());
    Map<String, String> found = Map.of("CPUWeight", "250");
    run(directory, units.script("web.service", Map.of("CPUWeight", "500"), found));
    assertThat(Files.readString(dropIn)).contains("CPUWeight=500");
    run(directory, units.script("web.service", found, Map.of("CPUWeight", "500")));
    assertThat(Files.readString(dropIn)).isEqualTo(theirs);
  }

  /** Runs a script where {@code systemctl} leaves the files behind that the recording lists. */
  private static void run(Path directory, String script) throws Exception {
    assertThat(recorded("set-property --runtime"))
        .contains("web.service.d/50-CPUWeight.conf:[Service]\n")
        .contains("web.service.d/50-CPUWeight.conf:CPUWeight=200\n");
    Path program =
        program(
            directory,
            "systemctl",
            """
        #!/bin/sh
        [ "$1" = set-property ] || exit 1
        d=%1$s/etc/systemd/system.control
        [ "$2" != --runtime ] || { d=%1$s/systemd/system.control; shift; }
        d=$d/$2.d
        mkdir -p "$d"
        shift 2
        for property in "$@"; do
          printf '[Service]\\n%%s\\n' "$property" >"$d/50-${property%%%%=*}.conf"
        done
        """
                .formatted(directory));
    ProcessBuilder shell = new ProcessBuilder("sh", "-c", script);
    shell.environment().put("PATH", program.getParent() + ":" + System.getenv("PATH"));
    assertThat(shell.inheritIO().start().waitFor()).as(script).isZero();
  }

  /**
   * Writes a program by a process of its own: a file that this one has open for writing, and with
   * it each process that it is starting meanwhile, cannot be executed.
   */
  private static Path program(Path directory, String name, String text) throws Exception {
    Path file = Files.createDirectories(directory.resolve("bin")).resolve(name);
    Process writer =
        new ProcessBuilder("sh", "-c", "cat >\"$0\" && chmod +x \"$0\"", file.toString()).start();
    try (OutputStream to = writer.getOutputStream()) {
      to.write(text.getBytes(StandardCharsets.UTF_8));
    }
    assertThat(writer.waitFor()).isZero();
    return file;
  }
}
