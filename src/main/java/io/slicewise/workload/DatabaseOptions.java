package io.slicewise.workload;

import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.workload.target.Database;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The options with which an experiment names a database. They never contain the password, only its
 * source: a file or an environment variable.
 */
public final class DatabaseOptions {
  /** The environment variable for the password if an experiment names none. */
  public static final String PASSWORD_VARIABLE = "SLICEWISE_DATABASE_PASSWORD";

  static final String URL = "database";
  static final String USER = "database-user";
  static final String PASSWORD_ENVIRONMENT = "database-password-env";
  static final String PASSWORD_FILE = "database-password-file";

  private DatabaseOptions() {}

  /** Returns the options; the workload decides whether the address is required. */
  public static List<Option> options(boolean needed, String about) {
    OptionKind jdbc = new JdbcUrl();
    return List.of(
        needed ? Option.needed(URL, jdbc, about).asPlace() : Option.optional(URL, jdbc, about),
        Option.optional(USER, new OptionKind.Text(), "the user of the database").asPlace(),
        Option.optional(
                PASSWORD_ENVIRONMENT,
                new OptionKind.Text(),
                "the environment variable with its password; default: " + PASSWORD_VARIABLE)
            .asPlace(),
        Option.optional(
                PASSWORD_FILE, new OptionKind.File(), "the file whose first line is its password")
            .asPlace());
  }

  /**
   * Returns the database that the options name, if any.
   *
   * @throws SlicewiseException if the password's file or named variable is missing
   */
  public static Optional<Database> database(Options options, Map<String, String> environment) {
    return options
        .text(URL)
        .map(
            url ->
                new Database(url, options.text(USER).orElse(""), password(options, environment)));
  }

  /**
   * Returns the database that a request names.
   *
   * @throws SlicewiseException as {@link #database}, or if it names none
   */
  public static Database needed(String workload, WorkloadRequest request) {
    return database(request.options(), request.environment())
        .orElseThrow(() -> WorkloadRequest.missing(workload, "database: the PostgreSQL database"));
  }

  private static Secret password(Options options, Map<String, String> environment) {
    return WorkloadRequest.secret(options, environment, PASSWORD_FILE, PASSWORD_ENVIRONMENT)
        .orElseGet(() -> Secret.of(environment.getOrDefault(PASSWORD_VARIABLE, "")));
  }

  /** A JDBC address without a password in it. */
  record JdbcUrl() implements OptionKind {
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
}
