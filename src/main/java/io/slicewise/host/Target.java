package io.slicewise.host;

import java.util.Collection;
import java.util.Optional;

/** What settings belong to: a running domain, its place, or a cpupool as a whole. */
public sealed interface Target permits Domain, Target.Pool, Target.Place {
  /** The name in profiles, journals and messages; unique on a host. */
  String name();

  /** Returns whether both are the same, whatever their names and other properties are by now. */
  boolean isSame(Target other);

  /** Returns the name of the domain that a target of this name belongs to; the name of others. */
  static String domainOf(String name) {
    return Place.isCalled(name) ? name.substring(Place.PREFIX.length()) : name;
  }

  /** Returns the domain or the place of that name; empty if no such domain runs. */
  static Optional<Target> of(String name, Collection<Domain> domains) {
    return domains.stream()
        .filter(domain -> domain.name().equals(domainOf(name)))
        .<Target>map(domain -> Place.isCalled(name) ? new Place(domain) : domain)
        .findFirst();
  }

  /** The place of a running domain: the pCPUs that its vCPUs may use. */
  record Place(Domain domain) implements Target {
    private static final String PREFIX = "placement of ";

    /** Returns the name of a domain's place as a target. */
    public static String name(String domain) {
      return PREFIX + domain;
    }

    /** Returns whether a target of this name is the place of a domain. */
    public static boolean isCalled(String name) {
      return name.startsWith(PREFIX);
    }

    @Override
    public String name() {
      return name(domain.name());
    }

    @Override
    public boolean isSame(Target other) {
      return other instanceof Place place && domain.isSame(place.domain);
    }
  }

  /**
   * A cpupool as a whole.
   *
   * @param pool its name on the host
   */
  record Pool(String pool) implements Target {
    private static final String PREFIX = "cpupool ";

    /** Returns the name of a pool as a target. */
    public static String name(String pool) {
      return PREFIX + pool;
    }

    /** Returns whether a target of this name is a pool. */
    public static boolean isCalled(String name) {
      return name.startsWith(PREFIX);
    }

    /** Returns the pool of a target of this name. */
    public static Pool called(String name) {
      return new Pool(name.substring(PREFIX.length()));
    }

    @Override
    public String name() {
      return name(pool);
    }

    @Override
    public boolean isSame(Target other) {
      return equals(other);
    }
  }
}
