package io.slicewise.cli.options;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.screens.Question;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.experiment.Experiment;
import io.slicewise.load.generator.AllowedPlans;
import io.slicewise.load.generator.PlanCode;
import io.slicewise.sweep.LoadGenerators;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import picocli.CommandLine.Option;

/** Consent to a plan that runs code of its author, or loads servers that it names itself. */
public final class PlanCodeOption {
  @Option(
      names = "--allow-plan-code",
      description =
          "Let the experiment's JMeter plan or command run its scripts and programs with your"
              + " rights, and remember that for it.")
  private boolean allowed;

  @Option(
      names = "--allow-server",
      paramLabel = "HOST",
      description =
          "Let the experiment's JMeter plan load this server, which it names itself and which is not"
              + " the experiment's target. Can be repeated.")
  private List<String> servers = List.of();

  /** Asks at the terminal, unless the plan has consent or needs none; without one, refuses. */
  public void require(Experiment experiment, PrintWriter out) {
    requireCode(experiment, out);
    requireServers(experiment, sentence -> agreed(sentence, "Load it?", out));
  }

  /** Asks for the code alone, as of a run that has begun. */
  public void requireCode(Experiment experiment, PrintWriter out) {
    require(experiment, code -> agreed(code.sentence(), "Allow it, now and later?", out));
  }

  /** Refuses a plan that needs consent and has none. */
  public void requireUnasked(Experiment experiment) {
    require(experiment, code -> false);
    requireServers(experiment, sentence -> false);
  }

  private void requireServers(Experiment experiment, Predicate<String> asked) {
    Set<String> own = LoadGenerators.ownServers(experiment);
    own.removeAll(servers);
    String sentence = "the plan loads %s, which it names itself".formatted(String.join(", ", own));
    if (!own.isEmpty() && !asked.test(sentence)) {
      throw SlicewiseException.input(
          sentence,
          "if it may, add --allow-server "
              + String.join(" --allow-server ", own)
              + "; otherwise let the plan read the property host, ${__P(host)}");
    }
  }

  private void require(Experiment experiment, Predicate<PlanCode> asked) {
    PlanCode code = LoadGenerators.code(experiment).orElse(null);
    if (code == null || AllowedPlans.allow(code)) {
      return;
    }
    if (!allowed && !asked.test(code)) {
      throw SlicewiseException.input(
          code.sentence() + "; you have not allowed that",
          "read it, then allow it once with --allow-plan-code");
    }
    AllowedPlans.add(code);
  }

  private static boolean agreed(String sentence, String question, PrintWriter out) {
    if (!Terminal.isInteractive()) {
      return false;
    }
    out.println(sentence);
    return Question.agreed(out, question);
  }
}
