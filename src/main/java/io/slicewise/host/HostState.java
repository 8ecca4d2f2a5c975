package io.slicewise.host;

import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.Schedulers;
import io.slicewise.profile.Scope;
import io.slicewise.profile.Split;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The state of a host that must not change during a trial, apart from the domains' scheduler
 * settings.
 *
 * @param guests running domains by name
 * @param pools cpupools by name
 */
public record HostState(Map<String, Guest> guests, Map<String, Pool> pools) {
  public HostState {
    guests = Map.copyOf(guests);
    pools = Map.copyOf(pools);
  }

  /**
   * A running domain.
   *
   * @param vcpus online vCPUs
   * @param affinity of each vCPU as the toolstack prints it; empty if unknown
   * @param activity {@code running}, {@code paused} and so on; empty if unknown
   */
  public record Guest(
      GuestId id, String cpupool, int vcpus, List<String> affinity, String activity) {
    public static final String RUNNING = "running";
    public static final String PAUSED = "paused";

    public Guest {
      affinity = List.copyOf(affinity);
    }

    private Guest in(String pool) {
      return new Guest(id, pool, vcpus, affinity, activity);
    }

    /** Returns the guest in the place that it had in another state of the host. */
    private Guest in(Guest place) {
      return new Guest(id, place.cpupool, place.vcpus, place.affinity, activity);
    }

    private boolean isPaused() {
      return activity.startsWith(PAUSED);
    }
  }

  /**
   * A cpupool.
   *
   * @param cpus the pCPUs' numbers, or their count if the toolstack does not list them
   * @param parameters of the pool, as the toolstack prints them; empty if it prints none
   */
  public record Pool(String scheduler, String cpus, String parameters) {}

  /**
   * Another guest that started or stopped, or moved.
   *
   * @param vcpus the most pCPUs that it could use meanwhile
   * @param sentence without an end
   */
  public record Disturbance(String guest, int vcpus, String sentence) {}

  /** Returns the state of a host without separate listings of pools and affinities. */
  static HostState of(HostDescription host, List<Domain> domains, Map<String, GuestId> identities) {
    Map<String, Guest> guests = new LinkedHashMap<>();
    for (Domain domain : domains) {
      GuestId id = identities.get(domain.name());
      guests.put(domain.name(), new Guest(id, domain.cpupool(), domain.vcpus(), List.of(), ""));
    }
    Map<String, Pool> pools = new LinkedHashMap<>();
    for (CpuPool pool : host.cpupools()) {
      pools.put(pool.name(), new Pool(pool.scheduler(), Integer.toString(pool.pcpus()), ""));
    }
    return new HostState(guests, pools);
  }

  /** Returns the pool of a guest; empty if either is unknown. */
  public Optional<Pool> poolOf(String guest) {
    return Optional.ofNullable(guests.get(guest)).map(its -> pools.get(its.cpupool()));
  }

  /**
   * Returns the changes of the studied guests, the control domain and their pools, one sentence per
   * change. A missing studied guest is not included: its missing settings show that.
   *
   * @param studied names of targets; the parameters of a pool, the affinities of a place and what
   *     is split from a pool are settings, which are compared elsewhere
   * @param pinned guests whose affinity is a setting of their own
   */
  public List<String> changes(HostState later, Set<String> studied, Set<String> pinned) {
    for (String target : studied) {
      if (Scope.SPLIT.has(target)) {
        return whole(Scope.name(target))
            .changes(later.whole(Scope.name(target)), apart(studied), pinned);
      }
    }
    List<String> changes = new ArrayList<>();
    if (rebooted(later)) {
      return List.of("the host was rebooted");
    }
    for (String name : watched(studied)) {
      Guest before = guests.get(name);
      Guest after = later.guests.get(name);
      if (before != null && after != null) {
        boolean placed = studied.contains(Scope.PLACE.target(name));
        compare(name, before, after, changes);
        if (!placed) {
          add(changes, name + ": online vCPUs", before.vcpus(), after.vcpus());
        }
        if (!placed && !pinned.contains(name)) {
          compareAffinity(name, before.affinity(), after.affinity(), changes);
        }
      }
    }
    pools(studied)
        .forEach(
            (name, pool) -> {
              comparePool(name, pool, later.pools.get(name), changes);
              if (later.pools.containsKey(name) && !studied.contains(Scope.POOL.target(name))) {
                add(
                    changes,
                    pool(name) + ": parameters",
                    pool.parameters(),
                    later.pools.get(name).parameters());
              }
            });
    return List.copyOf(changes);
  }

  private static Set<String> apart(Set<String> studied) {
    return studied.stream().filter(name -> !Scope.SPLIT.has(name)).collect(Collectors.toSet());
  }

  /** Returns this state as if what is split from a pool were in it: its guests and its pCPUs. */
  private HostState whole(String pool) {
    Map<String, Guest> there = new LinkedHashMap<>(guests);
    there.replaceAll((name, guest) -> guest.cpupool().equals(Split.POOL) ? guest.in(pool) : guest);
    Map<String, Pool> joined = new LinkedHashMap<>(pools);
    joined.remove(Split.POOL);
    joined.computeIfPresent(
        pool, (name, its) -> new Pool(its.scheduler(), "with its split", its.parameters()));
    return new HostState(there, joined);
  }

