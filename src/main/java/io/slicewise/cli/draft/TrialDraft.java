package io.slicewise.cli.draft;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.YamlWriter;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.HostDescription;
import io.slicewise.host.Hypervisor.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The experiment of a trial of one setting: pairs of windows, in an order that coins decide. */
public final class TrialDraft {
  private static final Pattern PLACE = Pattern.compile("(?m)^.*?trial\\.yaml:(\\d+(:\\d+)?:)? ?");

  /** A host whose batch guest competes with the three guests of a site. */
  private static final YamlWriter LAB =
      new YamlWriter()
          .put("version", "xl-4.17")
          .put("xenmon", false)
          .put("demand-factor", 0.5)
          .put("scheduler", "credit")
          .put(
              "guests",
              List.of(
                  guest("web", 1, false),
                  guest("files", 2, false),
                  guest("db", 2, false),
                  guest("batch", 4, true)));

  /** The guests of the lab through which requests pass. */
  public static final List<String> SITE = List.of("web", "files", "db");

  private static final YamlWriter LATE =
      new YamlWriter()
          .put("generator-cpu", "100%")
          .put("generator-lateness", "50ms")
          .put("lab-lateness", "50ms");

  /** Fewer pairs decide nothing. */
  public static final int FEWEST_PAIRS = 8;

  private TrialDraft() {}

  private static YamlWriter guest(String name, int vcpus, boolean burns) {
    return new YamlWriter().put("name", name).put("vcpus", vcpus).put("burns", burns);
  }

  /** What judges the setting. */
  public sealed interface Judge {
    /** The lab's site, loaded by users at once. */
    record Site(int users) implements Judge {}

    /** A page, fetched by users at once. */
    record Page(String url, int users, Path plan) implements Judge {}

    /** The access log of a site with users of its own, on the host. */
    record Log(String path, String format) implements Judge {}

    /** How long a command takes. */
    record Run(String command, Duration takes) implements Judge {}

    /** How long a guest waits for pCPUs. */
    record Wait(String guest) implements Judge {}
  }

  /** Returns a host of no file's with a site and its visitors, to look at. */
  public static Experiment visitedLab() {
    YamlWriter top = new YamlWriter().put("name", "look").put("lab", LAB);
    return read(
        top.put("domains", new YamlWriter().put("main", SITE).put("other", List.of("batch")))
            .put("profiles", List.of("as-found"))
            .put("workload", "traffic")
            .put("design", new YamlWriter().put("kind", "pairs").put("observe", true))
            .put("goal", "lowest outcome geometric-mean"));
  }

  /** Returns an experiment that reads the lab's host and nothing else. */
  public static Experiment lab() {
    return read(
        new YamlWriter()
            .put("name", "try")
            .put("lab", LAB)
            .put("domains", new YamlWriter().put("main", SITE))
            .put("profiles", List.of("as-found"))
            .put("workload", "web-app")
            .put("users", 1));
  }

  /**
   * Returns the experiment of a trial.
   *
   * @param host empty for the lab
   * @param judged the guests through which requests pass, or whose wait is measured
   * @param measured the time of a window; empty for the usual one
   * @param most after which it ends undecided
   * @throws SlicewiseException if the host or the guests cannot have the settings
   */
  public static Experiment of(
      Optional<HostSpec> host,
      HostDescription description,
      List<Setting> found,
      List<TriedSetting> tried,
      List<String> judged,
      Judge judge,
      Optional<Duration> measured,
      Duration most) {
    Map<String, Object> domains = new LinkedHashMap<>();
    tried.forEach(one -> domains.put(one.guest(), one.parameters(description, found)));
    List<String> others = new ArrayList<>(domains.keySet());
    others.removeAll(judged);
    YamlWriter top = new YamlWriter().put("name", "try");
    host.ifPresentOrElse(spec -> host(spec, judge, top), () -> top.put("lab", LAB));
    top.put("domains", new YamlWriter().put("main", judged).put("other", others))
        .put(
            "profiles",
            List.of(
                "as-found",
                new YamlWriter()
                    .put("name", "tried")
                    .put("scheduler", TriedSetting.scheduler(tried, found).xenName())
                    .put("domains", domains)));
    workload(judge, top);
    boolean lab = host.isEmpty();
    Duration window = measured.orElseGet(() -> window(judge, lab));
    Duration washOut = lab ? Duration.ofMillis(500) : Duration.ofSeconds(2);
    long pairs = most.dividedBy(window.plus(washOut).multipliedBy(2));
    if (pairs < FEWEST_PAIRS) {
      throw SlicewiseException.input(
          "%s are too short for %d pairs of windows of %s, without which nothing is decided"
              .formatted(DurationText.spaced(most), FEWEST_PAIRS, DurationText.spaced(window)),
          "give it more time: --at-most "
              + DurationText.of(
                  Duration.ofMinutes(
                      1 + window.plus(washOut).multipliedBy(2L * FEWEST_PAIRS).toMinutes())));
    }
    top.put(
            "design",
            new YamlWriter()
                .put("kind", "pairs")
                .put("window", window)
                .put("wash-out", washOut)
                .put("at-most", new YamlWriter().put("pairs", pairs).put("time", most))
                .put("harm", new YamlWriter().put("time", most.dividedBy(2))))
        .put("ramp", lab ? "1s" : "0s")
        .put("warm-up", judge instanceof Judge.Log ? "40s" : lab ? "2s" : "5s");
    if (lab) {
      top.put("limits", LATE);
    }
    return read(top);
  }

