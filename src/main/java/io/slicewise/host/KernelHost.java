package io.slicewise.host;

import io.slicewise.profile.Parameter;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Scope;
import io.slicewise.ssh.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A host of any hypervisor, whose kernel is set as well: what it keeps in files is a target of its
 * own, and everything else is the hypervisor's.
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
                      one.target(), Optional.ofNullable(expected.get(one.target().name())), read));
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
  public String range(Setting setting, Parameter<?> parameter, int pcpus) {
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
