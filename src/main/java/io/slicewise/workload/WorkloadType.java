package io.slicewise.workload;

import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.Options;
import io.slicewise.workload.tiles.Tile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * A type of workload: its name, its keys in an experiment file, and how it is created. One
 * stateless class per workload, listed in {@link Workloads}.
 */
public abstract class WorkloadType {
  /** Whether a key is allowed or required in the experiment file. */
  public enum Need {
    /** It is not allowed. */
    NO,
    /** It is optional. */
    MAY,
    /** It is required; on the embedded lab, a target is not. */
    MUST
  }

  private final String name;
  private final String summary;
  private final String mainDomains;

  /**
   * @param name in experiment files, and of its plan under {@code jmeter-plans/}
   * @param summary one sentence on what is loaded and how
   * @param mainDomains the guests with the role {@code main}, as a phrase; all others have the role
   *     {@code other}
   */
  protected WorkloadType(String name, String summary, String mainDomains) {
    this.name = name;
    this.summary = summary;
    this.mainDomains = mainDomains;
  }

  public final String name() {
    return name;
  }

  public final String summary() {
    return summary;
  }

  public final String mainDomains() {
    return mainDomains;
  }

  /** Whether the load is the site's own traffic, which nobody here can stop. */
  public boolean live() {
    return false;
  }

  /** Whether anything is loaded; if not, an experiment has no users, plan, target or properties. */
  public boolean loads() {
    return !live();
  }

  /** Whether there are requests to measure: those of the load, or those of others. */
  public boolean hasRequests() {
    return loads();
  }

  /** Whether the file has a plan. */
  public Need plan() {
    return loads() ? Need.MAY : Need.NO;
  }

  /** Whether the file has a target. */
  public Need target() {
    return Need.NO;
  }

  /** Its own keys. */
  public List<Option> options() {
    return List.of();
  }

  /**
   * Describes what is measured: the text of all options except places, by name, including defaults.
   * Two runs with different descriptions measured different things.
   */
  public Map<String, String> conditions(Options options) {
    return Option.describe(options(), options.values());
  }

  /** The names of the numbers that it reports as outcomes of a window, beside a load's metrics. */
  public List<String> outcomes(Options options) {
    return List.of();
  }

  /**
   * Whether guests have users of their own, so that an experiment can sweep how many are loaded.
   */
  public boolean loadsEach() {
    return false;
  }

  /** The loads at once with users of their own; empty if all guests share the users. */
  public List<Tile> tiles(Options options) {
    return List.of();
  }

  /** How many guests it needs at least. */
  public int fewestGuests(Options options) {
    return 1;
  }

  /**
   * The numbers of interfering neighbours that an experiment sweeps; empty if all trials have the
   * same number, which the workload then knows.
   */
  public List<Integer> neighbours(Options options) {
    return List.of();
  }

  /**
   * Conditions without neighbours that each block has in addition, each as the part of the workload
   * that a trial has, with the factor of its users; empty unless an experiment asks for them.
   */
  public Map<String, Double> lone(Options options) {
    return Map.of();
  }

  /**
   * The parts of the workload that have trials of their own, such as its queries; empty if all
   * trials have the whole workload. Names are safe in file names.
   */
  public List<String> parts(Options options) {
    return List.of();
  }

  /**
   * The longest time that a trial may take if it measures a fixed amount of work; empty if it
   * measures a window of time.
   */
  public Optional<Duration> work(Options options) {
    return Optional.empty();
  }

  /**
   * Options that were found for a machine.
   *
   * @param options in the place of those of the file
   * @param sentence that describes them, to follow the machine's name
   */
  public record Sized(Map<String, Object> options, String sentence) {}

  /**
   * The options for a machine of some size; empty if they do not depend on it.
   *
   * @param memory of the first guest that is loaded, in bytes; read only if it is needed
   */
  public Optional<Sized> sized(Options options, DoubleSupplier memory) {
    return Optional.empty();
  }

  /**
   * Sentences on what is counted, derived from the plan; empty if there is nothing to explain.
   *
   * @throws io.slicewise.base.units.SlicewiseException if the options do not fit the plan
   */
  public List<String> counts(Path plan, Options options) {
    return List.of();
  }

  /**
   * Creates the workload, ready to be set up.
   *
   * @throws io.slicewise.base.units.SlicewiseException if something required is missing or
   *     unreadable
   */
  public abstract Workload make(WorkloadRequest request);
}
