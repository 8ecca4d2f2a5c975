package io.slicewise.lab;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.lab.daemon.LabKeys;
import io.slicewise.lab.daemon.SshDaemon;
import io.slicewise.lab.daemon.SshDaemon.CommandLog;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.FaultScript;
import io.slicewise.lab.guest.GuestHost;
import io.slicewise.lab.guest.Scene;
import io.slicewise.lab.guest.ServiceTimes;
import io.slicewise.lab.guest.ServiceTimes.StartScatter;
import io.slicewise.lab.guest.ServiceTools;
import io.slicewise.lab.host.Driver.Lateness;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Shell;
import io.slicewise.profile.Scheduler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.io.FileUtils;

/**
 * The embedded host: an SSH server on loopback whose commands act on a simulated machine, and real
 * servers whose CPU time that machine schedules. Clients reach it like a host in a rack.
 */
public final class Lab implements AutoCloseable {
  /** The time for which the host is down during a reboot. */
  public static final Duration REBOOT_TIME = Duration.ofMillis(1500);

  private static final long ANSWER_LEAVES_MILLIS = 100;

  private final LabOptions options;
  private final Path directory;
  private final HostFiles files;
  private final LabKeys keys;
  private final SshDaemon daemon;
  private final GuestHost host = new GuestHost();
  private final AtomicBoolean truncates = new AtomicBoolean();
  private final DirectoryLock lock;
  private Optional<Scene.Servers> servers = Optional.empty();
  private final GuestLogins logins;
  private final BackendFiles backends;
  private Boot boot;
  private Shell shell;
  private int boots;
  private boolean closed;

  private Lab(LabOptions options) throws IOException {
    this.options = options;
    directory = options.directory().orElseGet(Lab::temporaryDirectory);
    Files.createDirectories(directory);
    lock = DirectoryLock.take(directory);
    files = new HostFiles(directory.resolve("dom0"));
    keys = LabKeys.in(directory);
    daemon =
        new SshDaemon(
            keys,
            users(options),
            files,
            new FaultScript(options.faults()),
            this::inject,
            options.ports().ssh());
    backends = new BackendFiles(files);
    logins = new GuestLogins(options, directory, keys, this::service);
    boot = boot(options.bootScheduler().xenName());
  }

  /**
   * Returns the users of the host. A host with libvirt also has a member of libvirt's group and a
   * user outside it.
   */
  private static Set<String> users(LabOptions options) {
    return options.toolstack().isVirsh()
        ? Set.of(Invocation.ROOT, Invocation.MEMBER, "labnone")
        : Set.of(Invocation.ROOT);
  }

  /**
   * Starts a lab, which accepts connections when this method returns. If it cannot start,
   * everything already started is stopped.
   *
   * @throws UncheckedIOException if its directory or a port is not available
   * @throws io.slicewise.base.units.SlicewiseException if another lab uses the directory, or a
   *     server does not start
   */
  public static Lab start(LabOptions options) {
    try {
      Lab lab = new Lab(options);
      lab.open();
      return lab;
    } catch (IOException fault) {
      throw new UncheckedIOException("the lab could not start", fault);
    }
  }

  private synchronized void open() throws IOException {
    try {
      servers = options.site().servers() ? Optional.of(startServers()) : Optional.empty();
      daemon.up(freshShell());
      Files.writeString(knownHosts(), daemon.knownHostsLine() + "\n");
      if (options.toolstack().isXen()) {
        for (LabGuest guest : options.guests()) {
          logins.open(guest, boot);
          Files.writeString(knownHosts(), logins.knownHostsLine(guest), StandardOpenOption.APPEND);
        }
      }
    } catch (IOException | RuntimeException fault) {
      close();
      throw fault;
    }
  }

  private static Path temporaryDirectory() {
    try {
      return Files.createTempDirectory("slicewise-lab-");
    } catch (IOException fault) {
      throw new UncheckedIOException("no temporary directory for the lab", fault);
    }
  }

  private Boot boot(String asked) {
    Boot next = Boot.of(options, files, asked, boots++);
    host.booted(next.cpu(), next.costs(), next.domids(), next::carrier);
    backends.of(next);
    return next;
  }

