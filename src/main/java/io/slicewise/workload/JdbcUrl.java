package io.slicewise.workload;

import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.workload.target.Database;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A JDBC address without a password in it. */
public record JdbcUrl() implements OptionKind {
  @Override
  public Map<String, Object> schema() {
    return OptionKind.ordered("type", "string", "pattern", "^jdbc:");
  }

  @Override
  public String example() {
    return "\"jdbc:postgresql://database/slicewise\"";
  }

  @Override
  public Optional<Object> read(YamlValue value, Path file) {
    return value.parsed(
        text -> {
          try {
            return new Database(text, "", Secret.NONE).url();
          } catch (SlicewiseException refused) {
            throw new IllegalArgumentException(
                "is not valid: " + refused.getMessage() + "; " + refused.hint(), refused);
          }
        });
  }

  /** Returns only whether there is an address: its place does not affect what is measured. */
  @Override
  public String describe(Object value) {
    return "given";
  }
}
