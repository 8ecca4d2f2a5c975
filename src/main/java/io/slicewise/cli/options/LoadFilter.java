package io.slicewise.cli.options;

import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.experiment.load.Load;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** Selects loads, by an option for each axis; all of them by default. */
@Command
public final class LoadFilter {
  private final Map<Axis, List<Level>> wanted = new EnumMap<>(Axis.class);

  /** Adds the options to the command. */
  @Spec(Spec.Target.MIXEE)
  void addTo(CommandSpec command) {
    for (Axis axis : Axis.values()) {
      command.addOption(
          OptionSpec.builder("--" + axis.key())
              .paramLabel(axis.isNumeric() ? "N" : "NAME")
              .splitRegex(",")
              .type(List.class)
              .auxiliaryTypes(axis.isNumeric() ? Double.class : String.class)
              .description(
                  "Select only these %s%s."
                      .formatted(axis.isNumeric() ? "numbers of " : "", axis.about()))
              .setter(
                  new ISetter() {
                    @Override
                    public <T> T set(T value) {
                      wanted.put(axis, value == null ? List.of() : levels((List<?>) value));
                      return value;
                    }
                  })
              .build());
    }
  }

  private static List<Level> levels(List<?> values) {
    return values.stream()
        .map(
            value ->
                value instanceof Double number ? Level.of(number) : Level.of(String.valueOf(value)))
        .toList();
  }

  public boolean takes(Load load) {
    return wanted.entrySet().stream()
        .allMatch(
            asked ->
                asked.getValue().isEmpty()
                    || load.level(asked.getKey()).filter(asked.getValue()::contains).isPresent());
  }
}