  private Scene.Servers startServers() {
    LabOptions.Site site = options.site();
    return site.scene()
        .open(
            new Scene.Stage(
                directory,
                options.ports().http(),
                host,
                options.guests().stream()
                    .filter(guest -> !guest.burns())
                    .map(LabGuest::name)
                    .toList(),
                site.demands(),
                new ServiceTimes(
                    new SplittableRandom(options.seed()),
                    new StartScatter(
                        site.startScatter(),
                        new SplittableRandom(options.seed() + 1),
                        System::nanoTime)),
                site.visits(),
                options.hardware().disk()));
  }

  public int sshPort() {
    return daemon.port();
  }

  public LabToolstack toolstack() {
    return options.toolstack();
  }

  /**
   * Returns the port on which a guest lets {@link GuestLogins#USER} in with the lab's key, to read
   * its counters and nothing else.
   */
  public int loginPort(String guest) {
    return logins.port(guest);
  }

  /** Returns the names of the guests that can be signed in to. */
  public Set<String> logins() {
    return logins.guests();
  }

  /** Returns the file of root's private key, in OpenSSH's format. */
  public Path privateKey() {
    return keys.clientFile();
  }

  /** Returns the host key's fingerprint, {@code SHA256:…}. */
  public String fingerprint() {
    return daemon.fingerprint();
  }

  /** Returns a {@code known_hosts} file with the host key. */
  public Path knownHosts() {
    return directory.resolve("known_hosts");
  }

  /**
   * Returns the URI of the first request, or empty if the lab has no servers or they have no URI.
   */
  public Optional<URI> target() {
    return servers.flatMap(Scene.Servers::target);
  }

  /** Returns the workload options of an experiment that address this lab's servers. */
  public Map<String, Object> workloadOptions() {
    return servers.map(Scene.Servers::options).orElse(Map.of());
  }

  /** Returns the current settings, read from the machine itself. */
  public synchronized LabSettings settings() {
    return boot.settings();
  }

  /** Returns every command that has reached the host. */
  public List<CommandLog.Entry> commands() {
    return daemon.log().entries();
  }

  /** Returns the directory on the real machine that contains the control domain's files. */
  public Path fileSystem() {
    return files.root();
  }

  /** Returns how late the simulated machine has been since it booted. */
  public synchronized Lateness lateness() {
    return boot.driver().lateness();
  }

  /** Reboots into a scheduler and returns when the host answers again. */
  public void reboot(Scheduler scheduler) {
    reboot(scheduler.xenName());
  }

