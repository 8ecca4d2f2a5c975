package io.slicewise.profile;

/**
 * The description of one scheduler parameter.
 *
 * @param key its name in files, JSON and on screens
 * @param defaultValue what a profile that leaves it out asks for
 * @param scale how its values are spread for a search or an axis
 * @param measure what its number means
 * @param live whether it can be changed while the guest runs
 * @param inert whether the hypervisor keeps the value without using it
 * @param description one sentence for the schema
 */
public record Parameter<T>(
    String key,
    ParameterKind<T> kind,
    T defaultValue,
    Scale scale,
    Measure measure,
    boolean live,
    boolean inert,
    String description) {

  /** How the values of a parameter are spread. */
  public enum Scale {
    LINEAR,
    LOGARITHMIC
  }

  /** What the number of a parameter means. */
  public enum Measure {
    /** Only its ratio to the values of other domains counts. */
    RATIO,
    /** It has the same meaning whatever the other domains have. */
    ABSOLUTE
  }

  /** A parameter that can be changed live, on a linear scale. */
  static <T> Parameter<T> absolute(
      String key, ParameterKind<T> kind, T defaultValue, String description) {
    return new Parameter<>(
        key, kind, defaultValue, Scale.LINEAR, Measure.ABSOLUTE, true, false, description);
  }

  /** A parameter whose ratio between domains counts; live, on a logarithmic scale. */
  static <T> Parameter<T> ratio(
      String key, ParameterKind<T> kind, T defaultValue, String description) {
    return new Parameter<>(
        key, kind, defaultValue, Scale.LOGARITHMIC, Measure.RATIO, true, false, description);
  }

  Parameter<T> logarithmic() {
    return new Parameter<>(
        key, kind, defaultValue, Scale.LOGARITHMIC, measure, live, inert, description);
  }

  Parameter<T> withoutEffect() {
    return new Parameter<>(key, kind, defaultValue, scale, measure, live, true, description);
  }
}
