package io.slicewise.lab.guest;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.lab.daemon.LabKeys;
import io.slicewise.lab.daemon.SshDaemon;
import io.slicewise.lab.fault.LabFault.FaultScript;
import io.slicewise.lab.guest.GuestHost.Work;
import io.slicewise.lab.guest.Scene.Servers;
import io.slicewise.lab.guest.Scene.Stage;
import io.slicewise.lab.guest.Scene.Visits;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.sim.Demands;
import io.slicewise.lab.sim.Demands.Place;
import io.slicewise.lab.sim.WebApplicationModel.PageStep;
import io.slicewise.lab.sim.WebApplicationModel.Route;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.PageFiles;
import io.slicewise.workload.target.PortalApplication;
import io.slicewise.workload.target.PortalApplication.PortalStep;
import io.slicewise.workload.target.SampleApplication;
import io.slicewise.workload.target.SampleApplication.TargetOptions;
import io.slicewise.workload.target.WebApplication;
import io.slicewise.workload.target.WebApplication.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The scenes of the lab. */
public final class Scenes {
  /** The default scene: the application of the 2010 study. */
  public static final Scene WEB_APP =
      new Play(
          "web-app",
          guests("Apache_Server", 1, "NFS_Server", 2, "MySQL_Server", 2),
          WebAppScene::open);

  private static final List<Scene> ALL =
      List.of(
          WEB_APP,
          new Play("vps", guests("VPS_1", 2, "VPS_2", 2, "VPS_3", 2), VpsScene::open),
          new Play(
              "portal", guests("MOSS", 2, "MSSQL", 2, "AD", 1, "Exchange", 1), PortalScene::open),
          new DatabaseScene("tpch", List.of("Database"), DatabaseScene.Cost.AS_SERVED, false),
          new DatabaseScene(
              "tpcb",
              List.of("Database", "Other_1", "Other_2", "Other_3"),
              DatabaseScene.Cost.SHORT,
              true),
          new DatabaseScene("stride", List.of("Database"), DatabaseScene.Cost.AS_SERVED, false),
          new Play("mail", guests("Mail_Server", 2), MailScene::open),
          new Play("cpu", guests("Sort_Server", 1), CpuScene::open),
          new Play("traffic", WEB_APP.guests(), SiteScene::open));

  private Scenes() {}

  /** Returns vCPUs by name, in order. */
  private static Map<String, Integer> guests(Object... namesAndVcpus) {
    Map<String, Integer> guests = new LinkedHashMap<>();
    for (int at = 0; at < namesAndVcpus.length; at += 2) {
      guests.put((String) namesAndVcpus[at], (Integer) namesAndVcpus[at + 1]);
    }
    return Collections.unmodifiableMap(guests);
  }

  /** A scene whose servers are started by a method. */
  private record Play(String name, Map<String, Integer> guests, Function<Stage, Servers> opening)
      implements Scene {
    @Override
    public Servers open(Stage stage) {
      return opening.apply(stage);
    }
  }

  /** The names of the scenes, which are those of their workloads. */
  public static List<String> names() {
    return ALL.stream().map(Scene::name).toList();
  }

  public static Optional<Scene> named(String workload) {
    return ALL.stream().filter(scene -> scene.name().equals(workload)).findFirst();
  }

  /** The first guest has an SSH server, for root with a key, and can sort. */
  private static final class CpuScene {
    private CpuScene() {}

