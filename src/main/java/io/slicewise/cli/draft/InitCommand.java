package io.slicewise.cli.draft;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Suggestion;
import io.slicewise.cli.draft.DraftPlace.Virtual;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.load.access.LineFormats;
import io.slicewise.workload.Traffic;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.Workloads;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code slicewise init}: writes a commented experiment for a workload, a custom plan or a study.
 */
@Command(
    name = "init",
    mixinStandardHelpOptions = true,
    description =
        "Writes a commented experiment for a workload or a JMeter plan, with all its options; or"
            + " for a study: overhead, interference. It runs on the embedded lab at once, or on the"
            + " host that --host names.")
public final class InitCommand implements Callable<Integer> {
  private static final String PLAN = ".jmx";

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PLAN.jmx|WORKLOAD|STUDY",
      description = "A JMeter plan, or the name of a workload or a study.")
  private String subject;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "File to create; it must not exist yet (default: standard output).")
  private Optional<Path> output = Optional.empty();

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Write it for this host instead of the embedded lab.")
  private Optional<String> host = Optional.empty();

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = "Of traffic: the access log, on its machine.")
  private Optional<String> log = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = "Of traffic: nginx, apache, haproxy, caddy, json or pattern (default: nginx).")
  private Optional<String> format = Optional.empty();

  @Option(
      names = "--hypervisor",
      paramLabel = "xen|libvirt|none",
      defaultValue = "xen",
      description =
          "The hypervisor of the host or of the lab (default: ${DEFAULT-VALUE}); none is the bare"
              + " machine of the study overhead.")
  private DraftPlace.Virtual hypervisor;

  @Override
  public Integer call() {
    checkLog();
    Optional<Path> besides = output.map(Path::toAbsolutePath).map(Path::getParent);
    Optional<String> study = StudyDraft.of(subject, address(), hypervisor);
    Optional<ExperimentDraft> draft =
        study.isPresent() ? Optional.empty() : Optional.of(draft(besides));
    String text = study.or(() -> draft.map(ExperimentDraft::text)).orElseThrow();
    PrintWriter out = spec.commandLine().getOut();
    if (output.isEmpty()) {
      out.print(text);
    } else {
      write(output.get(), text);
      out.println("wrote " + output.get());
      out.println(
          "next  " + next(output.get(), draft.map(ExperimentDraft::servers).orElse(Set.of())));
      advice().ifPresent(lines -> out.println("add to the server's configuration:\n" + lines));
    }
    return ExitCode.OK.code();
  }

  /**
   * Returns what to do with the file next.
   *
   * @param servers that the plan names itself
   */
  private String next(Path file, Set<String> servers) {
    if (!isOnLab()) {
      return "enter your host and guests%s, then: slicewise %s %s"
          .formatted(
              isLive() && !hasLog() ? ", and what is counted" : "",
              isLive() ? "doctor" : "plan",
              file);
    }
    return servers.isEmpty()
        ? "slicewise run %s runs it on the embedded lab".formatted(file)
        : "the plan loads %s, not the lab: let it read the property host, ${__P(host)}, then: slicewise plan %s"
            .formatted(String.join(", ", servers), file);
  }

  private boolean isLive() {
    return Workloads.type(subject).filter(WorkloadType::live).isPresent();
  }

  private boolean hasLog() {
    return subject.equals(Traffic.NAME);
  }

  private void checkLog() {
    if (!hasLog() && (log.isPresent() || format.isPresent())) {
      throw SlicewiseException.input(
          "--log and --format belong to the workload traffic, not to " + subject,
          "leave them out, or: slicewise init traffic --log FILE");
    }
    if (format.isPresent() && !LineFormats.NAMES.contains(format.get())) {
      throw SlicewiseException.input(
          "'%s' is not a format of access logs".formatted(format.get()),
          "use one of " + String.join(", ", LineFormats.NAMES));
    }
  }

  private String formatName() {
    return format.orElse(LineFormats.NAMES.get(0));
  }

  private String logFile() {
    return log.orElse("/var/log/nginx/slicewise.log");
  }

  /** Returns what the server's configuration needs so that its log has durations. */
  private Optional<String> advice() {
    return hasLog() ? LineFormats.advice(formatName(), logFile()) : Optional.empty();
  }

  /** Returns the address of the host; empty for the lab, which an installation may lack. */
  private Optional<String> address() {
    boolean lab = host.isEmpty() && !isLive() && EmbeddedHost.isInstalled();
    return lab ? Optional.empty() : Optional.of(host.orElse("dom0"));
  }

  private boolean isOnLab() {
    return address().isEmpty();
  }

  private DraftPlace place(WorkloadType type) {
    if (type.live()) {
      return DraftPlace.live(
          address().orElseThrow(),
          hypervisor,
          hasLog()
              ? Optional.of("{path: %s, format: %s}".formatted(quoted(), formatName()))
              : Optional.empty());
    }
    return address()
        .map(address -> DraftPlace.host(address, hypervisor))
        .orElseGet(() -> DraftPlace.lab(type, hypervisor));
  }

  private ExperimentDraft draft(Optional<Path> besides) {
    if (hypervisor == DraftPlace.Virtual.NONE) {
      throw SlicewiseException.input(
          "a machine without a hypervisor has no settings to compare",
          "leave --hypervisor out, or write the study of one: slicewise init overhead"
              + " --hypervisor none");
    }
    if (subject.endsWith(PLAN)) {
      return ExperimentDraft.ofPlan(
          Path.of(subject), besides, place(Workloads.type("plan").orElseThrow()));
    }
    WorkloadType type =
        Workloads.type(subject)
            .orElseThrow(
                () ->
                    SlicewiseException.input(
                        "'%s' is neither a plan (a .jmx file) nor a workload nor a study%s"
                            .formatted(subject, Suggestion.of(subject, known())),
                        "workloads are %s; studies are %s"
                            .formatted(
                                String.join(", ", Workloads.names()),
                                String.join(", ", StudyDraft.NAMES))));
    if (type.plan() == WorkloadType.Need.MUST) {
      throw SlicewiseException.input(
          "workload '" + subject + "' needs a JMeter plan",
          "name the file: slicewise init YOURS.jmx");
    }
    return ExperimentDraft.ofWorkload(type, place(type));
  }

  /** Returns the log's path as a value of YAML. */
  private String quoted() {
    return "\"" + logFile().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  private static List<String> known() {
    return Stream.concat(Workloads.names().stream(), StudyDraft.NAMES.stream()).toList();
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException taken) {
      throw SlicewiseException.input(
          file + " already exists and was not changed", "name another file with -o", taken);
    } catch (IOException fault) {
      throw SlicewiseException.input(
          file + " cannot be written: " + FileFault.reason(fault), "name another place", fault);
    }
  }

  /** The experiment of a study to start from, with comments. */
  private static final class StudyDraft {
    private static final String OVERHEAD =
        """
      # The overhead study: how much longer each query takes in a guest than on the same machine without
      # a hypervisor, and where the time goes (docs/studies/overhead.md). This file is one boot of the
      # guest's host; 'slicewise init overhead --hypervisor none' writes one of the bare machine, which is
      # booted with maxcpus= and mem= of the guest. Run both in turn, five times each, then:
      #   slicewise study overhead results/overhead-*
      name: overhead
      host:
        address: dom0                # a host name, an address, or an SSH alias
      domains:
        main: [database]             # the guest with PostgreSQL
      logins:                        # how to look into the guest (docs/observers.md)
        database: {address: database, user: bench}
      profiles: [as-found]
      workload:
        name: tpch
        database: jdbc:postgresql://database/bench
        database-user: bench         # its password: SLICEWISE_DATABASE_PASSWORD
        scale: 1                     # 1 GB of rows
        keep-data: true              # loaded and checked once
        each: query                  # a trial for each query, so that counters belong to it alone
        measure: work                # a trial ends with its last answer
        within: 30m                  # and does not count if that takes longer
        passes: 5                    # executions of a trial: at least five, and 10 seconds of work
        state: warm                  # checked; each query runs once before
        connection: one              # query: a new connection for each, which costs page faults
        instrument: statements       # PostgreSQL's own times and faults, of further executions
      #  queries: [q01, q06]         # default: all 22
      #  cold:                       # for the cold arm, a run of its own: state: cold, passes: 1
      #    - {on: database, user: root, command: [systemctl, stop, postgresql]}
      #    - {on: database, user: root, command: [sysctl, vm.drop_caches=3]}
      #    - {on: dom0, user: root, command: [sysctl, vm.drop_caches=3]}
      #    - {on: database, user: root, command: [systemctl, start, postgresql]}
      users: 1                       # one stream: its time is that of one vCPU
      repetitions: 3                 # passes of this boot; boots are the repetitions of the study
      """;

    private static final String INTERFERENCE =
        """
      # The interference study: whether a guest's reads are slow because of its neighbours, and what that
      # costs (docs/studies/interference.md). Then:
      #   slicewise study interference results/interference-…
      name: interference
      host:
        address: dom0                # a host name, an address, or an SSH alias
      domains:
        main: [database]             # the guest that is measured
        other: [other-1, other-2, other-3]
      logins:                        # how to look into guests (docs/observers.md)
        database: {address: database, user: bench}
      profiles: [as-found]
      workload:
        name: tpcb
        database: jdbc:postgresql://database/bench
        database-user: bench         # its password: SLICEWISE_DATABASE_PASSWORD
        memory: 1.25x                # of the guest's: does not fit into it, so that it reads
        interference: [0, 1, 2, 3]   # neighbours at work; 0 is the reference of each block
        interference-clients: 4      # on each of them
        verify: true                 # per block, four more trials without neighbours: does the study blame them?
        others:
          - {name: other-1, database: "jdbc:postgresql://other-1/bench", database-user: bench}
          - {name: other-2, database: "jdbc:postgresql://other-2/bench", database-user: bench}
          - {name: other-3, database: "jdbc:postgresql://other-3/bench", database-user: bench}
      users: 4
      repetitions: 30                # blocks, as in the publication; intervals are over them
      ramp: 0s
      warm-up: 10s
      measure: 30s
      """;

    private static final String HOST =
        """
      host:
        address: dom0                # a host name, an address, or an SSH alias
      """;

    /** What differs on the bare machine: text of the draft, and its replacement. */
    private static final Map<String, String> BARE =
        Map.of(
            "This file is one boot of the\n"
                + "# guest's host; 'slicewise init overhead --hypervisor none' writes one of the bare"
                + " machine, which is\n"
                + "# booted with maxcpus=",
            "This file is one boot of the\n"
                + "# bare machine; 'slicewise init overhead' writes one of the guest's host. Boot the"
                + " machine with maxcpus=\n"
                + "#",
            "name: overhead\n",
            "name: overhead-base\n",
            HOST,
            HOST.replace("dom0", "base") + "  hypervisor: none             # the bare machine\n",
            "main: [database]             # the guest with PostgreSQL\n",
            "main: [base]                 # the machine itself\n",
            """
          logins:                        # how to look into the guest (docs/observers.md)
            database: {address: database, user: bench}
          """,
            "",
            "#    - {on: dom0, user: root, command: [sysctl, vm.drop_caches=3]}\n",
            "",
            "postgresql://database/",
            "postgresql://base/",
            "{on: database,",
            "{on: base,");

    /** What differs on the embedded lab: text of the drafts, and its replacement. */
    private static final Map<String, String> ON_LAB =
        Map.ofEntries(
            Map.entry("[database]", "[Database]"),
            Map.entry("[other-1, other-2, other-3]", "[Other_1, Other_2, Other_3]"),
            Map.entry("  database: {address: database, user: bench}", "  Database: {}"),
            Map.entry("  database: jdbc:", "  # database: jdbc:"),
            Map.entry(
                "  database-user: bench         # its", "  # database-user: bench       # its"),
            Map.entry("  others:\n", "  # others:\n"),
            Map.entry("    - {name: other-", "  #   - {name: other-"),
            Map.entry("scale: 1                     # 1 GB of rows", "scale: 0.01 # on a host: 1"),
            Map.entry("#  queries: [q01, q06]  ", "  queries: [q01, q06]  "),
            Map.entry(
                "memory: 1.25x                # of", "scale: 1 # on a host, memory: 1.25x of"),
            Map.entry("verify: true                 # per", "# verify: true               # per"),
            Map.entry(
                "  instrument: statements       #", "  # instrument: statements     # on a host:"),
            Map.entry(
                "passes: 5                    #", "passes: 100                  # on a host, 5:"),
            Map.entry(
                "boots are the repetitions of the study\n",
                "boots are the repetitions of the study\n"
                    + "# The lab and the generator share this machine. On a host, leave the limits"
                    + " out.\n"
                    + "limits: {generator-gc: 20%, generator-lateness: 50ms, lab-lateness: 50ms}\n"),
            Map.entry("repetitions: 30 ", "repetitions: 3  "),
            Map.entry("warm-up: 10s", "warm-up: 4s"),
            Map.entry(
                "measure: 30s",
                "measure: 4s\nlimits: {littles-law: 20%, generator-lateness: 50ms}"));

    private static final Map<String, String> DRAFTS =
        Map.of("overhead", OVERHEAD, "interference", INTERFERENCE);

    /** The names of the studies. */
    static final List<String> NAMES = List.of("overhead", "interference");

    private StudyDraft() {}

    /**
     * Returns the experiment of a study for a host, or for the lab; empty if no study has the name.
     */
    static Optional<String> of(String study, Optional<String> host, Virtual hypervisor) {
      if (!DRAFTS.containsKey(study)) {
        return Optional.empty();
      }
      boolean bare = hypervisor == Virtual.NONE;
      refuse(study, host, hypervisor);
      String draft = bare ? replaced(DRAFTS.get(study), BARE) : DRAFTS.get(study);
      return Optional.of(
          host.map(address -> draft.replaceFirst("address: (dom0|base)", "address: " + address))
              .orElseGet(() -> onLab(draft, study, bare)));
    }

    private static void refuse(String study, Optional<String> host, Virtual hypervisor) {
      if (hypervisor == Virtual.NONE && !study.equals("overhead")) {
        throw SlicewiseException.input(
            "a machine without a hypervisor has no neighbours", "leave --hypervisor out");
      }
      if (hypervisor == Virtual.LIBVIRT && host.isEmpty()) {
        throw SlicewiseException.input(
            "a study reads its guest's counters, and the lab's guests under libvirt let nobody in",
            "leave --hypervisor out, or name a host with --host");
      }
    }

    private static String onLab(String draft, String study, boolean bare) {
      String lab =
          bare
              ? "hypervisor: none"
              : study.equals("interference")
                  ? "pcpus: 2, dom0-vcpus: 2, disk: {seek: 3ms, working-set: 1.25}"
                  : "pcpus: 2, dom0-vcpus: 2, overhead: {cpu: 20, fault: 4us}";
      return replaced(
          draft.replaceFirst(
              "host:\n  address.*\n(  hypervisor.*\n)?",
              "lab: {%s} # docs/lab.md\n# host: {address: dom0} # instead: your own\n"
                  .formatted(lab)),
          ON_LAB);
    }

    private static String replaced(String draft, Map<String, String> changes) {
      String text = draft;
      for (Map.Entry<String, String> change : changes.entrySet()) {
        text = text.replace(change.getKey(), change.getValue());
      }
      return text;
    }
  }
}
