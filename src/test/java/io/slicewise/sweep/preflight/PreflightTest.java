package io.slicewise.sweep.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.profile.Scheduler;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.sweep.deadman.SwitchProgram;
import io.slicewise.sweep.guard.HostShells;
import io.slicewise.sweep.preflight.CheckResult.Level;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the preflight: it names what would stop a run with the way out, and leaves the host as
 * it was.
 */
@Tag("lab")
class PreflightTest {
  private static Lab lab;

  @TempDir Path directory;

  @BeforeAll
  static void startAHost() {
    lab =
        Lab.start(
            LabOptions.sshOnly()
                .withScheduler(Scheduler.CREDIT)
                .withCpus(2, 2)
                .withGuests(LabGuest.of("web", 1), LabGuest.of("db", 2)));
  }

  @AfterAll
  static void stopTheHost() {
    lab.close();
  }

  private String host(String more) {
    return """
    host:
      address: 127.0.0.1
      user: root
      port: %d
      identity: %s
      %s
    """
        .formatted(lab.sshPort(), lab.privateKey(), more);
  }

  private String known() {
    return host("known-hosts: " + lab.knownHosts());
  }

  private static final String OBSERVE =
      """
      name: watch
      domains: {main: [web, db]}
      profiles:
        - as-found
        - {name: heavy, scheduler: credit, main: {weight: 512}}
        - {name: other, scheduler: credit2, main: {weight: 512}}
      workload: observe
      measure: 10s
      """;

  private List<CheckResult> examine(String yaml) throws IOException {
    return Preflight.examine(read(yaml), directory.resolve("results"));
  }

  private Experiment read(String yaml) throws IOException {
    return ExperimentFiles.read(Files.writeString(directory.resolve("experiment.yaml"), yaml));
  }

  private static List<CheckResult> at(Level level, List<CheckResult> findings) {
    return findings.stream().filter(finding -> finding.level() == level).toList();
  }

  @Test
  void namesTheRunThatHoldsTheHost() throws IOException {
    List<CheckResult> findings;
    Experiment experiment = read(known() + OBSERVE);
    try (RemoteShell shell = HostShells.open(experiment.host().orElseThrow())) {
      shell.run(Command.changing("ln", "-s", "night (run 7 of machine 8)", SwitchProgram.LOCK));
      findings = Preflight.examine(experiment, directory.resolve("results"));
      shell.run(Command.changing("rm", SwitchProgram.LOCK));
    }
    assertThat(at(Level.WARNING, findings))
        .filteredOn(one -> one.subject().equals("lock"))
        .extracting(CheckResult::sentence)
        .containsExactly(
            "root@127.0.0.1:%d is held by night (run 7 of machine 8)".formatted(lab.sshPort()));
  }

  /** Reading needs no right on many hosts; a run's first change is its lock. */
  @Test
  void aLoginThatMayOnlyReadBlocks() throws IOException {
    try (Lab closed =
        Lab.start(
            LabOptions.sshOnly()
                .withGuests(LabGuest.of("web", 1), LabGuest.of("db", 2))
                .withFaults(LabFault.at(FaultKind.REFUSE_COMMAND, "test -w")))) {
      String at =
          known()
              .replace("port: " + lab.sshPort(), "port: " + closed.sshPort())
              .replace(lab.privateKey().toString(), closed.privateKey().toString())
              .replace(lab.knownHosts().toString(), closed.knownHosts().toString());
      assertThat(at(Level.BLOCKING, examine(at + OBSERVE)))
          .anySatisfy(
              one -> {
                assertThat(one.sentence())
                    .startsWith("user 0 may not write to /var/run, where a run takes its lock");
                assertThat(one.wayOut()).contains("set 'sudo: true'");
              });
    }
  }