  /**
   * Returns this state with the places of guests and the pools of an earlier state, so that changes
   * since then are seen, too. Without them if the host was rebooted.
   */
  public HostState placedAs(HostState earlier) {
    if (rebooted(earlier)) {
      return this;
    }
    Map<String, Guest> placed = new LinkedHashMap<>(guests);
    placed.replaceAll(
        (name, guest) ->
            Optional.ofNullable(earlier.guests.get(name)).map(guest::in).orElse(guest));
    return new HostState(placed, earlier.pools);
  }

  /** Returns whether the host was rebooted between this state and another one. */
  public boolean rebooted(HostState later) {
    Set<String> before = boots();
    Set<String> after = later.boots();
    return !before.isEmpty() && !after.isEmpty() && Collections.disjoint(before, after);
  }

  /** Returns other guests that joined or left a pool of a studied guest. */
  public List<Disturbance> disturbances(HostState later, Set<String> studied) {
    for (String target : studied) {
      if (Scope.SPLIT.has(target)) {
        String pool = Scope.name(target);
        return whole(pool).disturbances(later.whole(pool), apart(studied));
      }
    }
    Set<String> used = pools(studied).keySet();
    Set<String> names = new TreeSet<>(guests.keySet());
    names.addAll(later.guests.keySet());
    names.removeAll(watched(studied));
    List<Disturbance> seen = new ArrayList<>();
    for (String name : names) {
      Guest before = guests.get(name);
      Guest after = later.guests.get(name);
      String from = before == null ? "" : before.cpupool();
      String to = after == null ? "" : after.cpupool();
      if (!from.equals(to) && used.contains(to)) {
        String sentence = "%s: joined %s while the trial ran".formatted(name, later.pool(to));
        seen.add(new Disturbance(name, after.vcpus(), sentence));
      } else if (!from.equals(to) && used.contains(from)) {
        String sentence = "%s: left %s while the trial ran".formatted(name, pool(from));
        seen.add(new Disturbance(name, before.vcpus(), sentence));
      }
    }
    return List.copyOf(seen);
  }

  private Set<String> boots() {
    return guests.values().stream().map(guest -> guest.id().boot()).collect(Collectors.toSet());
  }

  private Set<String> watched(Set<String> studied) {
    Set<String> watched = new LinkedHashSet<>(new TreeSet<>(studied));
    guests.forEach(
        (name, guest) -> {
          if (guest.id().ofControlDomain()) {
            watched.add(name);
          }
        });
    return watched;
  }

  private Map<String, Pool> pools(Set<String> studied) {
    Map<String, Pool> used = new TreeMap<>();
    for (String name : watched(studied)) {
      Guest guest = guests.get(name);
      if (guest != null && pools.containsKey(guest.cpupool())) {
        used.put(guest.cpupool(), pools.get(guest.cpupool()));
      }
    }
    return new LinkedHashMap<>(used);
  }

  private static void compare(String name, Guest before, Guest after, List<String> changes) {
    if (!before.id().isGuest(after.id())) {
      changes.add(
          "%s: replaced by another guest of that name (%s; before %s)"
              .formatted(name, life(after.id()), life(before.id())));
    } else if (!before.id().isSameLife(after.id())) {
      changes.add(
          "%s: restarted (domid %d, before %d)"
              .formatted(name, after.id().domid(), before.id().domid()));
    }
    if (after.isPaused() && before.isPaused()) {
      changes.add(name + ": paused");
    } else if (!before.activity().isEmpty() && !after.activity().isEmpty()) {
      add(changes, name + ": state", before.activity(), after.activity());
    }
    add(changes, name + ": cpupool", before.cpupool(), after.cpupool());
  }

  private static void compareAffinity(
      String name, List<String> before, List<String> after, List<String> changes) {
    if (!before.isEmpty() && !after.isEmpty()) {
      add(changes, name + ": affinity", shown(before), shown(after));
    }
  }

  private static String life(GuestId id) {
    return id.uuid().isEmpty() ? id.toString() : "domid %d, %s".formatted(id.domid(), id);
  }

  private String pool(String name) {
    String owner =
        Optional.ofNullable(pools.get(name))
            .flatMap(pool -> Schedulers.KNOWN.named(pool.scheduler()))
            .map(Scheduler::hypervisor)
            .orElse("");
    return Hypervisors.poolWord(owner) + " " + name;
  }

  private void comparePool(String name, Pool before, Pool after, List<String> changes) {
    if (after == null) {
      changes.add("%s: no longer exists".formatted(pool(name)));
      return;
    }
    String pool = pool(name) + ": ";
    add(changes, pool + "scheduler", before.scheduler(), after.scheduler());
    add(changes, pool + "pCPUs", before.cpus(), after.cpus());
  }

  private static void add(List<String> changes, String what, Object before, Object after) {
    if (!Objects.equals(before, after)) {
      changes.add("%s changed from %s to %s".formatted(what, before, after));
    }
  }

  private static String shown(List<String> affinity) {
    return affinity.stream().distinct().count() == 1
        ? affinity.get(0)
        : String.join(", ", affinity);
  }
}
