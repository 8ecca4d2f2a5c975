package io.slicewise.lab.guest;

import io.slicewise.lab.sim.Place;
import io.slicewise.workload.target.WebApplication;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Every guest is a private server: its own web application on its own database. */
final class VpsScene implements Scene {
  @Override
  public String name() {
    return "vps";
  }

  @Override
  public Map<String, Integer> guests() {
    Map<String, Integer> guests = new LinkedHashMap<>();
    guests.put("VPS_1", 2);
    guests.put("VPS_2", 2);
    guests.put("VPS_3", 2);
    return guests;
  }

  /** Starts the servers in parallel, because a database takes a while. */
  @Override
  public Servers open(Stage stage) {
    Map<String, CompletableFuture<Site>> starting = new LinkedHashMap<>();
    ExecutorService threads = Executors.newCachedThreadPool();
    for (String guest : stage.guests()) {
      int port = starting.isEmpty() ? stage.port() : 0;
      starting.put(guest, CompletableFuture.supplyAsync(() -> start(stage, guest, port), threads));
    }
    try {
      Map<String, Site> running = new LinkedHashMap<>();
      starting.forEach((guest, server) -> running.put(guest, server.join()));
      return new Play(running);
    } catch (CompletionException fault) {
      starting.values().forEach(VpsScene::closeWhenStarted);
      throw fault.getCause() instanceof RuntimeException cause ? cause : fault;
    } finally {
      threads.shutdown();
    }
  }

  private static void closeWhenStarted(CompletableFuture<Site> starting) {
    try {
      starting.join().close();
    } catch (CompletionException neverStarted) {
      // There is nothing to close.
    }
  }

  private static Site start(Stage stage, String guest, int port) {
    Map<Place, String> domains =
        Map.of(
            Place.WEB, guest, Place.FILE, guest, Place.DATABASE, guest, Place.DOM0, GuestHost.DOM0);
    StepCosts costs = new StepCosts(stage.demands(), domains, stage.times());
    return Site.start(
        stage.directory().resolve(guest),
        port,
        options -> WebApplication.start(options, step -> stage.host().spend(costs.draw(step))));
  }

  private record Play(Map<String, Site> servers) implements Servers {
    @Override
    public Map<String, Object> options() {
      List<Object> guests = new ArrayList<>();
      servers.forEach(
          (name, server) -> {
            Map<String, Object> guest = new LinkedHashMap<>();
            guest.put("name", name);
            guest.put("target", server.uri().toString());
            guest.putAll(server.options());
            guests.add(guest);
          });
      return Map.of("guests", guests);
    }

    @Override
    public void close() {
      servers.values().forEach(Site::close);
    }
  }
}
