package io.slicewise.sweep.guard;

import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Undo;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Scope;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunRecord;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.JournalEvent.DeadManArmed;
import io.slicewise.run.journal.RunPlace;
import io.slicewise.run.journal.SwitchTrace;
import io.slicewise.run.result.TrialFault;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.deadman.HostSwitch;
import io.slicewise.sweep.deadman.HostSwitch.SwitchReport;
import io.slicewise.sweep.deadman.HostSwitch.SwitchReport.State;
import io.slicewise.sweep.deadman.SwitchProgram;
import io.slicewise.sweep.deadman.SwitchReceipt;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The dead man's switches of one run. One is armed on the host before the first change, and another
 * one before a change that it could not undo. While the run lives it sends heartbeats, and before
 * each change it makes sure that the switch still waits.
 */
public final class DeadMan implements AutoCloseable {
  private static final String ACTED = "the dead man's switch on the host acted before this change";

  private final RemoteShell shell;
  private final boolean sudo;
  private final Optional<Duration> limit;
  private final HostLock lock;
  private final String id;
  private final Clock clock;
  private final Consumer<String> notices;

  /** Switches of earlier processes, and those whose start was not confirmed. */
  private final List<DeadManArmed> left;

  private List<Undo> undos = List.of();
  private Optional<Armed> armed = Optional.empty();
  private int made;

  /** The heartbeat of the switch that waits on the host. */
  private record Armed(DeadManArmed event, Heartbeat heartbeat) {}

  /**
   * @param notices receives sentences about what switches did
   */
  public DeadMan(
      RemoteShell shell,
      HostSpec spec,
      HostLock lock,
      RunDirectory run,
      Clock clock,
      Consumer<String> notices) {
    this.shell = shell;
    this.sudo = spec.sudo();
    this.limit = spec.deadMan();
    this.lock = lock;
    this.id = run.place().map(RunPlace::run).orElseThrow();
    this.clock = clock;
    this.notices = notices;
    List<JournalEvent> events = run.events();
    this.left = new ArrayList<>(SwitchTrace.left(events));
    this.made = SwitchTrace.count(events);
  }

  /** Whether the experiment asks for a switch. */
  boolean isWanted() {
    return limit.isPresent();
  }

  /**
   * Prepares the work of this process: arms a new switch for what an earlier process left changed,
   * and then ends the old ones.
   *
   * @param domains that the run may change
   * @throws io.slicewise.host.HypervisorException if the host could not restore itself
   */
  void takeOver(
      Hypervisor hypervisor,
      Set<String> domains,
      Consumer<JournalEvent> note,
      Supplier<RunRecord> record) {
    if (isWanted()) {
      new Undos(hypervisor, record.get()).check(domains);
      reportOthers();
    }
    collect(note, record.get());
    if (isWanted()) {
      beReady(new Undos(hypervisor, record.get()).ofTouched(), note, record.get());
    }
    endLeft(note, record.get());
  }

  private void reportOthers() {
    for (String name : HostSwitch.names(shell, sudo)) {
      if (!name.startsWith(id + "-")) {
        new HostSwitch(shell, sudo, name)
            .settled()
            .receipt()
            .ifPresent(
                receipt ->
                    notices.accept(
                        "%s (of another run, %s); 'slicewise restore' of that run removes its receipt"
                            .formatted(receipt.summary(), name)));
      }
    }
  }

  /** Journals what switches did that have acted, and whose start was not confirmed. */
  public void collect(Consumer<JournalEvent> note, RunRecord record) {
    if (armed.isPresent() && armed.get().heartbeat().beat().state() != State.ARMED) {
      Armed lost = armed.get();
      disarm();
      settle(lost.event(), note, record);
    }
    for (DeadManArmed one : List.copyOf(left)) {
      if (new HostSwitch(shell, sudo, one.name()).settled().state() != State.ARMED) {
        settle(one, note, record);
      }
    }
  }

  /** Ends the switches of earlier processes. */
  void endLeft(Consumer<JournalEvent> note, RunRecord record) {
    List.copyOf(left).forEach(one -> settle(one, note, record));
  }

  /** Ends every switch: the host is restored. */
  public void end(Consumer<JournalEvent> note, RunRecord record) {
    endLeft(note, record);
    if (armed.isPresent()) {
      Armed last = armed.get();
      disarm();
      settle(last.event(), note, record);
    }
  }

  /** Whether a switch waits on the host. */
  public boolean waits() {
    return armed.isPresent();
  }

  private void disarm() {
    armed.ifPresent(one -> one.heartbeat().close());
    armed = Optional.empty();
    undos = List.of();
  }

  /**
   * Makes sure that a switch waits that can undo these changes.
   *
   * @throws TrialFault if the switch acted since the settings were read
   */
  void beReady(List<Undo> changes, Consumer<JournalEvent> note, RunRecord record) {
    if (changes.isEmpty()) {
      return;
    }
    if (armed.isEmpty() || !changes.stream().allMatch(this::isCovered)) {
      arm(changes, note, record);
    } else if (armed.get().heartbeat().beat().state() != State.ARMED) {
      throw new TrialFault(ACTED);
    }
  }

  private boolean isCovered(Undo change) {
    return undos.stream().anyMatch(one -> one.covers(change));
  }

