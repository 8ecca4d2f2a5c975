package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.libvirt.GroupVersion;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Sweeps of an embedded host with libvirt, whose guests have awkward names and share one pCPU. */
abstract class SweepsOnLibvirt extends SweepsOnLab {
  static final String WEB = "web 1";

  /** A name that virsh would take for the id of {@link #WEB}. */
  static final String DB = "1";

  static final String OFF = "old";

  private static final String HEAD =
      """
      name: kvm
      host:
        address: 127.0.0.1
        user: root
        port: %d
        identity: %s
        known-hosts: %s
        hypervisor: libvirt
      domains: {main: [web 1], other: ["1"]}
      workload: observe
      baseline: as-found
      repetitions: 1
      warm-up: 0s
      ramp: 0s
      measure: 2s
      cool-down: 0s
      seed: 7
      limits: {lab-lateness: 9s}
      profiles:
        - as-found
      """;

  static final String HEAVY =
      """
        - {name: heavy, scheduler: cfs, main: {shares: 4000}}
      """;

  static LabOptions options(GroupVersion version) {
    return LabOptions.sshOnly()
        .withLibvirt(version)
        .withCpus(1, 1)
        .withGuests(LabGuest.burning(WEB, 1), LabGuest.burning(DB, 1), LabGuest.off(OFF, 1));
  }

  /** The same guests without work of their own. */
  static LabOptions idle() {
    return options(GroupVersion.V1).withGuests(LabGuest.of(WEB, 1), LabGuest.of(DB, 1));
  }

  /** Writes an experiment with the profile {@code as-found} and {@code profiles}. */
  final Path file(Lab lab, String profiles) {
    return file(lab, profiles, "root");
  }

  final Path file(Lab lab, String profiles, String user) {
    String text =
        HEAD.formatted(lab.sshPort(), lab.privateKey(), lab.knownHosts())
                .replace("user: root", "user: " + user)
                .replace("[\"1\"]", profiles.contains(OFF + ":") ? "[\"1\", old]" : "[\"1\"]")
            + profiles;
    try {
      return Files.writeString(Files.createTempFile(directory, "kvm", ".yaml"), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  final Experiment experiment(Lab lab, String profiles) {
    return LabExperiment.read(file(lab, profiles));
  }

  /** Returns an experiment whose profiles are windows of one session. */
  final Experiment switchback(Lab lab, String profiles) {
    Path file = file(lab, profiles);
    try {
      String text =
          Files.readString(file)
              .replace("measure: 2s\n", "")
              .replace(
                  "repetitions: 1\n",
                  "design: {kind: switchback, sessions: 1, blocks: 2, window: 1s, wash-out:"
                      + " 200ms}\n");
      return LabExperiment.read(Files.writeString(file, text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<TrialResult> valid(Sweep sweep) {
    return sweep.run().results().stream().filter(TrialResult::valid).toList();
  }

  /** Returns a guest's shares in the valid trial of a profile. */
  static DomainShares shares(Sweep sweep, String profile, String domain) {
    return valid(sweep).stream()
        .filter(one -> one.trial().profile().equals(profile))
        .flatMap(one -> one.shares().stream())
        .filter(shares -> shares.domain().equals(domain))
        .findFirst()
        .orElseThrow();
  }

  static double other(DomainShares shares, String reading) {
    return shares.others().stream()
        .filter(one -> one.name().equals(reading))
        .findFirst()
        .orElseThrow()
        .value();
  }
}
