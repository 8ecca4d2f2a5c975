package io.slicewise.lab.guest;

import io.slicewise.lab.guest.GuestHost.Work;
import io.slicewise.workload.target.PortalApplication;
import io.slicewise.workload.target.PortalStep;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The first guest is the portal, the second its database; all others are idle, as the directory and
 * the mail server were in the 2010 study. The cost of a step is a fraction of that of the web
 * application's page view.
 */
final class PortalScene implements Scene {
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
        portal(stage, 0.1), dom0(stage, 0.125), new Work(stage.guest(1), stage.times().draw(mean)));
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
