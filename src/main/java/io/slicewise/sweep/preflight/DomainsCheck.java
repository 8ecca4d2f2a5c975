package io.slicewise.sweep.preflight;

import io.slicewise.base.units.Plural;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Domain;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.profile.Role;
import io.slicewise.sweep.preflight.HostCheck.Reached;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks that the experiment's domains run on the host, each in the right pool. */
final class DomainsCheck {
  private DomainsCheck() {}

  static List<CheckResult> check(Experiment experiment, Reached host) {
    List<CheckResult> findings = new ArrayList<>();
    List<String> present = new ArrayList<>();
    Optional<String> wantedPool = experiment.host().flatMap(HostSpec::cpupool);
    for (Role role : Role.values()) {
      for (String name : experiment.domains().getOrDefault(role, List.of())) {
        Optional<Domain> domain =
            host.domains().stream().filter(each -> each.name().equals(name)).findFirst();
        if (domain.isPresent()) {
          present.add(words(domain.get()));
          elsewhere(domain.get(), role, wantedPool).ifPresent(findings::add);
        } else if (role != Role.DOM0 || host.hypervisor().kind().controlDomain().isPresent()) {
          findings.add(missing(name, host));
        }
      }
    }
    Set<String> set =
        experiment.pools().isEmpty()
            ? Set.of()
            : Setting.byName(host.hypervisor().settings()).keySet();
    experiment.pools().stream()
        .filter(pool -> !set.contains(pool))
        .map(
            pool ->
                CheckResult.blocking(
                    "cpupools",
                    "%s %s".formatted(pool, host.hypervisor().whyMissing(pool)),
                    "fix the name of the pool or the profile's scheduler"))
        .forEach(findings::add);
    if (!present.isEmpty()) {
      findings.add(0, CheckResult.ok("domains", String.join(", ", present)));
    }
    return findings;
  }

  private static String words(Domain domain) {
    return "%s (%s, %s)"
        .formatted(domain.name(), Plural.of(domain.vcpus(), "vCPU"), domain.cpupool());
  }

  private static CheckResult missing(String name, Reached host) {
    String there =
        host.domains().stream().map(Domain::name).sorted().collect(Collectors.joining(", "));
    return CheckResult.blocking(
        "domains",
        "domain %s %s".formatted(name, host.hypervisor().whyMissing(name)),
        "start it, or fix its name; running are: " + there);
  }

  private static Optional<CheckResult> elsewhere(
      Domain domain, Role role, Optional<String> wantedPool) {
    return wantedPool
        .filter(pool -> role != Role.DOM0 && !pool.equals(domain.cpupool()))
        .map(
            pool ->
                CheckResult.blocking(
                    "domains",
                    domain.name() + " runs in " + domain.cpupool() + ", not in " + pool,
                    "move it there with cpupool-migrate (its weight and cap are then reset), or set"
                        + " "
                        + domain.cpupool()
                        + " in the experiment"));
  }
}
