package io.slicewise.lab.guest;

import io.slicewise.lab.guest.Scene.Servers;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Several scenes at once, each on guests of its own. */
public record TilesScene(List<Part> parts) implements Scene {
  /**
   * One of them.
   *
   * @param name unique
   * @param workload whose scene it is
   */
  public record Part(String name, String workload, List<String> guests) {
    Scene scene() {
      return Scenes.named(workload).orElse(Scenes.WEB_APP);
    }
  }

  public TilesScene {
    parts = List.copyOf(parts);
  }

  @Override
  public String name() {
    return "tiles";
  }

  /** Each guest is as large as the one in its place in the part's own scene. */
  @Override
  public Map<String, Integer> guests() {
    Map<String, Integer> guests = new LinkedHashMap<>();
    for (Part part : parts) {
      List<Integer> sizes = List.copyOf(part.scene().guests().values());
      for (int place = 0; place < part.guests().size(); place++) {
        guests.put(part.guests().get(place), sizes.get(Math.min(place, sizes.size() - 1)));
      }
    }
    return guests;
  }

  @Override
  public Servers open(Stage stage) {
    Map<String, Supplier<Servers>> starts = new LinkedHashMap<>();
    for (Part part : parts) {
      Stage its = stage.part(part.name(), part.guests(), starts.isEmpty() ? stage.port() : 0);
      starts.put(part.name(), () -> part.scene().open(its));
    }
    return new Together(together(starts));
  }

  /** Starts servers in parallel, because a database takes a while; all or none. */
  static Map<String, Servers> together(Map<String, Supplier<Servers>> starts) {
    ExecutorService threads = Executors.newCachedThreadPool();
    Map<String, CompletableFuture<Servers>> starting = new LinkedHashMap<>();
    starts.forEach(
        (name, start) -> starting.put(name, CompletableFuture.supplyAsync(start, threads)));
    try {
      Map<String, Servers> running = new LinkedHashMap<>();
      starting.forEach((name, server) -> running.put(name, server.join()));
      return running;
    } catch (CompletionException fault) {
      starting.values().forEach(TilesScene::closeWhenStarted);
      throw fault.getCause() instanceof RuntimeException cause ? cause : fault;
    } finally {
      threads.shutdown();
    }
  }

  private static void closeWhenStarted(CompletableFuture<Servers> starting) {
    try {
      starting.join().close();
    } catch (CompletionException neverStarted) {
      // There is nothing to close.
    }
  }

  /** The options of each part by its name, its target among them. */
  private record Together(Map<String, Servers> servers) implements Servers {
    private Together {
      servers = Collections.unmodifiableMap(new LinkedHashMap<>(servers));
    }

    @Override
    public Map<String, Object> options() {
      Map<String, Object> options = new LinkedHashMap<>();
      servers.forEach(
          (name, its) -> {
            Map<String, Object> own = new LinkedHashMap<>();
            its.target().ifPresent(target -> own.put("target", target.toString()));
            own.putAll(its.options());
            options.put(name, own);
          });
      return options;
    }

    @Override
    public boolean hasUnit(String guest, String unit) {
      return servers.values().stream().anyMatch(its -> its.hasUnit(guest, unit));
    }

    @Override
    public void stop(String guest) {
      servers.values().forEach(its -> its.stop(guest));
    }

    @Override
    public void start(String guest) {
      servers.values().forEach(its -> its.start(guest));
    }

    @Override
    public void dropCaches(String guest) {
      servers.values().forEach(its -> its.dropCaches(guest));
    }

    @Override
    public void close() {
      servers.values().forEach(Servers::close);
    }
  }
}
