package io.slicewise.lab.libvirt;

import io.slicewise.lab.libvirt.Definition.CpuTune;
import io.slicewise.lab.libvirt.LibvirtGuest.State;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The libvirt daemon: its guests and their operations. Callers that make several calls synchronize
 * on it.
 */
public final class Libvirtd {
  private static final int FIRST_PID = 4100;
  private static final int FIRST_GUEST_PID = 4200;

  /** What identifies a guest, in the order in which virsh tries it. */
  private static final List<Function<LibvirtGuest, String>> KEYS =
      List.of(
          guest -> guest.life().map(life -> String.valueOf(life.id())).orElse(""),
          LibvirtGuest::uuid,
          LibvirtGuest::name);

  private final HostMachine host;
  private final GuestFiles files;
  private final Map<String, Integer> ids = new ConcurrentHashMap<>();
  private final List<LibvirtGuest> guests = new ArrayList<>();
  private final SettingParameters parameters = new SettingParameters();
  private final List<String> events = new ArrayList<>();
  private int nextId = 1;
  private int nextPid = FIRST_GUEST_PID;
  private boolean up = true;

  public Libvirtd(HostMachine host, GuestFiles files) {
    this.host = host;
    this.files = files;
    files.host(host);
  }

  /** Returns the number of pCPUs of the host. */
  public int pcpus() {
    return host.pcpus();
  }

  /** Returns the CPU time of the host's own processes. */
  public long ownNanos() {
    return host.ask(machine -> machine.times(0, 0).runningNanos());
  }

  /** Returns the ids of the running guests by name, as a live view. */
  public Map<String, Integer> ids() {
    return ids;
  }

  /** Returns the daemon's process number. */
  public static int pid() {
    return FIRST_PID;
  }

  public synchronized boolean isUp() {
    return up;
  }

  /** Stops or restarts the daemon. Guests and their settings are not affected. */
  public synchronized void up(boolean running) {
    up = running;
  }

  // ---- finding

  /** Returns all guests in listing order: running ones by id, then the others by name. */
  public synchronized List<LibvirtGuest> guests() {
    return guests.stream()
        .sorted(
            Comparator.<LibvirtGuest>comparingInt(
                    g -> g.life().map(Life::id).orElse(Integer.MAX_VALUE))
                .thenComparing(LibvirtGuest::name, String.CASE_INSENSITIVE_ORDER))
        .toList();
  }

  /** Returns a guest by id, UUID or name, tried in that order, or empty if none matches. */
  public synchronized Optional<LibvirtGuest> find(String typed) {
    return KEYS.stream()
        .flatMap(
            key ->
                guests.stream().filter(guest -> !typed.isEmpty() && key.apply(guest).equals(typed)))
        .findFirst();
  }

  // ---- defining

  /** Defines a guest without tuning. */
  public synchronized LibvirtGuest define(String name, int vcpus, int most, int iothreads) {
    String uuid = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    LibvirtGuest guest =
        new LibvirtGuest(name, uuid, new Definition(vcpus, most, iothreads, new CpuTune()));
    guests.add(guest);
    return guest;
  }

  public synchronized void undefine(LibvirtGuest guest) {
    if (guest.config().isEmpty()) {
      throw new LibvirtError("Requested operation is not valid: cannot undefine transient domain");
    }
    guest.undefined();
    dropIfGone(guest);
  }

  private void dropIfGone(LibvirtGuest guest) {
    if (guest.config().isEmpty() && guest.life().isEmpty()) {
      guests.remove(guest);
    }
  }

  // ---- lives

  /** Starts a guest. */
  public synchronized void start(LibvirtGuest guest, boolean paused) {
    Definition definition = guest.config().orElseThrow().copy();
    int id = nextId++;
    Life life = new Life(id, guest.name(), nextPid, definition, host);
    host.begin(id, guest.name(), definition.vcpus());
    try {
      parameters.atStart(life);
    } catch (LibvirtError refused) {
      host.end(id);
      host.machineGroup().remove(life.group());
      guest.enter(State.SHUT_OFF, "failed");
      throw refused;
    }
    nextPid += Life.threadsOf(definition) + 1;
    life.pinned();
    guest.began(life);
    files.began(guest, life);
    ids.put(guest.name(), id);
    report(guest, "lifecycle", " Started Booted");
    if (paused) {
      suspend(guest);
    }
  }

  /** Ends the guest's process for a reason. */
  public synchronized void end(LibvirtGuest guest, String reason) {
    Life life = guest.running();
    ids.remove(guest.name());
    report(guest, "lifecycle", " Stopped Destroyed");
    files.ended(guest, life);
    host.end(life.id());
    host.machineGroup().remove(life.group());
    guest.ended(reason);
    dropIfGone(guest);
  }

  public synchronized void suspend(LibvirtGuest guest) {
    Life life = guest.running();
    host.change(machine -> machine.pause(life.id()));
    guest.enter(State.PAUSED, "user");
    report(guest, "lifecycle", " Suspended Paused");
  }