    static Servers open(Stage stage) {
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
          return new SortServer(daemon, keys.clientFile(), knownHosts);
        } catch (IOException | RuntimeException fault) {
          daemon.close();
          throw fault;
        }
      } catch (IOException fault) {
        throw new UncheckedIOException("the lab's sorting guest could not start", fault);
      }
    }

    private record SortServer(SshDaemon daemon, Path identity, Path knownHosts) implements Servers {
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
  private static final class PortalScene {
    private PortalScene() {}

    static Servers open(Stage stage) {
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
  private static final class WebAppScene {
    private WebAppScene() {}

    static Servers open(Stage stage) {
      return open(stage, UnaryOperator.identity());
    }

    /** Starts the servers with other options of the application. */
    static Site open(Stage stage, UnaryOperator<TargetOptions> other) {
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
          options ->
              WebApplication.start(
                  other.apply(options), step -> stage.host().spend(costs.draw(step))));
    }
  }

  /**
   * A site with visitors of its own, of whom nothing outside the lab knows, and with the access log
   * of its web server. The guests are those of the web application.
   */
  private static final class SiteScene {
    private SiteScene() {}

    static Servers open(Stage stage) {
      Path log = stage.directory().resolve("access.log");
      Site site = WebAppScene.open(stage, options -> options.loggingTo(log));
      try {
        return new Logged(site, log, Visitors.of(site.uri(), stage.demands(), stage.visits()));
      } catch (RuntimeException fault) {
        site.close();
        throw fault;
      }
    }

    private record Logged(Site site, Path log, Visitors visitors) implements Servers {
      @Override
      public Optional<URI> target() {
        return site.target();
      }

      @Override
      public Map<String, Object> options() {
        return Map.of("log", Map.of("path", log.toString(), "format", "nginx", "machine", "local"));
      }

      @Override
      public void close() {
        visitors.close();
        site.close();
      }
    }
  }

  /** Every guest is a private server: its own web application on its own database. */
  private static final class VpsScene {
    private VpsScene() {}

    static Servers open(Stage stage) {
      Map<String, Supplier<Servers>> starts = new LinkedHashMap<>();
      for (String guest : stage.guests()) {
        Stage its = stage.part(guest, List.of(guest), starts.isEmpty() ? stage.port() : 0);
        starts.put(guest, () -> WEB_APP.open(its));
      }
      return new Sites(TilesScene.together(starts));
    }

    private record Sites(Map<String, Servers> servers) implements Servers {
      @Override
      public Map<String, Object> options() {
        List<Object> guests = new ArrayList<>();
        servers.forEach(
            (name, server) -> {
              Map<String, Object> guest = new LinkedHashMap<>();
              guest.put("name", name);
              guest.put("target", server.target().orElseThrow().toString());
              guest.putAll(server.options());
              guests.add(guest);
            });
        return Map.of("guests", guests);
      }

      @Override
      public void close() {
        servers.values().forEach(Servers::close);
      }
    }
  }

  /**
   * A sample application and its database. They survive a reboot of the simulated machine, during
   * which every page view fails.
   */
  static final class Site implements Servers {
    private static final Logger LOG = LoggerFactory.getLogger(Site.class);

    private final LabDatabase server;
    private final Database database;
    private final SampleApplication application;

    private Site(LabDatabase server, Database database, SampleApplication application) {
      this.server = server;
      this.database = database;
      this.application = application;
    }

    /** Starts database and application, which accepts requests when this returns. */
    static Site start(
        Path directory, int port, Function<TargetOptions, SampleApplication> application) {
      LabDatabase server = LabDatabase.start(directory.resolve("database"), LabDatabase.Size.SMALL);
      try {
        Database database = server.create("site");
        Path files = directory.resolve("files");
        PageFiles.createMissing(files);
        TargetOptions options = TargetOptions.local(database, files).onPort(port);
        return new Site(server, database, application.apply(options));
      } catch (RuntimeException fault) {
        server.close();
        throw fault;
      }
    }

    URI uri() {
      return application.uri();
    }

    @Override
    public Optional<URI> target() {
      return Optional.of(uri());
    }

    @Override
    public Map<String, Object> options() {
      return server.options(database.url());
    }

    /**
     * Stops both. When the whole process ends, the database may stop before the application has
     * dropped its schema; the data are removed with the lab anyway.
     */
    @Override
    public void close() {
      try {
        application.close();
      } catch (SlicewiseException databaseGone) {
        LOG.debug("the application could not drop its schema", databaseGone);
      } finally {
        server.close();
      }
    }
  }

  /**
   * The cost of each step of a page view, by place. Disk time is not modelled here.
   *
   * @param demands the page view's means
   * @param domains the domain of each place; a missing one costs nothing
   */
  record StepCosts(Demands demands, Map<Place, String> domains, ServiceTimes times) {
    List<Work> draw(Step step) {
      List<Work> works = new ArrayList<>();
      for (Route.Visit visit : PageStep.valueOf(step.name()).visits()) {
        String domain = domain(step, visit.place());
        if (!domain.isEmpty()) {
          long mean = Route.PAGE_VIEW.meanNanos(demands, visit);
          works.add(new Work(domain, times.draw(mean)));
        }
      }
      return works;
    }

    /**
     * The domain of a step at a place; traffic inside one guest does not pass through the control
     * domain.
     */
    private String domain(Step step, Place place) {
      boolean network = step == Step.RECEIVE || step == Step.SEND;
      boolean apart = !domains.getOrDefault(Place.WEB, "").equals(domains.get(Place.DATABASE));
      return place == Place.DOM0 && !network && !apart ? "" : domains.getOrDefault(place, "");
    }
  }

  /**
   * The visitors of a site: each comes at a random time, signs in, reads one article and does not
   * wait for the others. Their number follows given steps, or rises and falls within a minute, as
   * that of a real site does within a day.
   */
  private static final class Visitors implements AutoCloseable {
    /** The CPU time that they need in all guests together, in pCPUs. */
    private static final double BUSY = 1.2;

    private static final double SWING = 0.2;
    private static final double DAY_SECONDS = 60;
    private static final int ARTICLES = 10;
    private static final int USERS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final URI site;
    private final double rate;
    private final List<Visits> steps;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final Thread arrivals = new Thread(this::arrive, "visitors");
    private final SplittableRandom random = new SplittableRandom(1);
    private volatile boolean open = true;

    private Visitors(URI site, double rate, List<Visits> steps) {
      this.site = site;
      this.rate = rate;
      this.steps = steps;
      arrivals.setDaemon(true);
    }

    /**
     * Sends visitors to a site from now on.
     *
     * @param steps one after the other, again and again; empty for a rate that rises and falls
     */
    static Visitors of(URI site, Demands demands, List<Visits> steps) {
      double seconds =
          (demands.web().toNanos()
                  + demands.database().toNanos()
                  + demands.file().toNanos()
                  + demands.dom0().toNanos())
              / 1e9;
      Visitors visitors = new Visitors(site, BUSY / seconds, steps);
      visitors.arrivals.start();
      return visitors;
    }

    private void arrive() {
      long began = System.nanoTime();
      double at = 0;
      try {
        while (open) {
          at += -Math.log(1 - random.nextDouble()) / perSecond(at);
          TimeUnit.NANOSECONDS.sleep(began + (long) (1e9 * at) - System.nanoTime());
          visit();
        }
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt();
      }
    }

    /** Returns the rate so many seconds after the first visitor. */
    private double perSecond(double at) {
      double cycle = steps.stream().mapToDouble(step -> step.time().toMillis() / 1e3).sum();
      double end = 0;
      for (Visits step : steps) {
        end += step.time().toMillis() / 1e3;
        if (at % cycle < end) {
          return step.perSecond();
        }
      }
      return rate * (1 + SWING * Math.sin(2 * Math.PI * at / DAY_SECONDS));
    }

    private void visit() {
      int user = 1 + random.nextInt(USERS);
      HttpRequest request =
          HttpRequest.newBuilder(site.resolve("/?article=" + (1 + random.nextInt(ARTICLES))))
              .timeout(PATIENCE)
              .header("Content-Type", "application/x-www-form-urlencoded")
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      "user=user%d&password=password%d".formatted(user, user)))
              .build();
      // What a visitor sees is in the site's log; nobody here asks.
      CompletableFuture<HttpResponse<Void>> unused =
          client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
    }

    @Override
    public void close() {
      open = false;
      arrivals.interrupt();
      try {
        arrivals.join(PATIENCE.toMillis());
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