  /**
   * Arms a switch for these domains and those of the current one, which then stands down. It moves
   * guests back first: that takes their settings.
   */
  private void arm(List<Undo> changes, Consumer<JournalEvent> note, RunRecord record) {
    Map<String, Undo> all = new LinkedHashMap<>();
    undos.forEach(one -> all.put(one.domain(), one));
    for (Undo change : changes) {
      all.merge(change.domain(), change, Undo::and);
    }
    List<Undo> ordered = new ArrayList<>(all.values());
    ordered.sort(Comparator.comparing(undo -> !Scope.SPLIT.has(undo.domain())));
    made++;
    DeadManArmed event =
        new DeadManArmed(
            clock.instant(),
            "%s-%d".formatted(id, made),
            limit.orElseThrow(),
            ordered.stream().map(Undo::domain).toList());
    note.accept(event);
    left.add(event);
    HostSwitch there = new HostSwitch(shell, sudo, event.name());
    there.arm(new SwitchProgram(event.limit(), lock.text(), ordered));
    left.remove(event);
    Optional<Armed> old = armed;
    armed = Optional.of(new Armed(event, Heartbeat.of(there, event.limit())));
    undos = List.copyOf(ordered);
    old.ifPresent(
        earlier -> {
          earlier.heartbeat().close();
          left.add(earlier.event());
        });
    boolean acted = old.isPresent() && settle(old.get().event(), note, record);
    endLeft(note, record);
    if (acted) {
      throw new TrialFault(ACTED);
    }
  }

  /** Ends a switch, or journals what it did; returns whether it acted. */
  private boolean settle(DeadManArmed event, Consumer<JournalEvent> note, RunRecord record) {
    HostSwitch there = new HostSwitch(shell, sudo, event.name());
    SwitchReport report = there.standDown();
    if (report.state() == State.FIRING) {
      report = there.settled();
      report = report.state() == State.ARMED ? there.standDown() : report;
    }
    Optional<SwitchReceipt> receipt = report.receipt();
    if (receipt.isPresent()) {
      fired(event, receipt.get(), note, record);
    } else {
      String reason = reason(report.state());
      note.accept(new JournalEvent.DeadManEnded(clock.instant(), event.name(), reason));
      if (report.state() != State.OFF) {
        notices.accept("the dead man's switch " + reason);
      }
    }
    if (report.state() != State.ABSENT) {
      there.clear();
    }
    left.remove(event);
    if (receipt.isPresent()) {
      lock.takeAgain();
    }
    return receipt.isPresent();
  }

  public static String reason(State state) {
    return switch (state) {
      case OFF -> "stood down";
      case ABSENT -> "is no longer on the host";
      case DEAD -> "had ended without restoring anything, as at a reboot of the host";
      default -> "had ended while it restored the host";
    };
  }

  private void fired(
      DeadManArmed event, SwitchReceipt receipt, Consumer<JournalEvent> note, RunRecord record) {
    String sentence = receipt.sentence(event.domains());
    notices.accept(sentence);
    note.accept(new JournalEvent.DeadManFired(clock.instant(), event.name(), sentence));
    if (receipt.aside().isPresent()) {
      return;
    }
    Map<String, SchedulerParameters> restored = new LinkedHashMap<>();
    for (String domain : receipt.restored(event.domains())) {
      record.found().values().stream()
          .flatMap(all -> Optional.ofNullable(all.get(domain)).stream())
          .findFirst()
          .ifPresent(found -> restored.put(domain, found));
    }
    note.accept(new JournalEvent.Restored(clock.instant(), restored, Map.of()));
    Map<String, String> left = new LinkedHashMap<>();
    receipt
        .left(event.domains())
        .forEach((domain, values) -> left.put(domain, SwitchReceipt.leftSentence(domain, values)));
    if (!left.isEmpty()) {
      note.accept(new JournalEvent.LeftToOthers(clock.instant(), left));
    }
  }

  /** Stops the heartbeat; a switch that still waits restores the host when its time is up. */
  @Override
  public void close() {
    armed.ifPresent(one -> one.heartbeat().close());
  }

  /** Confirms to a switch on the host, regularly, that the run is alive. */
  static final class Heartbeat implements AutoCloseable {
    private static final int BEATS_PER_LIMIT = 6;
    private static final long LONGEST_MILLIS = 30_000;

    private final HostSwitch there;
    private final AtomicLong number = new AtomicLong();
    private final ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(Heartbeat::thread);

    private Heartbeat(HostSwitch there) {
      this.there = there;
    }

    /**
     * Starts the heartbeat.
     *
     * @param limit without a heartbeat after which the switch acts
     */
    static Heartbeat of(HostSwitch there, Duration limit) {
      Heartbeat heartbeat = new Heartbeat(there);
      long millis = Math.min(LONGEST_MILLIS, limit.toMillis() / BEATS_PER_LIMIT);
      var unused =
          heartbeat.timer.scheduleWithFixedDelay(
              heartbeat::tryBeat, 0, millis, TimeUnit.MILLISECONDS);
      return heartbeat;
    }

    /** Sends a heartbeat now and returns the answer. */
    SwitchReport beat() {
      return there.beat(Long.toString(number.incrementAndGet()));
    }

    /** A failed one is repeated; if none gets through, the run notices the lost host itself. */
    private void tryBeat() {
      try {
        beat();
      } catch (RemoteShellException | IllegalStateException unheard) {
        return;
      }
    }

    private static Thread thread(Runnable work) {
      Thread thread = new Thread(work, "heartbeat");
      thread.setDaemon(true);
      return thread;
    }

    @Override
    public void close() {
      timer.shutdown();
    }
  }
}