  @Test
  void looksAtEverythingAndChangesNothing() throws IOException {
    int commandsBefore = lab.commands().size();
    var before = lab.settings();

    List<CheckResult> findings = examine(known() + OBSERVE);

    assertThat(Preflight.blocks(findings)).isFalse();
    assertThat(findings)
        .extracting(CheckResult::subject)
        .contains(
            "host", "permissions", "toolstack", "schedulers", "domains", "profiles", "monitor")
        .contains("disk there", "workload", "generator", "disk here");
    assertThat(findings)
        .extracting(CheckResult::sentence)
        .contains("can run now: as-found, heavy", "logged in as root")
        .anyMatch(s -> s.startsWith("Xen 4.17") && s.endsWith("through xl, 2 pCPUs"))
        .anyMatch(s -> s.contains("db (2 vCPUs, Pool-0)"));
    assertThat(at(Level.WARNING, findings))
        .extracting(CheckResult::sentence)
        .contains("need credit2, which is not active: other");
    assertThat(lab.settings()).isEqualTo(before);
    assertThat(lab.commands().size()).isGreaterThan(commandsBefore);
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void whatASplitRisksIsSaid() throws IOException {
    List<CheckResult> findings =
        examine(
            known()
                + OBSERVE.replace(
                    "credit2, main: {weight: 512}}",
                    "credit2, split: {Pool-0: {cpus: 1, domains: [web, db]}}}"));

    assertThat(at(Level.WARNING, findings))
        .filteredOn(one -> one.subject().equals("split"))
        .extracting(CheckResult::sentence)
        .containsExactly(
            "moves running guests between schedulers, and Xen 4.17.7 has crashed at that: other");
  }

  @Test
  void aDomainThatDoesNotRunBlocks() throws IOException {
    List<CheckResult> findings = examine(known() + OBSERVE.replace("[web, db]", "[web, bd]"));

    assertThat(at(Level.BLOCKING, findings))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.sentence()).isEqualTo("domain bd does not run on the host");
              assertThat(finding.wayOut()).contains("running are: Domain-0, db, web");
            });
  }

  @Test
  void aValueThatADomainCannotHaveBlocks() throws IOException {
    List<CheckResult> findings =
        examine(
            known() + OBSERVE.replace("credit, main: {weight: 512}", "credit, main: {cap: 150}"));

    assertThat(at(Level.BLOCKING, findings))
        .singleElement()
        .satisfies(finding -> assertThat(finding.subject()).isEqualTo("profile heavy"))
        .satisfies(finding -> assertThat(finding.sentence()).contains("web").contains("150"));
  }

  @Test
  void anUnknownHostKeyBlocksAndShowsItsFingerprint() throws IOException {
    Path empty = Files.createFile(directory.resolve("known_hosts"));

    List<CheckResult> findings = examine(host("known-hosts: " + empty) + OBSERVE);

    assertThat(at(Level.BLOCKING, findings))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.sentence() + finding.wayOut()).contains(lab.fingerprint()));
  }

  @Test
  void aHostThatDoesNotAnswerBlocksAndTheRestIsStillLookedAt() throws IOException {
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    List<CheckResult> findings =
        examine(known().replace("port: " + lab.sshPort(), "port: " + closed) + OBSERVE);

    assertThat(at(Level.BLOCKING, findings))
        .extracting(CheckResult::subject)
        .containsExactly("host");
    assertThat(findings).extracting(CheckResult::subject).contains("generator", "disk here");
  }

  @Test
  void aPlanThatIgnoresItsPropertiesIsWarnedOf() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    try {
      List<CheckResult> findings = examine(known() + loaded(server.getAddress().getPort()));

      assertThat(at(Level.BLOCKING, findings)).isEmpty();
      assertThat(findings)
          .extracting(CheckResult::sentence)
          .contains("plan.jmx loads; it reads host, port")
          .contains("ThreadGroup 'g' ends each user after 1 pass")
          .contains("the plan does not read the property users, so every user load is the same")
          .contains("the plan does not read: colour, path, protocol");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aTargetThatDoesNotAnswerAndAPlanThatDoesNotLoadBlock() throws IOException {
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    String yaml = known() + loaded(closed);
    Files.writeString(directory.resolve("plan.jmx"), "<jmeterTestPlan");

    List<CheckResult> findings = examine(yaml);

    assertThat(at(Level.BLOCKING, findings))
        .extracting(CheckResult::subject)
        .containsExactly("target", "plan");
  }

  @Test
  void aPlanWithoutItsFilesAndPlugInsBlocks() throws IOException {
    String yaml = known() + loaded(1);
    Path plan = directory.resolve("plan.jmx");
    Files.writeString(
        plan,
        Files.readString(plan)
            .replaceFirst(
                "<hashTree/>",
                "<hashTree><CSVDataSet testclass='CSVDataSet' testname='rows'>"
                    + "<stringProp name='filename'>gone.csv</stringProp></CSVDataSet><hashTree/>"
                    + "<kg.Dummy testclass='kg.Dummy' testname='d'/><hashTree/></hashTree>"));
    assertThat(at(Level.BLOCKING, examine(yaml)))
        .extracting(CheckResult::sentence)
        .contains("CSVDataSet 'rows' reads gone.csv, which is not there")
        .anyMatch(one -> one.startsWith("Dummy 'd' needs the class kg.Dummy"));
  }

  private String loaded(int port) throws IOException {
    Files.writeString(
        directory.resolve("plan.jmx"),
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3">
          <hashTree>
            <TestPlan guiclass="TestPlanGui" testclass="TestPlan" testname="p">
              <stringProp name="TestPlan.comments">${__P(host)} ${__P(port,80)}</stringProp>
            </TestPlan>
            <hashTree>
              <ThreadGroup guiclass="ThreadGroupGui" testclass="ThreadGroup" testname="g">
                <stringProp name="ThreadGroup.num_threads">1</stringProp>
                <elementProp name="ThreadGroup.main_controller" elementType="LoopController"
                    guiclass="LoopControlPanel" testclass="LoopController">
                  <stringProp name="LoopController.loops">1</stringProp>
                </elementProp>
              </ThreadGroup>
              <hashTree/>
            </hashTree>
          </hashTree>
        </jmeterTestPlan>
        """);
    return OBSERVE.replace(
        "workload: observe",
        """
        workload:
          name: plan
          plan: plan.jmx
          target: http://127.0.0.1:%d/
          properties: {colour: red}
        users: [5]\
        """
            .formatted(port));
  }
}
