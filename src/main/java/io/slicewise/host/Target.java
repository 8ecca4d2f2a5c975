package io.slicewise.host;

import io.slicewise.profile.Scope;
import java.util.Collection;
import java.util.Optional;

/**
 * What settings belong to: a running domain, its place, a cpupool as a whole or its split, the
 * host's kernel or a disk.
 */
public sealed interface Target permits Domain, Target.Pool, Target.Place, Target.Files {
  /** The name in profiles, journals and messages; unique on a host. */
  String name();

  /** Returns whether both are the same, whatever their names and other properties are by now. */
  boolean isSame(Target other);

  /** Returns the name of the domain that a target of this name belongs to; the name of others. */
  static String domainOf(String name) {
    return Scope.PLACE.has(name) ? Scope.name(name) : name;
  }

  /** Returns whether a target of this name is a cpupool or what is made of one. */
  static boolean isPool(String name) {
    return Scope.POOL.has(name) || Scope.SPLIT.has(name);
  }

  /** Returns whether a target of this name is of no domain. */
  static boolean isOfHost(String name) {
    return isPool(name) || Scope.ofHost(name);
  }

  /** Returns the target of that name; empty if it is of a domain that does not run. */
  static Optional<Target> of(String name, Collection<Domain> domains) {
    if (Scope.ofHost(name)) {
      return Optional.of(new Files(name));
    }
    return isPool(name)
        ? Optional.of(Pool.called(name))
        : domains.stream()
            .filter(domain -> domain.name().equals(domainOf(name)))
            .<Target>map(domain -> Scope.PLACE.has(name) ? new Place(domain) : domain)
            .findFirst();
  }

  /** The place of a running domain: the pCPUs that its vCPUs may use. */
  record Place(Domain domain) implements Target {
    @Override
    public String name() {
      return Scope.PLACE.target(domain.name());
    }

    @Override
    public boolean isSame(Target other) {
      return other instanceof Place place && domain.isSame(place.domain);
    }
  }

  /**
   * A cpupool.
   *
   * @param pool its name on the host
   * @param of whether the settings are of the whole cpupool or of what is split from it
   */
  record Pool(String pool, Scope of) implements Target {
    /** Returns the cpupool or the split of a target of this name. */
    public static Pool called(String name) {
      return new Pool(Scope.name(name), Scope.of(name));
    }

    @Override
    public String name() {
      return of.target(pool);
    }

    @Override
    public boolean isSame(Target other) {
      return equals(other);
    }
  }

  /** What the host's kernel keeps in files, for all or for one disk. */
  record Files(String name) implements Target {
    @Override
    public boolean isSame(Target other) {
      return equals(other);
    }
  }
}
