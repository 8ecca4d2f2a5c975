package io.slicewise.host;

import io.slicewise.host.HypervisorKind.SettingCommands;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Scope;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The supported kinds of hypervisors. */
public final class Hypervisors {
  private Hypervisors() {}

  private static List<HypervisorKind> kinds() {
    return ServiceLoader.load(HypervisorKind.class).stream()
        .map(ServiceLoader.Provider::get)
        .toList();
  }

  /** Returns all toolstacks, in the order in which a host is probed for them. */
  public static List<String> toolstacks() {
    return kinds().stream().flatMap(kind -> kind.toolstacks().stream()).toList();
  }

  /** Returns the products that a host may have, as named in files. */
  public static List<String> products() {
    return kinds().stream().map(Hypervisors::word).toList();
  }

  public static List<String> toolstacksOf(String product) {
    return kinds().stream()
        .filter(kind -> word(kind).equals(product))
        .flatMap(kind -> kind.toolstacks().stream())
        .toList();
  }

  /** Returns the default toolstack of a product. */
  public static String firstToolstack(String product) {
    return toolstacksOf(product).get(0);
  }

  private static String word(HypervisorKind kind) {
    return kind.product().toLowerCase(Locale.ROOT);
  }

  /** Returns the kind with a toolstack; the first kind if none has it, as in a simulated run. */
  public static HypervisorKind kind(String toolstack) {
    List<HypervisorKind> kinds = kinds();
    return kinds.stream()
        .filter(kind -> kind.toolstacks().contains(toolstack))
        .findFirst()
        .orElse(kinds.get(0));
  }

  /** Returns the word of a product for a part of its hosts that shares pCPUs. */
  static String poolWord(String product) {
    List<HypervisorKind> kinds = kinds();
    return kinds.stream()
        .filter(kind -> kind.product().equals(product))
        .findFirst()
        .orElse(kinds.get(0))
        .poolWord();
  }

  /** Returns the hypervisor of a toolstack with its version: {@code Xen 4.17.3}. */
  public static String text(String toolstack, String version) {
    HypervisorKind kind = kind(toolstack);
    return kind.bare() ? "no hypervisor, kernel " + version : kind.product() + " " + version;
  }

  /** Returns whether a toolstack stands for a machine without a hypervisor. */
  public static boolean isBare(Optional<String> toolstack) {
    return kind(toolstack.orElse("")).bare();
  }

  /**
   * Returns the control domain's name on hosts with a toolstack; that of the first kind if none is
   * given.
   */
  public static Optional<String> controlDomain(Optional<String> toolstack) {
    return kind(toolstack.orElse("")).controlDomain();
  }

  /**
   * Finds a host's hypervisor, or the requested one; changes nothing.
   *
   * @param sudo whether its tools are called through {@code sudo -n}
   * @throws HypervisorException if none answers
   * @throws io.slicewise.ssh.RemoteShellException if the host cannot be reached
   */
  public static Hypervisor probe(
      RemoteShell shell, boolean sudo, Optional<String> product, Optional<String> toolstack) {
    List<HypervisorKind> asked =
        kinds().stream()
            .filter(kind -> !kind.onRequest() || product.isPresent() || toolstack.isPresent())
            .filter(kind -> product.map(word(kind)::equals).orElse(true))
            .filter(kind -> toolstack.map(kind.toolstacks()::contains).orElse(true))
            .toList();
    List<HypervisorException> failures = new ArrayList<>();
    for (HypervisorKind kind : asked) {
      try {
        return kind.probe(shell, sudo, toolstack);
      } catch (HypervisorException failure) {
        failures.add(failure);
      }
    }
    throw failures.stream()
        .filter(failure -> !failure.isAbsent())
        .findFirst()
        .orElseGet(() -> none(failures));
  }

  /**
   * Returns a hypervisor that sets its host's kernel, too: the knobs of a profile's {@code host}
   * and {@code disks}.
   *
   * @param sudo whether files are written through {@code sudo -n}
   */
  public static Hypervisor withKernel(Hypervisor hypervisor, RemoteShell shell, boolean sudo) {
    return new KernelHost(hypervisor, new KernelKnobs(shell, sudo));
  }

  /** Returns the commands of a toolstack version, and of the kernel of its hosts. */
  public static SettingCommands commands(
      String toolstack, HypervisorVersion version, boolean sudo) {
    SettingCommands its = kind(toolstack).commands(toolstack, version, sudo);
    KernelKnobs kernel = new KernelKnobs(null, sudo);
    return (target, wanted) ->
        Scope.ofHost(target)
            ? kernel.commands(target, SchedulerParameters.defaults(wanted.scheduler()), wanted)
            : its.set(target, wanted);
  }

  private static HypervisorException none(List<HypervisorException> failures) {
    return HypervisorException.absent(
        failures.stream().map(HypervisorException::getMessage).collect(Collectors.joining(" ")),
        failures.stream().map(HypervisorException::hint).collect(Collectors.joining(" ")));
  }

