package io.slicewise.cli.commands;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.FindingLines;
import io.slicewise.experiment.Generators.GeneratorSpec;
import io.slicewise.experiment.ValidityLimits;
import io.slicewise.load.spread.GeneratorMachine;
import io.slicewise.load.spread.LoadCalibration;
import io.slicewise.load.spread.LoadCapacity;
import io.slicewise.load.spread.MachineFacts;
import io.slicewise.load.spread.SplitPlan.SplitRules;
import io.slicewise.load.spread.SpreadGenerator;
import io.slicewise.load.spread.SpreadGenerator.Looked;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.StudentInterval;
import io.slicewise.sweep.LoadGenerators;
import io.slicewise.sweep.preflight.CheckResult;
import io.slicewise.sweep.preflight.GeneratorsCheck;
import io.slicewise.sweep.preflight.MachineNeeds;
import io.slicewise.sweep.preflight.Preflight;
import io.slicewise.workload.Workloads;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise generator}: looks at machines that generate load. */
@Command(
    name = "generator",
    mixinStandardHelpOptions = true,
    description = "Checks load generators and measures how much load they can generate.",
    subcommands = GeneratorCommand.Check.class)
public final class GeneratorCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Missing command: slicewise generator check ADDRESS");
  }

  /** {@code slicewise generator check ADDRESS…}. */
  @Command(
      name = "check",
      mixinStandardHelpOptions = true,
      description = {
        "Shows what machines lack to generate load, and measures how many requests per second they"
            + " carry within the limits of a valid trial, against a page of their own. Leaves only"
            + " its program there, in ~/.cache/slicewise.",
        "Exits with 0 if all can generate load, and with 3 if something is missing."
      })
  static final class Check implements Callable<Integer> {
    private static final double CONFIDENCE = 0.95;

    @Parameters(
        paramLabel = "ADDRESS",
        arity = "1..*",
        description = "[user@]host[:port], an alias of ~/.ssh/config, or local.")
    private List<String> addresses;

    @Option(
        names = "--rounds",
        paramLabel = "N",
        defaultValue = "3",
        description =
            "How often the load is measured, after a coarse first time; 0 = not at all (default:"
                + " ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
        names = "--seconds",
        paramLabel = "N",
        defaultValue = "40",
        description = "How long the load increases in a round (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
        names = "--identity",
        paramLabel = "FILE",
        description = "A private key file (default: SSH's choice).")
    private Optional<Path> identity = Optional.empty();

    @Option(
        names = "--known-hosts",
        paramLabel = "FILE",
        description = "The file of known host keys (default: SSH's own).")
    private Optional<Path> knownHosts = Optional.empty();

    @Option(
        names = "--java",
        paramLabel = "PROGRAM",
        defaultValue = GeneratorSpec.JAVA,
        description = "The program that starts a JVM there (default: ${DEFAULT-VALUE}).")
    private String java;

    @Mixin private OutputOptions output;
    @Spec private CommandSpec spec;

    /** What was found of a machine; the output with {@code --format json}. */
    record Checked(
        String generator,
        Optional<MachineFacts> facts,
        List<CheckResult> findings,
        List<LoadCalibration.Round> rounds,
        Optional<LoadCapacity> capacity) {}

    @Override
    public Integer call() {
      List<GeneratorMachine> machines = addresses.stream().map(this::machine).toList();
      List<Checked> checked = new ArrayList<>();
      try (SpreadGenerator all = new SpreadGenerator(machines, new SplitRules(true, false))) {
        List<Looked> looked = all.look();
        List<CheckResult> twice = GeneratorsCheck.sameMachine(looked);
        for (int place = 0; place < machines.size(); place++) {
          Looked one = looked.get(place);
          List<CheckResult> findings = new ArrayList<>(MachineNeeds.of(one));
          findings.addAll(place == 0 ? twice : List.of());
          checked.add(measured(machines.get(place), one, findings));
        }
      }
      List<CheckResult> findings =
          checked.stream().flatMap(one -> one.findings().stream()).toList();
      output.print(checked, () -> FindingLines.of(findings));
      return (Preflight.blocks(findings) ? ExitCode.PREFLIGHT : ExitCode.OK).code();
    }

    private GeneratorMachine machine(String address) {
      return GeneratorSpec.at(address, identity, knownHosts, 1, java)
          .map(LoadGenerators::machine)
          .orElseThrow(
              () ->
                  SlicewiseException.input(
                      "'%s' is not the address of a machine".formatted(address),
                      "write [user@]host[:port], an alias of ~/.ssh/config, or local"));
    }

    private Checked measured(GeneratorMachine machine, Looked looked, List<CheckResult> findings) {
      if (rounds == 0 || Preflight.blocks(findings)) {
        return new Checked(machine.name(), looked.facts(), findings, List.of(), Optional.empty());
      }
      progress(machine);
      List<LoadCalibration.Round> measured =
          new LoadCalibration(
                  machine,
                  Workloads.shippedPlan("page").orElseThrow(),
                  new LoadCalibration.Limits(
                      ValidityLimits.DEFAULT.generator().latenessMillis(),
                      ValidityLimits.DEFAULT.generator().cpuShare()),
                  Duration.ofSeconds(seconds))
              .measure(rounds);
      LoadCapacity capacity = capacity(measured);
      capacity.remember(machine.name());
      findings.add(GeneratorsCheck.capacity(machine.name(), capacity, measured));
      return new Checked(machine.name(), looked.facts(), findings, measured, Optional.of(capacity));
    }

    private void progress(GeneratorMachine machine) {
      if (!output.quiet()) {
        PrintWriter err = spec.commandLine().getErr();
        err.printf(
            "%s: measuring its load, up to %d s%n", machine.name(), (rounds + 1) * (seconds + 5));
      }
    }

    private static LoadCapacity capacity(List<LoadCalibration.Round> rounds) {
      Estimate rate =
          StudentInterval.of(
              CONFIDENCE, rounds.stream().mapToDouble(round -> round.last().perSecond()).toArray());
      return new LoadCapacity(
          rate.mean(),
          rate.low(),
          rate.high(),
          rate.n(),
          rounds.stream().anyMatch(LoadCalibration.Round::reached),
          Instant.now());
    }
  }
}
