package io.slicewise.profile;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the parameters of a description are set on, and how profiles and journals name it. */
public enum Scope {
  /** A running domain, under the scheduler of its cpupool. */
  DOMAIN("domains", "domain", ""),
  /** A cpupool as a whole, under its scheduler. */
  POOL("pools", "pool", "cpupool "),
  /** Where the vCPUs of a domain may run, under any scheduler. */
  PLACE("placement", "domain", "placement of "),
  /** A cpupool of its own for some guests, made of the pCPUs of another one. */
  SPLIT("split", "pool", "split of "),
  /** The Linux kernel of a host as a whole, whatever its hypervisor: there is one. */
  HOST("host", "host", "the host"),
  /** A disk of the host. */
  DISK("disks", "disk", "disk ");

  /** The scopes that profiles name one by one, after their domains. */
  static final List<Scope> BEYOND_DOMAINS = List.of(POOL, PLACE, SPLIT, HOST, DISK);

  private static final Set<Scope> FILES = Set.of(HOST, DISK);

  private final String key;
  private final String word;
  private final String prefix;

  Scope(String key, String word, String prefix) {
    this.key = key;
    this.word = word;
    this.prefix = prefix;
  }

  /** Returns the key in a profile, which contains the parameters by name. */
  public String key() {
    return key;
  }

  /** Returns what the names below that key are of. */
  String word() {
    return word;
  }

  /** Returns the name, as a target of settings, of what has this name on the host. */
  public String target(String name) {
    return prefix + name;
  }

  /** Returns the pattern of the names of this scope: they become words of commands, or paths. */
  public String namePattern() {
    return this == DISK
        ? "^[A-Za-z0-9][A-Za-z0-9._!-]{0,63}$"
        : "^(?!-)(?![\\s\\S]*[\\u0000-\\u001f\\u007f-\\u009f])(?=[\\s\\S]*\\S)";
  }

  /** Returns the rule that a name of this scope breaks; empty if none. */
  public Optional<String> nameFault(String name) {
    if (!Pattern.compile(namePattern()).matcher(name).find()) {
      return Optional.of(
          this == DISK
              ? "is no name of a disk, as sda or nvme0n1: it must begin with a letter or digit and"
                  + " contain only these, dots, dashes, underscores and exclamation marks"
              : "must not be empty, begin with a dash or contain a control character: it becomes a"
                  + " word of commands");
    }
    return this == DOMAIN && of(name) != DOMAIN
        ? Optional.of("begins as the name of a %s does".formatted(of(name).word))
        : Optional.empty();
  }

  /** Returns whether that is the name of a target of this scope. */
  public boolean has(String target) {
    return of(target) == this;
  }

  /** Returns the scope of the target of that name. */
  public static Scope of(String target) {
    return BEYOND_DOMAINS.stream()
        .filter(scope -> target.startsWith(scope.prefix))
        .findFirst()
        .orElse(DOMAIN);
  }

  /** Returns the name on the host of what a target is: a domain's or a cpupool's. */
  public static String name(String target) {
    return target.substring(of(target).prefix.length());
  }

  /** Returns whether it is of the host itself: all guests have it in common. */
  public static boolean ofHost(String target) {
    return FILES.contains(of(target));
  }

  /** Returns the description of this scope's parameters under a scheduler; empty if it has none. */
  Optional<Scheduler> description(Scheduler scheduler) {
    return switch (this) {
      case DOMAIN -> Optional.of(scheduler);
      case POOL -> scheduler.pool();
      case HOST -> Optional.of(Scheduler.KERNEL);
      case DISK -> Optional.of(Scheduler.DISK);
      case PLACE, SPLIT ->
          Stream.of(Scheduler.PLACEMENT, Scheduler.SPLIT)
              .filter(one -> one.scope() == this && one.hypervisor().equals(scheduler.hypervisor()))
              .findFirst();
    };
  }

  /** Returns why a scheduler has no such parameters. */
  String whyNone(Scheduler scheduler) {
    String rule =
        switch (this) {
          case PLACE -> "it is Xen's; use " + (scheduler == Scheduler.CFS ? "pinning" : "cpus");
          case SPLIT -> "only Xen has cpupools";
          default -> scheduler + " sets nothing for a whole cpupool";
        };
    String whose = this == POOL ? "" : " for " + scheduler;
    return "%s has no meaning%s: %s".formatted(key, whose, rule);
  }
}
