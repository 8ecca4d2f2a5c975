package io.slicewise.host.groups;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostState;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Remark;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Knob;
import io.slicewise.host.Target;
import io.slicewise.host.Undo;
import io.slicewise.host.groups.Inventory.Guest;
import io.slicewise.host.groups.Inventory.Listed;
import io.slicewise.host.groups.Snapshot.Node;
import io.slicewise.profile.Fair;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A Linux host whose guests are control groups. Everything about all groups is read by one command;
 * the commands for several guests are sent together, with what they depend on and the reading back.
 *
 * @param lasting whether it is the host as what its platforms keep for a guest's next start, which
 *     is the same over a guest's lives
 */
record GroupsHost(Groups kind, Inventory inventory, boolean sudo, boolean lasting)
    implements Hypervisor {
  /** How often others may change a group between the reading and the change. */
  private static final int ATTEMPTS = 3;

  @Override
  public HostDescription describe() {
    return inventory.describe();
  }

  @Override
  public Hypervisor durable() {
    return new GroupsHost(kind, inventory, sudo, true);
  }

  @Override
  public boolean setsWhatRuns() {
    return lasting;
  }

  @Override
  public Optional<String> keptFor(GuestId guest) {
    return Optional.of(
            "does not run, and what is kept for it can be restored only while it does: start it,"
                + " and restore again")
        .filter(reason -> lasting && (guest == null || !isForgotten(guest)));
  }

  /** Returns whether a guest's platform no longer knows it: nothing is kept for it any more. */
  private boolean isForgotten(GuestId guest) {
    return Keeping.forgotten(guest.uuid(), sudo)
        .filter(command -> inventory.shell().run(command).succeeded())
        .isPresent();
  }

  private Listed read() {
    return ofThisKind(inventory.read());
  }

  private Listed ofThisKind(Listed listed) {
    if (!lasting) {
      return listed;
    }
    Map<String, Guest> guests = new LinkedHashMap<>();
    listed.guests().forEach((name, guest) -> guests.put(name, guest.inAnyLife()));
    return new Listed(listed.snapshot(), guests);
  }

  @Override
  public BitSet pcpus() {
    return read().snapshot().pcpus();
  }

  @Override
  public List<Domain> domains() {
    return read().guests().values().stream().map(Guest::domain).toList();
  }

  @Override
  public List<Setting> settings() {
    return settings(read());
  }

  private static List<Setting> settings(Listed listed) {
    List<Setting> settings = new ArrayList<>();
    for (Guest guest : listed.guests().values()) {
      try {
        settings.add(
            new Setting(
                guest.domain(),
                GroupFiles.settings(guest.name(), guest.path(), listed.snapshot())));
      } catch (HypervisorException without) {
        // It is among the guests without settings; whyWithoutSettings gives the reason.
      }
    }
    return List.copyOf(settings);
  }

  @Override
  public Map<String, GuestId> guests() {
    Map<String, GuestId> guests = new LinkedHashMap<>();
    read().guests().forEach((name, guest) -> guests.put(name, guest.id()));
    return guests;
  }

  /** A group's pCPUs are among its settings; those of the group above are of its pool. */
  @Override
  public HostState state() {
    Listed now = inventory.read();
    Limits limits = new Limits(now.snapshot());
    Map<String, HostState.Guest> guests = new LinkedHashMap<>();
    Map<String, HostState.Pool> pools = new LinkedHashMap<>();
    now.guests()
        .forEach(
            (name, guest) -> {
              String pool = guest.domain().cpupool();
              guests.put(
                  name,
                  new HostState.Guest(
                      guest.id(),
                      pool,
                      guest.domain().vcpus(),
                      List.of(),
                      guest.frozen() ? HostState.Guest.PAUSED : HostState.Guest.RUNNING));
              pools.computeIfAbsent(
                  pool,
                  path ->
                      new HostState.Pool(
                          Groups.SCHEDULER,
                          now.snapshot().effectiveCpus(path),
                          limits.above(path)));
            });
    return new HostState(guests, pools);
  }

  @Override
  public Optional<String> refusal(String domain, SchedulerParameters wanted) {
    return Hypervisor.super.refusal(domain, wanted).or(() -> outOfRange(domain, wanted));
  }

  private Optional<String> outOfRange(String name, SchedulerParameters wanted) {
    Listed known = inventory.known();
    Guest guest = known.guest(name);
    try {
      if (guest == null) {
        Limits.check(inventory.trees().version(), name, wanted);
      } else {
        GroupFiles.settings(name, guest.path(), known.snapshot());
        new Limits(known.snapshot()).check(guest, wanted);
      }
      return Optional.empty();
    } catch (HypervisorException refused) {
      return Optional.of(refused.reason());
    }
  }

  @Override
  public String whyMissing(String name) {
    return inventory.whyMissing(name);
  }

  @Override
  public String whyWithoutSettings(String name) {
    Listed known = inventory.known();
    try {
      GroupFiles.settings(name, inventory.located(name).path(), known.snapshot());
      return "was made or removed while it was read";
    } catch (HypervisorException without) {
      return "cannot be set: " + without.reason();
    }
  }

  @Override
  public List<Remark> remarks() {
    return new GroupRemarks(inventory).all();
  }

  /** Ignores pCPUs that are not changed, shares of the idle class, and the kernel's default. */
  @Override
  public boolean shows(SchedulerParameters set, SchedulerParameters read) {
    if (set.scheduler() != read.scheduler() || set.isByVcpu()) {
      return set.equals(read);
    }
    CgroupVersion version = inventory.trees().version();
    SchedulerParameters shown = read;
    if (version.shares(set) == version.shares(read)
        || (set.get(Fair.IDLE) && read.get(Fair.IDLE))) {
      shown = shown.with(Fair.SHARES, set.get(Fair.SHARES));
    }
    return set.equals(Fair.leavesCpus(set) ? shown.with(Fair.CPUS, set.get(Fair.CPUS)) : shown);
  }

  @Override
  public List<Command> commandsFor(
      Target target, SchedulerParameters current, SchedulerParameters wanted) {
    return commands(inventory.known(), inventory.located(target.name()), current, wanted);
  }

  private List<Command> commands(
      Listed listed, Guest guest, SchedulerParameters current, SchedulerParameters wanted) {
    if (shows(wanted, current)) {
      return List.of();
    }
    new Limits(listed.snapshot()).accept(guest, wanted);
    if (lasting) {
      return new Keeping(inventory.shell(), listed.snapshot(), sudo)
          .commands(guest, current, wanted);
    }
    return new Changing(listed.snapshot(), sudo).commands(guest, current, wanted);
  }

  @Override
  public Knob.Handle handle(Setting setting, Parameter<?> parameter) {
    return new Knob.Handle("the group's files", "group restart");
  }

  @Override
  public Optional<Undo> undo(Target target, Undo.Change change) {
    Guest guest = inventory.located(target.name());
    Changing changing = new Changing(inventory.known().snapshot(), sudo);
    return Optional.of(new GroupUndo(changing, inventory.trees().version()).of(guest, change));
  }

  @Override
  public List<Applied> apply(List<Setting> wanted, Map<String, SchedulerParameters> expected) {
    Listed before = ofThisKind(inventory.known());
    Optional<Listed> after = Optional.empty();
    for (int attempt = 1; after.isEmpty(); attempt++) {
      List<Command> commands = commands(before, wanted, expected);
      if (commands.isEmpty()) {
        after = Optional.of(read());
        continue;
      }
      CommandResult result = inventory.shell().run(together(before, wanted, commands));
      if (result.succeeded()) {
        after = Optional.of(ofThisKind(inventory.renewed(result.standardOutput())));
      } else if (Switch.foundOthers(result) && attempt < ATTEMPTS) {
        before = read();
      } else {
        throw refused(wanted, before, commands, result);
      }
    }
    Listed last = after.get();
    Map<String, SchedulerParameters> now = Setting.byName(settings(last));
    return wanted.stream()
        .map(
            one -> {
              Guest guest = required(last, one.target());
              SchedulerParameters shown = now.get(guest.name());
              return new Applied(
                  guest.domain(), one.parameters(), shown, shows(one.parameters(), shown));
            })
        .toList();
  }

  private List<Command> commands(
      Listed before, List<Setting> wanted, Map<String, SchedulerParameters> expected) {
    Map<String, SchedulerParameters> read = Setting.byName(settings(before));
    List<Command> commands = new ArrayList<>();
    for (Setting one : wanted) {
      Guest guest = required(before, one.target());
      SchedulerParameters current = read.get(guest.name());
      requireUnchanged(one.target(), Optional.ofNullable(expected.get(guest.name())), current);
      commands.addAll(commands(before, guest, current, one.parameters()));
    }
    return commands;
  }

  private Command together(Listed before, List<Setting> wanted, List<Command> commands) {
    List<Guest> guests = wanted.stream().map(one -> before.guest(one.target().name())).toList();
    return Changing.command(
        sudo, Command.Effect.CHANGES, new Switch(before.snapshot()).script(guests, commands));
  }

  /** Returns the guest of the same life, which has settings. */
  private Guest required(Listed listed, Target target) {
    Guest guest = listed.guest(target.name());
    if (guest == null) {
      throw new HypervisorException(
          "%s vanished: its control group no longer exists.".formatted(target.name()),
          "Start it again.");
    }
    if (target instanceof Domain domain && domain.id() != guest.domain().id()) {
      throw new HypervisorException(
          "%s was made anew while it was being set: its control group has inode %s now."
              .formatted(guest.name(), guest.inode()),
          "Set it again.");
    }
    GroupFiles.settings(guest.name(), guest.path(), listed.snapshot());
    return guest;
  }

  /** Says what the host shows after a write that failed; those before it took effect. */
  private HypervisorException refused(
      List<Setting> wanted, Listed before, List<Command> commands, CommandResult result) {
    Listed after = read();
    Map<String, SchedulerParameters> now = Setting.byName(settings(after));
    wanted.forEach(one -> required(after, before.guest(one.target().name()).domain()));
    List<String> read =
        wanted.stream()
            .map(one -> "%s has %s".formatted(one.target().name(), now.get(one.target().name())))
            .toList();
    String said = result.standardError().strip();
    return new HypervisorException(
        "%s did not take '%s'%s. Now %s."
            .formatted(
                inventory.shell().address(),
                commands.stream().map(Command::quoted).collect(Collectors.joining("; ")),
                said.isEmpty() ? "" : ": " + said,
                String.join("; ", read)),
        "Check that the login may write there, as root or with sudo: true.");
  }

  /** Remarks on the peculiarities of a host of control groups. */
  private record GroupRemarks(Inventory inventory) {
    private static final int MANY = 12;

    List<Remark> all() {
      Listed now = inventory.known();
      CgroupVersion version = inventory.trees().version();
      List<Remark> remarks = new ArrayList<>();
      remarks.add(
          new Remark(
              "cgroups",
              "%s at %s: %s".formatted(version, inventory.trees().cpu(), version.sharesText()),
              ""));
      remarks.add(new Remark("guests", first(List.copyOf(now.guests().keySet())), ""));
      List<String> empty =
          now.guests().values().stream()
              .filter(guest -> !now.snapshot().hasProcesses(guest.path()))
              .map(Guest::name)
              .toList();
      if (!empty.isEmpty()) {
        remarks.add(
            new Remark(
                "processes",
                "none in %s: no setting there changes anything, and no guard can fail"
                    .formatted(first(empty)),
                "start what runs in it"));
      }
      Limits limits = new Limits(now.snapshot());
      now.guests()
          .values()
          .forEach(
              guest ->
                  limits
                      .moot(guest)
                      .ifPresent(
                          sentence ->
                              remarks.add(
                                  new Remark(
                                      "shares", sentence, "set the group above, or a quota"))));
      now.guests().values().stream()
          .flatMap(guest -> now.snapshot().ancestors(guest.path()).stream())
          .distinct()
          .forEach(
              above ->
                  limits
                      .limit(above)
                      .ifPresent(
                          limit ->
                              remarks.add(
                                  new Remark(
                                      "quota",
                                      "%s of %s holds back all guests in it together, and is in none"
                                              .formatted(Fair.LIMIT.text(limit), above)
                                          + " of their accounts",
                                      "raise it, or count with less than whole pCPUs"))));
      return List.copyOf(remarks);
    }

    private static String first(List<String> names) {
      String more = names.size() > MANY ? " and %d more".formatted(names.size() - MANY) : "";
      return String.join(", ", names.subList(0, Math.min(MANY, names.size()))) + more;
    }
  }

  /**
   * A switch of several guests by one shell: it changes nothing unless every guest is of the life
   * and has the settings of the snapshot, and prints what their files contain afterwards. The
   * programs that would be started for that take longer than everything else, so only the shell
   * itself is used where the kernel shows inodes in {@code fdinfo} (Linux 5.14 on).
   */
  private record Switch(Snapshot snapshot) {
    /** A status that no command of a shell has by itself, with a word to be sure. */
    private static final int OTHERS = 75;

    private static final String FOUND_OTHERS = "found others";

    private static final String FUNCTIONS =
        """
        life() {
          exec 3<.
          life=
          while read -r name number; do
            [ "$name" != ino: ] || life=$number
          done </proc/self/fdinfo/3
          [ "$life" ] || life=$(command stat -c %%i .)
        }
        stat() { life; echo "$life"; }
        other() { echo '%1$s'; exit %2$d; }
        is() {
          cd "$1" && life && [ "$life" = "$2" ] || other
          shift 2
          while [ $# -gt 0 ]; do
            line=
            read -r line <"$1"
            [ "$line" = "$2" ] || other
            shift 2
          done
        }
        show() {
          cd "$1" && life && echo "$life $1" || exit
          for file in %3$s; do
            [ ! -e $file ] || { line=; read -r line <$file; echo "$1/$file:$line"; }
          done
        }
        """
            .formatted(FOUND_OTHERS, OTHERS, String.join(" ", Snapshot.SETTINGS));

    /** Returns the script around these commands, each of which is a shell's. */
    String script(List<Guest> guests, List<Command> commands) {
      List<String> lines = new ArrayList<>();
      for (Guest guest : guests) {
        directories(guest)
            .forEach((directory, node) -> lines.add("is " + directory + " " + found(node)));
      }
      commands.forEach(
          command -> {
            String script = command.words().get(command.words().size() - 1);
            lines.add("{ " + script + "; } || exit");
          });
      for (Guest guest : guests) {
        directories(guest).keySet().forEach(directory -> lines.add("show " + directory));
      }
      return FUNCTIONS + String.join("\n", lines);
    }

    /** Returns a guest's groups by their quoted directories. */
    private Map<String, Node> directories(Guest guest) {
      Map<String, Node> directories = new LinkedHashMap<>();
      Node cpu = snapshot.groups().get(guest.path());
      directories.put(Changing.quoted(snapshot.trees().cpu() + guest.path()), cpu);
      Optional<Node> cpuset = snapshot.cpuset(guest.path());
      cpuset.ifPresent(
          node ->
              directories.put(
                  Changing.quoted(snapshot.trees().cpuset().orElseThrow() + guest.path()), node));
      return directories;
    }

    private static String found(Node node) {
      StringBuilder words = new StringBuilder(node.inode());
      Snapshot.SETTINGS.forEach(
          name ->
              node.file(name)
                  .ifPresent(
                      text ->
                          words
                              .append(' ')
                              .append(name)
                              .append(' ')
                              .append(Changing.quoted(text))));
      return words.toString();
    }

    /** Returns whether nothing was changed, because a guest is not as it was read. */
    static boolean foundOthers(CommandResult result) {
      return result.exitStatus() == OTHERS && result.standardOutput().contains(FOUND_OTHERS);
    }
  }
}
