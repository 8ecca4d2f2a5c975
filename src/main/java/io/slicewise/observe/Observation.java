package io.slicewise.observe;

import io.slicewise.base.units.Window;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * The observations of one observer in a window.
 *
 * @param source the program or files that provided them, such as {@code xenmon}
 * @param covered the part of the window that the records cover
 * @param sightings by place; empty if nothing could be measured
 * @param series values per second, for charts; may be empty
 * @param machines counters of kernels, by machine; only of the observer of machines
 * @param remarks what is missing or in doubt, in sentences
 */
public record Observation(
    Topic topic,
    String source,
    Window covered,
    List<Sighting> sightings,
    List<Series> series,
    Map<String, MachineCounters> machines,
    List<String> remarks) {
  public Observation {
    machines = Collections.unmodifiableMap(new LinkedHashMap<>(machines));
    sightings = List.copyOf(sightings);
    series = List.copyOf(series);
    remarks = remarks.stream().distinct().toList();
  }

  /** Returns an observation without counters of kernels. */
  public Observation(
      Topic topic,
      String source,
      Window covered,
      List<Sighting> sightings,
      List<Series> series,
      List<String> remarks) {
    this(topic, source, covered, sightings, series, Map.of(), remarks);
  }

  /** Returns a copy with other sightings. */
  public Observation with(List<Sighting> others) {
    return new Observation(topic, source, covered, others, series, machines, remarks);
  }

  /**
   * The values of a reading per second.
   *
   * @param place the name of the place
   * @param reading the name of the reading
   * @param values by seconds since the start of the window
   */
  public record Series(String place, String reading, BySecond values) {
    public Series(String place, String reading, SortedMap<Integer, Double> values) {
      this(place, reading, BySecond.of(values));
    }
  }

  /**
   * The measurements of one place by an observer.
   *
   * @param readings summarised over trials
   * @param details stored only with the trial
   * @param note why a reading is unknown or in doubt; otherwise empty
   */
  public record Sighting(
      Location place, List<Reading> readings, List<Reading> details, String note) {
    public Sighting {
      readings = List.copyOf(readings);
      details = List.copyOf(details);
    }

    /** Returns the value of that name, detail or not; {@code NaN} if there is none. */
    public double value(String name) {
      return Stream.concat(readings.stream(), details.stream())
          .filter(reading -> reading.name().equals(name))
          .mapToDouble(Reading::value)
          .findFirst()
          .orElse(Double.NaN);
    }
  }

  /**
   * A measured value.
   *
   * @param name as in files; underscores are printed as spaces
   * @param unit such as {@code B/s}; {@link #SHARE} for 0..1, printed as percent; empty for a pure
   *     number
   * @param value {@code NaN} if unknown
   */
  public record Reading(String name, String unit, double value) {
    /** The unit of a share, 0..1. */
    public static final String SHARE = "share";

    public static Reading share(String name, double value) {
      return new Reading(name, SHARE, value);
    }
  }

  /**
   * The machine, real or virtual, that is measured.
   *
   * @param cpus the CPUs that shares refer to; 0 if unknown
   */
  public record Location(Kind kind, String name, int cpus) {
    /** The kind of machine. */
    public enum Kind {
      HOST("pCPUs"),
      DOMAIN("vCPUs"),
      GENERATOR("cores");

      private final String cpus;

      Kind(String cpus) {
        this.cpus = cpus;
      }

      /** Returns the word for the CPUs of such a machine. */
      public String cpus() {
        return cpus;
      }
    }

    /** Returns a domain without its number of vCPUs. */
    public static Location domain(String name) {
      return new Location(Kind.DOMAIN, name, 0);
    }
  }

  /**
   * The subject of an observer; the observations of one topic form one table.
   *
   * @param name of the table and its file, such as {@code shares}
   * @param title of the table
   * @param placeHeading heading of the column of places; empty if the title names the only place
   */
  public record Topic(String name, String title, String placeHeading) {}
}