  private static Duration window(Judge judge, boolean lab) {
    if (judge instanceof Judge.Run run) {
      // The shortest window of a pair is 20 % shorter, and the command has to end within it.
      return Duration.ofSeconds(2 + (long) Math.ceil(2.0 * run.takes().toMillis() / 1e3));
    }
    return Duration.ofSeconds(lab ? 2 : 10);
  }

  private static void host(HostSpec spec, Judge judge, YamlWriter top) {
    YamlWriter host = new YamlWriter();
    if (spec.local()) {
      host.put("local", true);
    } else {
      host.put("address", spec.address());
    }
    if (spec.sudo()) {
      host.put("sudo", true);
    }
    host.put("hypervisor", spec.hypervisor());
    if (judge instanceof Judge.Log) {
      host.put("dead-man", "1m");
    }
    top.put("host", host);
  }

  private static void workload(Judge judge, YamlWriter top) {
    if (judge instanceof Judge.Site site) {
      top.put("workload", "web-app").put("users", site.users()).put("goal", "lowest mean");
    } else if (judge instanceof Judge.Page page) {
      top.put(
              "workload",
              new YamlWriter()
                  .put("name", "plan")
                  .put("plan", page.plan().toString())
                  .put("target", page.url()))
          .put("users", page.users())
          .put("goal", "lowest mean");
    } else if (judge instanceof Judge.Log log) {
      top.put(
              "workload",
              new YamlWriter()
                  .put("name", "traffic")
                  .put("log", new YamlWriter().put("path", log.path()).put("format", log.format())))
          .put("goal", "lowest outcome geometric-mean");
    } else if (judge instanceof Judge.Run run) {
      top.put(
              "workload",
              new YamlWriter()
                  .put("name", "command")
                  .put("command", timed(run.command()))
                  .put(
                      "measures",
                      new YamlWriter()
                          .put("seconds", new YamlWriter().put("unit", "s").put("better", "less"))))
          .put("goal", "lowest outcome seconds");
    } else if (judge instanceof Judge.Wait wait) {
      top.put("workload", "observe").put("goal", "lowest wait share of " + wait.guest());
    }
  }

  /** Returns the words that run a command of a shell and print at last how long it took. */
  public static List<String> timed(String command) {
    return List.of(
        "sh",
        "-c",
        "t=$(date +%s.%N); sh -c \"$1\" >&2 || exit; date +%s.%N | awk -v t=\"$t\" '{printf"
            + " \"%.3f\\n\", $1 - t}'",
        "timed",
        command);
  }

  private static Experiment read(YamlWriter top) {
    try {
      Path directory = Files.createTempDirectory("slicewise-try-");
      Path file = directory.resolve("trial.yaml");
      try {
        return EmbeddedHost.read(Files.writeString(file, top.text()));
      } catch (SlicewiseException fault) {
        throw SlicewiseException.input(
            PLACE.matcher(fault.getMessage()).replaceAll(""), fault.hint(), fault);
      } finally {
        Files.deleteIfExists(file);
        Files.deleteIfExists(directory);
      }
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.STORAGE,
          "cannot draw up the trial: " + FileFault.reason(fault),
          "see that the directory for temporary files has space",
          fault);
    }
  }
}
