package io.slicewise.experiment;

import io.slicewise.ssh.SshLogin;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which machines' kernels are read, and how. It does not change what is measured.
 *
 * @param logins by domain, in the order of the file
 * @param series the time between readings in the window; empty for readings at its ends alone
 * @param needed the machines without which a trial does not count
 */
public record Watching(Map<String, Login> logins, Optional<Duration> series, List<String> needed) {
  /** The control domain or the host alone, at both ends. */
  public static final Watching NONE = new Watching(Map.of(), Optional.empty(), List.of());

  public Watching {
    logins = Collections.unmodifiableMap(new LinkedHashMap<>(logins));
    needed = List.copyOf(needed);
  }

  /** Returns a copy with other logins. */
  public Watching with(Map<String, Login> others) {
    return new Watching(others, series, needed);
  }

  /**
   * How to sign in to a machine whose kernel is read. It is a place: a resumed run may change it.
   *
   * @param address empty on an embedded lab, which has its own
   * @param service the systemd unit whose control group is read too
   * @param disks the disks to show; empty for all
   * @param storage whether the machine is a domain that serves disks, in dom0's place
   */
  public record Login(
      Optional<String> address,
      SshLogin ssh,
      Optional<String> service,
      List<String> disks,
      boolean storage) {
    public Login {
      disks = List.copyOf(disks);
    }

    /** Returns the same login at another place. */
    public Login at(String host, SshLogin there) {
      return new Login(Optional.of(host), there, service, disks, storage);
    }
  }
}
