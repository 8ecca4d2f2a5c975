package io.slicewise.lab.guest;

import java.util.List;
import java.util.Optional;

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
}
