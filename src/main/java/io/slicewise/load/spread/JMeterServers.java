package io.slicewise.load.spread;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Plural;
import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.UserDirectory;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.load.generator.child.Generator;
import io.slicewise.load.spread.GeneratorPart.UserShare;
import io.slicewise.load.spread.SplitPlan.SplitFindings;
import io.slicewise.load.spread.SplitPlan.SplitRules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A load from JMeter's own servers, in its distributed mode. A process on this machine is their
 * client and receives all samples, so its health is the generator's.
 *
 * @param addresses such as {@code load1:1099}
 * @param keystore with which they know each other over TLS
 * @param password of the keystore
 * @param alias of the key in it
 */
public record JMeterServers(
    List<String> addresses, Path keystore, Secret password, String alias, SplitRules rules)
    implements LoadGenerator {
  private static final String KEYSTORE = "server.rmi.ssl.keystore.";

  public JMeterServers {
    addresses = List.copyOf(addresses);
  }

  @Override
  public PreparedLoad prepare(LoadRequest request) {
    List<String> faults =
        new ArrayList<>(faults(request.plan(), request.properties(), List.of(request.users())));
    request.secrets().keySet().stream()
        .map(
            name ->
                ("property %s is a secret, and JMeter's servers write the properties that they are"
                        + " sent to their logs, unlike generators over SSH")
                    .formatted(name))
        .forEach(faults::add);
    new SplitFindings(faults, List.of()).refuse(request.plan());
    return LoadGenerator.forked()
        .prepare(
            new LoadRequest(
                request.plan().toAbsolutePath(),
                request.users() / addresses.size(),
                request.population(),
                request.ramp(),
                request.longest(),
                properties(request.properties()),
                secrets(),
                request.directory().toAbsolutePath()));
  }

  /**
   * Returns why a plan cannot run on these servers, one sentence each.
   *
   * @param loads numbers of users
   */
  public List<String> faults(Path plan, Map<String, String> properties, List<Integer> loads) {
    List<String> faults = new ArrayList<>();
    if (addresses.size() > 1) {
      faults.addAll(SplitPlan.faultsOfServers(plan, properties, rules));
    }
    loads.forEach(users -> unequal(users).ifPresent(faults::add));
    return List.copyOf(faults);
  }

  /** Returns why they cannot have that many users; empty if they can. */
  private Optional<String> unequal(int users) {
    int number = addresses.size();
    int less = users / number * number;
    return less == users
        ? Optional.empty()
        : Optional.of(
            "%s cannot be divided equally by %d JMeter servers; %s can"
                .formatted(
                    Plural.of(users, "user"),
                    number,
                    less == 0 ? Integer.toString(number) : less + " or " + (less + number)));
  }

  /** Returns the properties of the process that is their client. */
  public Map<String, String> properties(Map<String, String> given) {
    Map<String, String> properties = new LinkedHashMap<>(given);
    properties.computeIfPresent(
        UserShare.RATE, (name, rate) -> UserShare.part(rate, 1, addresses.size()));
    properties.put(Generator.SERVERS, String.join(",", addresses));
    properties.put(KEYSTORE + "file", keystore.toAbsolutePath().toString());
    properties.put(KEYSTORE + "alias", alias);
    try {
      properties.put(Generator.MARKS, UserDirectory.CACHE.of("jmeter-servers").toString());
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.STORAGE, "the cache directory cannot be created: " + fault, "", fault);
    }
    return properties;
  }

  /** Returns the properties that are in no file. */
  public Map<String, Secret> secrets() {
    return Map.of(KEYSTORE + "password", password);
  }
}
