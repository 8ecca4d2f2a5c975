package io.slicewise.sweep;

import io.slicewise.base.units.Secret;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Generators;
import io.slicewise.experiment.Generators.GeneratorSpec;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.SessionPlan;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.load.generator.PlanCode;
import io.slicewise.load.generator.PlanFile;
import io.slicewise.load.generator.PlanNeeds;
import io.slicewise.load.spread.GeneratorMachine;
import io.slicewise.load.spread.JMeterServers;
import io.slicewise.load.spread.SplitPlan;
import io.slicewise.load.spread.SplitPlan.SplitFindings;
import io.slicewise.load.spread.SplitPlan.SplitRules;
import io.slicewise.load.spread.SpreadGenerator;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.Connection;
import io.slicewise.workload.Workloads;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Opens the load generators of an experiment. */
public final class LoadGenerators {
  private static final Duration SIGN_IN = Duration.ofMinutes(1);

  /** The password of JMeter's own script. */
  private static final Secret JMETERS = Secret.of("changeit");

  private LoadGenerators() {}

  /** Returns the generators of the experiment: this machine, or those that it names. */
  public static LoadGenerator of(Experiment experiment) {
    if (experiment.generators().isHere()) {
      return LoadGenerator.forked();
    }
    Optional<JMeterServers> servers = servers(experiment);
    return servers.isPresent()
        ? servers.get()
        : new SpreadGenerator(machines(experiment), rules(experiment));
  }

  /** Returns JMeter's own servers, if the experiment names any. */
  public static Optional<JMeterServers> servers(Experiment experiment) {
    return experiment
        .generators()
        .servers()
        .map(
            spec ->
                new JMeterServers(
                    spec.addresses(),
                    spec.keystore(),
                    spec.passwordFile().map(Secret::inFile).orElse(JMETERS),
                    spec.alias(),
                    rules(experiment)));
  }

  /** Returns the machines that the experiment names. */
  public static List<GeneratorMachine> machines(Experiment experiment) {
    return experiment.generators().machines().stream().map(LoadGenerators::machine).toList();
  }

  /** Returns what may differ between the experiment's generators and a single one. */
  public static SplitRules rules(Experiment experiment) {
    Generators generators = experiment.generators();
    return new SplitRules(generators.each(), !generators.sameData(), generators.samplesStay());
  }

  /** Returns the experiment's plan; empty if it has none. */
  public static Optional<Path> plan(Experiment experiment) {
    WorkloadSpec workload = experiment.workload();
    return workload.plan().or(() -> Workloads.shippedPlan(workload.name()));
  }

  /**
   * Returns what in the experiment's plan, or in the place of one, runs code; empty if nothing
   * does.
   *
   * @throws io.slicewise.base.units.SlicewiseException if its file is no JMeter plan
   */
  public static Optional<PlanCode> code(Experiment experiment) {
    WorkloadSpec workload = experiment.workload();
    return plan(experiment)
        .map(plan -> PlanCode.of(plan, workload.properties()))
        .or(() -> workload.command().map(LoadGenerators::code))
        .filter(code -> !code.parts().isEmpty());
  }

  /**
   * Returns the servers that the experiment's plan loads because it names them itself: neither the
   * target nor this machine.
   */
  public static Set<String> ownServers(Experiment experiment) {
    Set<String> own = new TreeSet<>();
    plan(experiment).map(PlanFile::read).map(PlanFile::servers).ifPresent(own::addAll);
    own.removeIf(server -> server.equals("localhost") || server.startsWith("127."));
    experiment.workload().target().map(URI::getHost).ifPresent(own::remove);
    return own;
  }

  /** Returns what ends the users of the experiment's plan early, and what it lacks. */
  public static Optional<PlanNeeds> needs(Experiment experiment) {
    Duration load = experiment.warmUp().plus(measured(experiment));
    boolean elsewhere = experiment.generators().servers().isPresent();
    return plan(experiment)
        .map(plan -> PlanNeeds.of(plan, experiment.workload().properties(), load))
        .map(needs -> elsewhere ? new PlanNeeds(needs.ends(), List.of()) : needs);
  }

  /** Returns how long a load is measured: for a window, or for all windows of a session. */
  private static Duration measured(Experiment experiment) {
    return experiment
        .design()
        .map(
            design -> {
              int windows =
                  design.pairs().isPresent()
                      ? 2
                      : SessionPlan.boots(experiment).stream().mapToInt(List::size).max().orElse(1);
              Duration all =
                  Plan.trialTime(experiment).multipliedBy((long) windows * design.blocks());
              return design
                  .pairs()
                  .map(pairs -> pairs.most().time())
                  .filter(night -> night.compareTo(all) < 0)
                  .orElse(all);
            })
        .orElse(experiment.measure());
  }

  private static PlanCode code(List<String> words) {
    return PlanCode.ofCommand(words, Command.changing(words).shown());
  }

  /** Returns what is to be said about the plan on the experiment's generators. */
  public static SplitFindings findings(Experiment experiment) {
    List<GeneratorMachine> machines = machines(experiment);
    Map<String, String> properties = experiment.workload().properties();
    List<Integer> loads = experiment.users();
    Optional<SplitFindings> findings =
        machines.size() > 1
            ? plan(experiment)
                .map(
                    plan ->
                        SplitPlan.findings(plan, properties, rules(experiment), machines, loads))
            : plan(experiment)
                .flatMap(
                    plan ->
                        servers(experiment)
                            .map(servers -> servers.faults(plan, properties, loads))
                            .map(faults -> new SplitFindings(faults, List.of())));
    return findings.orElse(new SplitFindings(List.of(), List.of()));
  }

  /** Refuses a plan that the experiment's generators cannot share; contacts nothing. */
  public static void check(Experiment experiment) {
    plan(experiment).ifPresent(findings(experiment)::refuse);
  }

  /** Returns how a machine is reached. */
  public static GeneratorMachine machine(GeneratorSpec spec) {
    return new GeneratorMachine(
        spec.name(),
        spec.local()
            ? Optional.empty()
            : Optional.of(new Connection(spec.address(), spec.login(), SIGN_IN)),
        spec.share(),
        spec.java());
  }
}