  /**
   * A host of any hypervisor, whose kernel is set as well: what it keeps in files is a target of
   * its own, and everything else is the hypervisor's.
   */
  record KernelHost(Hypervisor of, KernelKnobs kernel) implements Hypervisor {
    @Override
    public List<Setting> settings() {
      List<Setting> settings = new ArrayList<>(of.settings());
      settings.addAll(kernel.settings());
      return List.copyOf(settings);
    }

    @Override
    public List<Command> commandsFor(
        Target target, SchedulerParameters current, SchedulerParameters wanted) {
      return target instanceof Target.Files
          ? kernel.commands(target.name(), current, wanted)
          : of.commandsFor(target, current, wanted);
    }

    /** The hypervisor's targets come first, as they do in profiles. */
    @Override
    public List<Applied> apply(List<Setting> wanted, Map<String, SchedulerParameters> expected) {
      List<Setting> files =
          wanted.stream().filter(one -> one.target() instanceof Target.Files).toList();
      List<Setting> others = wanted.stream().filter(one -> !files.contains(one)).toList();
      Map<String, SchedulerParameters> before =
          files.isEmpty() ? Map.of() : Setting.byName(kernel.settings());
      for (Setting one : files) {
        Optional.ofNullable(before.get(one.target().name()))
            .ifPresent(
                read ->
                    requireUnchanged(
                        one.target(),
                        Optional.ofNullable(expected.get(one.target().name())),
                        read));
      }
      List<Applied> applied = new ArrayList<>();
      if (!others.isEmpty()) {
        applied.addAll(of.apply(others, expected));
      }
      if (!files.isEmpty()) {
        applied.addAll(kernel.apply(files, before));
      }
      return List.copyOf(applied);
    }

    @Override
    public boolean shows(SchedulerParameters set, SchedulerParameters read) {
      return isOfKernel(set) ? KernelKnobs.shows(set, read) : of.shows(set, read);
    }

    private static boolean isOfKernel(SchedulerParameters parameters) {
      Scope scope = parameters.scheduler().scope();
      return scope == Scope.HOST || scope == Scope.DISK;
    }

    @Override
    public boolean has(Scheduler scheduler) {
      return scheduler == Scheduler.KERNEL || scheduler == Scheduler.DISK || of.has(scheduler);
    }

    @Override
    public boolean switchesLive(SchedulerParameters from, SchedulerParameters to) {
      return isOfKernel(from) || of.switchesLive(from, to);
    }

    @Override
    public Optional<String> unrestorable(SchedulerParameters shown) {
      return isOfKernel(shown) ? Optional.empty() : of.unrestorable(shown);
    }

    @Override
    public Optional<String> refusal(String target, SchedulerParameters wanted) {
      return Scope.ofHost(target) ? kernel.refusal(target, wanted) : of.refusal(target, wanted);
    }

    @Override
    public Optional<Undo> undo(Target target, Undo.Change change) {
      return target instanceof Target.Files
          ? Optional.of(kernel.undo(target, change))
          : of.undo(target, change);
    }

    @Override
    public String whyMissing(String name) {
      return Scope.of(name) == Scope.DISK ? "is not among its disks" : of.whyMissing(name);
    }

    @Override
    public Knob.Handle handle(Setting setting, Parameter<?> parameter) {
      return setting.target() instanceof Target.Files
          ? new Knob.Handle("kernel file", "host restart")
          : of.handle(setting, parameter);
    }

    @Override
    public String range(Setting setting, Parameter<?> parameter, String pcpus) {
      return setting.target() instanceof Target.Files
          ? kernel.range(setting.target().name(), parameter, pcpus)
          : of.range(setting, parameter, pcpus);
    }

    @Override
    public HypervisorKind kind() {
      return of.kind();
    }

    @Override
    public HostDescription describe() {
      return of.describe();
    }

    @Override
    public BitSet pcpus() {
      return of.pcpus();
    }

    @Override
    public List<Domain> domains() {
      return of.domains();
    }

    @Override
    public Map<String, GuestId> guests() {
      return of.guests();
    }

    @Override
    public HostState state() {
      return of.state();
    }

    @Override
    public String activation(Scheduler scheduler) {
      return of.activation(scheduler);
    }

    /** The kernel keeps nothing for the next start. */
    @Override
    public Hypervisor durable() {
      return of.durable();
    }

    @Override
    public boolean setsWhatRuns() {
      return of.setsWhatRuns();
    }

    @Override
    public boolean writesFiles() {
      return of.writesFiles();
    }

    @Override
    public Optional<String> keptFor(GuestId guest) {
      return of.keptFor(guest);
    }

    @Override
    public String whyWithoutSettings(String name) {
      return of.whyWithoutSettings(name);
    }

    @Override
    public List<Knob> ownKnobs() {
      return of.ownKnobs();
    }

    @Override
    public List<Remark> remarks() {
      return of.remarks();
    }
  }
}
