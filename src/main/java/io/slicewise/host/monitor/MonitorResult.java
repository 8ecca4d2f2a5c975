package io.slicewise.host.monitor;

import io.slicewise.base.units.Window;
import java.time.Instant;
import java.util.List;

/**
 * The result of one monitor in a window.
 *
 * @param source {@code xenmon}, {@code xenalyze}, {@code xentop} or {@code none}
 * @param covered the part of the window that the monitor's records cover
 * @param series shares per second, for plots; may be empty
 * @param warnings sentences for the report's footnotes
 */
public record MonitorResult(
    String source,
    Window covered,
    List<DomainShares> shares,
    List<Second> series,
    List<String> warnings) {
  /** The source of what no monitor watched. */
  public static final String NONE = "none";

  public MonitorResult {
    shares = List.copyOf(shares);
    series = List.copyOf(series);
    warnings = List.copyOf(warnings);
  }

  /** Returns the result of a window from that instant which no monitor watched. */
  public static MonitorResult none(Instant start, List<String> warnings) {
    return new MonitorResult(NONE, new Window(start, start), List.of(), List.of(), warnings);
  }

  /** Shares of one domain in one second, counted from the start of the window. */
  public record Second(int second, String domain, double run, double waiting) {}
}
