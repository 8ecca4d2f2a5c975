package io.slicewise.lab.guest;

import io.slicewise.lab.daemon.LabKeys;
import io.slicewise.lab.daemon.SshDaemon;
import io.slicewise.lab.fault.FaultScript;
import io.slicewise.lab.guest.GuestHost.Work;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.sim.Place;
import io.slicewise.workload.target.PortalApplication;
import io.slicewise.workload.target.PortalStep;
import io.slicewise.workload.target.WebApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The scenes of the lab. */
public final class Scenes {
  /** The default scene: the application of the 2010 study. */
  public static final Scene WEB_APP = new WebAppScene();

  private static final List<Scene> ALL =
      List.of(
          WEB_APP,
          new VpsScene(),
          new PortalScene(),
          new DatabaseScene("tpch", List.of("Database"), DatabaseScene.Cost.AS_SERVED, false),
          new DatabaseScene(
              "tpcb",
              List.of("Database", "Other_1", "Other_2", "Other_3"),
              DatabaseScene.Cost.SHORT,
              true),
          new DatabaseScene("stride", List.of("Database"), DatabaseScene.Cost.AS_SERVED, false),
          new MailScene(),
          new CpuScene());

  private Scenes() {}

  /** The names of the scenes, which are those of their workloads. */
  public static List<String> names() {
    return ALL.stream().map(Scene::name).toList();
  }

  public static Optional<Scene> named(String workload) {
    return ALL.stream().filter(scene -> scene.name().equals(workload)).findFirst();
  }

  /** The first guest has an SSH server, for root with a key, and can sort. */
  static final class CpuScene implements Scene {
    @Override
    public String name() {
      return "cpu";
    }

    @Override
    public Map<String, Integer> guests() {
      return Map.of("Sort_Server", 1);
    }

    @Override
    public Servers open(Stage stage) {
      Path directory = stage.directory().resolve("sort-server");
      try {
        HostFiles files = new HostFiles(Files.createDirectories(directory).resolve("root"));
        LabKeys keys = LabKeys.in(directory);
        SshDaemon daemon =
            new SshDaemon(
                keys,
                Set.of(Invocation.ROOT),
                files,
                new FaultScript(List.of()),
                fault -> {},
                stage.port());
        try {
          daemon.up(SortingShell.of(files, stage));
          Path knownHosts = directory.resolve("known_hosts");
          Files.writeString(knownHosts, daemon.knownHostsLine() + "\n");
          return new Play(daemon, keys.clientFile(), knownHosts);
        } catch (IOException | RuntimeException fault) {
          daemon.close();
          throw fault;
        }
      } catch (IOException fault) {
        throw new UncheckedIOException("the lab's sorting guest could not start", fault);
      }
    }

    private record Play(SshDaemon daemon, Path identity, Path knownHosts) implements Servers {
      @Override
      public Map<String, Object> options() {
        return Map.of(
            "guest", "127.0.0.1",
            "guest-user", "root",
            "guest-port", daemon.port(),
            "guest-identity", identity.toString(),
            "guest-known-hosts", knownHosts.toString());
      }

      @Override
      public void close() {
        daemon.close();
      }
    }
  }

  /**
   * The first guest is the portal, the second its database; all others are idle, as the directory
   * and the mail server were in the 2010 study. The cost of a step is a fraction of that of the web
   * application's page view.
   */
  static final class PortalScene implements Scene {
    @Override
    public String name() {
      return "portal";
    }

    @Override
    public Map<String, Integer> guests() {
      Map<String, Integer> guests = new LinkedHashMap<>();
      guests.put("MOSS", 2);
      guests.put("MSSQL", 2);
      guests.put("AD", 1);
      guests.put("Exchange", 1);
      return guests;
    }

    @Override
    public Servers open(Stage stage) {
      return Site.start(
          stage.directory(),
          stage.port(),
          options ->
              PortalApplication.start(options, step -> stage.host().spend(works(stage, step))));
    }

    private static List<Work> works(Stage stage, PortalStep step) {
      return switch (step) {
        case RECEIVE -> List.of(dom0(stage, 0.125), portal(stage, 0.2));
        case SIGN_IN_QUERY, SITE_QUERY, DOCUMENT_QUERY -> query(stage, 0.3);
        case LIST_INSERT -> query(stage, 0.4);
        case DOCUMENT_INSERT -> query(stage, 0.6);
        case FILES -> List.of(portal(stage, 0.1));
        case RENDER -> List.of(portal(stage, 0.4));
        case SEND -> List.of(portal(stage, 0.1), dom0(stage, 0.25));
      };
    }

    private static List<Work> query(Stage stage, double fraction) {
      long mean = Math.round(fraction * stage.demands().database().toNanos());
      return List.of(
          portal(stage, 0.1),
          dom0(stage, 0.125),
          new Work(stage.guest(1), stage.times().draw(mean)));
    }

    private static Work portal(Stage stage, double fraction) {
      long mean = Math.round(fraction * stage.demands().web().toNanos());
      return new Work(stage.guest(0), stage.times().draw(mean));
    }

    private static Work dom0(Stage stage, double fraction) {
      long mean = Math.round(fraction * stage.demands().dom0().toNanos());
      return new Work(GuestHost.DOM0, stage.times().draw(mean));
    }
  }

  /** The first guest is the web server, the second the file server, the third the database. */
  static final class WebAppScene implements Scene {
    @Override
    public String name() {
      return "web-app";
    }

    @Override
    public Map<String, Integer> guests() {
      Map<String, Integer> guests = new LinkedHashMap<>();
      guests.put("Apache_Server", 1);
      guests.put("NFS_Server", 2);
      guests.put("MySQL_Server", 2);
      return guests;
    }

    @Override
    public Servers open(Stage stage) {
      Map<Place, String> domains =
          Map.of(
              Place.WEB,
              stage.guest(0),
              Place.FILE,
              stage.guest(1),
              Place.DATABASE,
              stage.guest(2),
              Place.DOM0,
              GuestHost.DOM0);
      StepCosts costs = new StepCosts(stage.demands(), domains, stage.times());
      return Site.start(
          stage.directory(),
          stage.port(),
          options -> WebApplication.start(options, step -> stage.host().spend(costs.draw(step))));
    }
  }
}