  /** Reboots into {@code asked}, or into the previous boot's scheduler if it is empty. */
  private synchronized void reboot(String asked) {
    if (closed) {
      return;
    }
    String scheduler = asked.isEmpty() ? boot.bootScheduler() : asked;
    daemon.down();
    logins.downAll();
    shell.killAll();
    host.abandon("the host reboots");
    boot.close();
    try {
      TimeUnit.NANOSECONDS.sleep(REBOOT_TIME.toNanos());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    boot = boot(scheduler);
    daemon.up(freshShell());
    logins.upAll(options.guests(), boot);
  }

  private Shell freshShell() {
    shell = boot.shell(options, files, truncates, this::rebootSoon);
    service(options.toolstack().isBare() ? names() : List.of())
        .ifPresent(service -> shell.tools().putAll(service.tools()));
    return shell;
  }

  private Optional<ServiceTools> service(List<String> guests) {
    return servers.map(running -> new ServiceTools(running, guests));
  }

  private List<String> names() {
    return options.guests().stream().map(LabGuest::name).toList();
  }

  /** Reboots on a thread of its own, after the reply to the requesting command has been sent. */
  private void rebootSoon(String asked) {
    CompletableFuture.delayedExecutor(ANSWER_LEAVES_MILLIS, TimeUnit.MILLISECONDS)
        .execute(() -> reboot(asked));
  }

  private void inject(LabFault fault) {
    switch (fault.kind()) {
      case FILL_DISK -> files.full(true);
      case CRASH_GUEST -> crash(fault.guest());
      case REBOOT_GUEST -> restart(fault.guest());
      case REBOOT_DOM0 -> rebootSoon("");
      case KILL_XENMON -> killXenmon();
      case TRUNCATE_XENMON -> truncates.set(true);
      case DROP_CONNECTION, REFUSE_COMMAND, IGNORE_SETTING, SLOW_NETWORK -> {}
      case LATE_PROBE, CLOCK_JUMP, NO_PSI, WRAP_DISKSTATS -> {} // at readings
    }
  }

  /** Destroys a guest, as {@code xl destroy} does. */
  public synchronized void destroy(String guest) {
    logins.down(guest);
    boot.destroy(guest(guest));
    backends.of(boot);
    host.abandon(guest + " is destroyed");
  }

  /** Starts a destroyed guest again, with the same name but a new domid and a new UUID. */
  public synchronized void create(String guest) {
    boot.createAnew(guest(guest));
    started(guest);
  }

  /** Reboots a guest, which keeps its UUID. */
  public synchronized void restart(String guest) {
    destroy(guest);
    boot.restart(guest(guest));
    started(guest);
  }

  private void started(String guest) {
    backends.of(boot);
    logins.up(guest(guest), boot);
  }

  private LabGuest guest(String name) {
    return options.guests().stream()
        .filter(guest -> guest.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("the lab has no guest " + name));
  }

  private synchronized void killXenmon() {
    boot.killMonitor();
  }

  private synchronized void crash(String guest) {
    logins.down(guest);
    boot.crash(guest);
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    daemon.close();
    logins.close();
    if (shell != null) {
      shell.killAll(); // remaining background processes
    }
    servers.ifPresent(Scene.Servers::close);
    host.abandon("the lab is closed");
    boot.close();
    lock.close();
    if (options.directory().isEmpty()) {
      removeDirectory();
    }
  }

  private void removeDirectory() {
    try {
      // A server that is shutting down removes its own files, which can make the first pass fail.
      if (!FileUtils.deleteQuietly(directory.toFile()) && Files.exists(directory)) {
        FileUtils.forceDelete(directory.toFile());
      }
    } catch (IOException fault) {
      throw new UncheckedIOException(
          "the lab's directory " + directory + " could not be removed", fault);
    }
  }

  /**
   * What blkback counts for each running guest's disk, in the control domain of a host with Xen.
   */
  private record BackendFiles(HostFiles files) {
    private static final String DEVICES = "/sys/bus/xen-backend/devices";
    private static final int XVDA = 51712;
    private static final List<String> COUNTERS =
        List.of("oo_req", "rd_req", "wr_req", "f_req", "ds_req", "rd_sect", "wr_sect");

    /** Presents the backends of the guests that run. */
    void of(Boot boot) {
      files.withdraw(DEVICES);
      if (boot instanceof XenBoot) {
        boot.domids().values().forEach(domid -> plug(boot, domid));
      }
    }

    private void plug(Boot boot, int domid) {
      for (String counter : COUNTERS) {
        files.generate(
            "%s/vbd-%d-%d/statistics/%s".formatted(DEVICES, domid, XVDA, counter),
            () -> boot.driver().ask(machine -> boot.disk().backend(machine, domid, counter)) + "\n",
            boot.driver().atOnce(),
            () -> {});
      }
    }
  }

  /**
   * A lock that keeps two labs out of one directory, where each would remove the other's database.
   * The operating system releases the lock when the process ends.
   */
  static final class DirectoryLock implements AutoCloseable {
    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
      this.channel = channel;
    }

    /**
     * Takes the lock.
     *
     * @throws SlicewiseException if another lab holds the lock
     */
    static DirectoryLock take(Path directory) throws IOException {
      FileChannel channel =
          FileChannel.open(
              directory.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!locked(channel)) {
        channel.close();
        throw new SlicewiseException(
            ErrorKind.LOCKED,
            "another lab uses the directory " + directory,
            "end that lab, or use another directory");
      }
      return new DirectoryLock(channel);
    }

    private static boolean locked(FileChannel channel) throws IOException {
      try {
        FileLock lock = channel.tryLock();
        return lock != null;
      } catch (OverlappingFileLockException heldByThisProcess) {
        return false;
      }
    }

    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException fault) {
        throw new UncheckedIOException("the lab's directory could not be unlocked", fault);
      }
    }
  }
}
