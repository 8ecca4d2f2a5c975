package io.slicewise.experiment;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * JMeter's own servers that generate the load.
 *
 * @param addresses such as {@code load1:1099}
 * @param passwordFile with the keystore's password; empty for JMeter's default
 * @param alias of the key in the keystore
 */
public record JMeterServersSpec(
    List<String> addresses, Path keystore, Optional<Path> passwordFile, String alias) {
  public JMeterServersSpec {
    addresses = List.copyOf(addresses);
  }
}
