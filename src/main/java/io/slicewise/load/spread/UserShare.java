package io.slicewise.load.spread;

import io.slicewise.load.generator.LoadRequest;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One generator's users.
 *
 * @param generator its number among those with users, from 0
 * @param generators with users
 * @param first the number of its first user, from 0
 * @param users that it runs
 */
record UserShare(int generator, int generators, int first, int users) {
  /** The rate that a plan reads itself. */
  static final String RATE = "rate";

  /**
   * Returns the generator's own request, whose files are in a directory of its machine.
   *
   * @param renamed properties that name a file, with its name below that directory
   */
  LoadRequest request(LoadRequest whole, Map<String, String> renamed, String directory) {
    Map<String, String> properties = new LinkedHashMap<>(whole.properties());
    renamed.forEach((name, file) -> properties.put(name, directory + "/" + file));
    for (String key : List.of(RATE, LoadRequest.RATE)) {
      properties.computeIfPresent(key, (name, rate) -> part(rate, users, whole.users()));
    }
    properties.put("slicewise.generator", Integer.toString(generator));
    properties.put("slicewise.generators", Integer.toString(generators));
    properties.put("slicewise.first-user", Integer.toString(first));
    return new LoadRequest(
        Path.of(directory, whole.plan().getFileName().toString()),
        users,
        Math.toIntExact(((long) whole.population() * users + whole.users() - 1) / whole.users()),
        whole.ramp(),
        whole.longest(),
        properties,
        whole.secrets(),
        Path.of(directory));
  }

  /** Independent Poisson streams add up to one, so the rate is split as the users are. */
  static String part(String rate, int users, int all) {
    try {
      return new BigDecimal(rate.strip())
          .multiply(BigDecimal.valueOf(users))
          .divide(BigDecimal.valueOf(all), MathContext.DECIMAL64)
          .toPlainString();
    } catch (NumberFormatException notANumber) {
      return rate;
    }
  }

  /** Returns how much later this generator starts, so that all users start evenly. */
  Duration later(LoadRequest whole) {
    return whole.ramp().multipliedBy(generator).dividedBy(whole.users());
  }
}