  public synchronized void resume(LibvirtGuest guest) {
    Life life = guest.running();
    host.change(machine -> machine.unpause(life.id()));
    guest.enter(State.RUNNING, "unpaused");
    report(guest, "lifecycle", " Resumed Unpaused");
  }

  /** Returns the guest with that QEMU process. */
  public synchronized Optional<LibvirtGuest> ofProcess(int pid) {
    return guests.stream()
        .filter(g -> g.life().map(Life::pid).filter(one -> one == pid).isPresent())
        .findFirst();
  }

  // ---- events

  private void report(LibvirtGuest guest, String kind, String details) {
    events.add("event '%s' for domain '%s':%s\n".formatted(kind, guest.name(), details));
    notifyAll();
  }

  /** Returns how many events there were so far. */
  public synchronized int events() {
    return events.size();
  }

  /** Waits for events after the first so many, and returns them as virsh prints them. */
  public synchronized List<String> eventsAfter(int known) throws InterruptedException {
    while (events.size() <= known) {
      wait();
    }
    return List.copyOf(events.subList(known, events.size()));
  }

  /** Reports changed scheduler parameters of a running guest. */
  public synchronized void tuned(LibvirtGuest guest, List<SettingParameters.Wanted> values) {
    StringBuilder text = new StringBuilder();
    values.forEach(
        one -> text.append("\n\tcputune.%s: %d".formatted(one.parameter().text(), one.value())));
    report(guest, "tunable", text.toString());
  }

  // ---- settings

  /** Returns the effective settings of every running guest, by its name and file. */
  public synchronized Map<String, String> settings() {
    Map<String, String> all = new TreeMap<>();
    for (LibvirtGuest guest : guests) {
      if (guest.life().isPresent()) {
        Life life = guest.running();
        for (LabCgroup group : life.groups()) {
          String name = guest.name() + group.path().substring(life.group().path().length());
          all.put(name, group.weight() + " " + group.quota() + " " + group.period());
        }
        life.diskWeight()
            .ifPresent(weight -> all.put(guest.name() + " disks", String.valueOf(weight)));
        all.put(guest.name() + " online", String.valueOf(life.online()));
        for (int thread = 0; thread < life.asked().iothreads(); thread++) {
          all.put(
              guest.name() + " iothread pin " + (thread + 1),
              life.cpus(life.asked().ioPin(thread)));
        }
        for (int vcpu = 0; vcpu < life.asked().vcpus(); vcpu++) {
          all.put(guest.name() + " pin " + vcpu, life.cpus(life.asked().pin(vcpu)));
        }
      }
    }
    return all;
  }

  /** Returns the scheduler parameters of guests. */
  public SettingParameters parameters() {
    return parameters;
  }

  /** Pins a vCPU in the running guest, in the configuration, or in both. */
  public synchronized void pin(
      LibvirtGuest guest, int vcpu, String pcpus, boolean live, boolean config) {
    if (live && vcpu >= guest.running().definition().most()) {
      throw new LibvirtError(
          "invalid argument: vcpu %d is out of range of live cpu count %d"
              .formatted(vcpu, guest.running().definition().most()));
    }
    if (config && vcpu >= guest.config().orElseThrow().most()) {
      throw new LibvirtError(
          "invalid argument: vcpu %d is out of range of persistent cpu count %d"
              .formatted(vcpu, guest.config().orElseThrow().most()));
    }
    if (live && vcpu >= guest.running().vcpus().size()) {
      throw new LibvirtError(
          "Operation not supported: setting cpu pinning for inactive vcpu '%d' is not supported"
              .formatted(vcpu));
    }
    if (live) {
      guest.running().definition().pin(vcpu, Optional.of(pcpus));
      guest.running().pinned();
      String cpus = guest.running().cpus(guest.running().definition().pin(vcpu));
      report(guest, "tunable", "\n\tcputune.vcpupin%d: %s".formatted(vcpu, cpus));
    }
    if (config) {
      guest.config().orElseThrow().pin(vcpu, Optional.of(pcpus));
    }
  }

  public synchronized void pinEmulator(
      LibvirtGuest guest, String pcpus, boolean live, boolean config) {
    if (live) {
      guest.running().definition().pinEmulator(Optional.of(pcpus));
      guest.running().pinned();
    }
    if (config) {
      guest.config().orElseThrow().pinEmulator(Optional.of(pcpus));
    }
  }

  /** Pins an I/O thread, counted from 0, in the running guest, in the configuration, or in both. */
  public synchronized void pinIoThread(
      LibvirtGuest guest, int thread, String pcpus, boolean live, boolean config) {
    if (live) {
      guest.running().definition().pinIoThread(thread, Optional.of(pcpus));
    }
    if (config) {
      guest.config().orElseThrow().pinIoThread(thread, Optional.of(pcpus));
    }
  }

  /** A libvirt error, with libvirt's message. */
  public static final class LibvirtError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LibvirtError(String message) {
      super(message, null, false, false);
    }

    public static LibvirtError notRunning() {
      return new LibvirtError("Requested operation is not valid: domain is not running");
    }
  }
}
