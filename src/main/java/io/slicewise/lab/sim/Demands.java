package io.slicewise.lab.sim;

import io.slicewise.lab.sim.SchedulerOptions.PoolLimits;
import java.time.Duration;

/**
 * The total mean demand of one page view; a {@link Route} divides it into visits. The embedded
 * lab's guests and the simulation both use this table.
 *
 * @param web CPU time of the web server: reading the request, putting the page together, sending it
 * @param database CPU time of the database
 * @param file CPU time of the file server
 * @param dom0 CPU time of the control domain, for every packet and block between the guests
 * @param disk time at the disk, not on any CPU
 */
public record Demands(
    Duration web, Duration database, Duration file, Duration dom0, Duration disk) {
  /**
   * The demands of the 2010 study, by the utilisation law D = U / X from its tables for credit at
   * weight 256 and 100 users: 12.4, 6.2, 1.7 and 28.3 % of four pCPUs at 94.39 / 1.125 requests/s
   * (its rates are 12.5 % high). No CPU was saturated, so something else was: the disk, 1 / X.
   */
  public static final Demands STUDY_2010 =
      new Demands(micros(5912), micros(2956), micros(810), micros(13492), micros(11919));

  /**
   * The demands of the embedded lab; chosen, not measured. They sum to 44 ms, so four pCPUs serve
   * at most about 91 pages per second and 25 users without think time saturate them: every setting
   * that takes time from a domain has a visible effect.
   */
  public static final Demands LAB =
      new Demands(
          Duration.ofMillis(10),
          Duration.ofMillis(10),
          Duration.ofMillis(8),
          Duration.ofMillis(16),
          Duration.ZERO);

  public Demands {
    if (web.isNegative()
        || database.isNegative()
        || file.isNegative()
        || dom0.isNegative()
        || disk.isNegative()) {
      throw new IllegalArgumentException("service demands must not be negative");
    }
  }

  private static Duration micros(long micros) {
    return PoolLimits.micros(micros);
  }

  public Duration at(Place place) {
    return switch (place) {
      case DOM0 -> dom0;
      case WEB -> web;
      case DATABASE -> database;
      case FILE -> file;
      case DISK -> disk;
    };
  }

  /** All demands times a factor. */
  public Demands scaled(double factor) {
    return new Demands(
        scaled(web, factor),
        scaled(database, factor),
        scaled(file, factor),
        scaled(dom0, factor),
        scaled(disk, factor));
  }

  /** The factor by which these are the embedded lab's, scaled. */
  public double factor() {
    return (double) web.toNanos() / LAB.web.toNanos();
  }

  private static Duration scaled(Duration demand, double factor) {
    return Duration.ofNanos(Math.round(demand.toNanos() * factor));
  }

  /** A place where a page view spends time. */
  public enum Place {
    /** The control domain, whose drivers carry packets and blocks between the guests. */
    DOM0("dom0"),
    WEB("web"),
    DATABASE("database"),
    FILE("file"),
    /** Off the CPUs: one server, first come first served. */
    DISK("disk");

    private final String key;

    Place(String key) {
      this.key = key;
    }

    /** The name in files and on screens. */
    public String key() {
      return key;
    }
  }
}
