package io.slicewise.lab;

import java.time.Duration;

/**
 * The CPU time one page view costs on each part of the host, on average; every single burst is
 * drawn from an exponential distribution around its share of it.
 *
 * <p>The defaults sum to 44 ms, so that four pCPUs serve at most some 91 pages a second and 25
 * users without think time keep all of them busy: every setting that takes time from one domain
 * shows.
 *
 * @param web the web server: reading the request, putting the page together, sending it
 * @param database three statements
 * @param files header and footer
 * @param dom0 the control domain's part in every packet and block that passes between guests
 */
public record ServiceDemands(Duration web, Duration database, Duration files, Duration dom0) {
  public static final ServiceDemands STUDY =
      new ServiceDemands(
          Duration.ofMillis(10),
          Duration.ofMillis(10),
          Duration.ofMillis(8),
          Duration.ofMillis(16));

  public ServiceDemands {
    if (web.isNegative() || database.isNegative() || files.isNegative() || dom0.isNegative()) {
      throw new IllegalArgumentException("service demands are not negative");
    }
  }

  /** All demands times that factor; the lab's machine is then faster or slower. */
  public ServiceDemands scaled(double factor) {
    return new ServiceDemands(
        scaled(web, factor), scaled(database, factor), scaled(files, factor), scaled(dom0, factor));
  }

  private static Duration scaled(Duration demand, double factor) {
    return Duration.ofNanos(Math.round(demand.toNanos() * factor));
  }

  public Duration sum() {
    return web.plus(database).plus(files).plus(dom0);
  }
}
