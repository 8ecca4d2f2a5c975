package io.slicewise.profile;

/**
 * The description of one scheduler parameter.
 *
 * @param key its name in files, JSON and on screens
 * @param defaultValue the value in a profile that omits it
 * @param scale the scale for a search or an axis
 * @param measure the meaning of its number
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

  /** The scale of a parameter's values. */
  public enum Scale {
    LINEAR,
    LOGARITHMIC
  }

  /** The meaning of a parameter's number. */
  public enum Measure {
    /** Only the ratio to the values of other domains matters. */
    RATIO,
    /** The meaning does not depend on the values of other domains. */
    ABSOLUTE
  }

  /** A parameter that can be changed live, on a linear scale. */
  static <T> Parameter<T> absolute(
      String key, ParameterKind<T> kind, T defaultValue, String description) {
    return new Parameter<>(
        key, kind, defaultValue, Scale.LINEAR, Measure.ABSOLUTE, true, false, description);
  }

  /** A parameter of which only the ratio between domains matters; live, on a logarithmic scale. */
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
