package io.slicewise.workload.target;

import io.slicewise.base.units.Secret;
import io.slicewise.lab.guest.LabDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test a {@link Database} of its own in a real PostgreSQL server, or in a MariaDB server
 * for a class that is marked so; each is started once for all test classes and stopped with the
 * last.
 */
public final class FreshDatabase implements ParameterResolver, ExecutionCondition {
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Database.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ExtensionContext.Store store =
        context.getRoot().getStore(Namespace.create(FreshDatabase.class));
    return onMariaDb(context)
        ? store
            .getOrComputeIfAbsent(
                MariaDbServer.class, key -> MariaDbServer.start(), MariaDbServer.class)
            .fresh()
        : store.getOrComputeIfAbsent(Server.class, key -> new Server(), Server.class).fresh();
  }

  private static boolean onMariaDb(ExtensionContext context) {
    return context
        .getTestClass()
        .filter(type -> type.isAnnotationPresent(OnMariaDb.class))
        .isPresent();
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return onMariaDb(context)
        ? MariaDbServer.obstacle()
            .map(ConditionEvaluationResult::disabled)
            .orElseGet(() -> ConditionEvaluationResult.enabled("MariaDB can run here"))
        : ConditionEvaluationResult.enabled("PostgreSQL runs everywhere");
  }

  /** The options by which a workload is given that database; its password comes from a file. */
  public static Map<String, Object> options(Database database) {
    try {
      Path file = Files.createTempFile("slicewise-test-", ".password");
      file.toFile().deleteOnExit();
      Files.writeString(file, database.password().reveal());
      return Map.of(
          "database",
          database.url(),
          "database-user",
          database.user(),
          "database-password-file",
          file.toString());
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Returns the database of a workload's options. */
  public static Database of(Map<String, Object> options) {
    return new Database(
        (String) options.get("database"),
        (String) options.get("database-user"),
        Secret.inFile(Path.of((String) options.get("database-password-file"))));
  }

  /**
   * Lets applications ask the server for its own report of a statement, and for the kernel's
   * account of the process that runs it. Only databases that are created afterwards.
   */
  public static void letReport(LabDatabase server) {
    server.administer("GRANT SET ON PARAMETER log_statement_stats TO PUBLIC");
    server.administer("GRANT pg_read_server_files TO slicewise");
    server.administer("template1", "GRANT EXECUTE ON FUNCTION pg_read_file(text) TO slicewise");
  }

  /** The lab's own server: passwords are random, and tests sign in as applications do. */
  private static final class Server implements AutoCloseable {
    private final AtomicInteger number = new AtomicInteger();
    private final Path directory;
    private final LabDatabase postgres;

    Server() {
      try {
        directory = Files.createTempDirectory("slicewise-test-database-");
      } catch (IOException fault) {
        throw new UncheckedIOException(fault);
      }
      postgres = LabDatabase.start(directory.resolve("data"), new LabDatabase.Size(200, "128MB"));
      // A test lets a database run out of room by it.
      postgres.administer("GRANT SET ON PARAMETER temp_file_limit TO PUBLIC");
      // Another asks for the server's own report of a statement.
      letReport(postgres);
    }

    Database fresh() {
      return postgres.create("test_" + number.incrementAndGet());
    }

    @Override
    public void close() {
      postgres.close();
      FileUtils.deleteQuietly(directory.toFile());
    }
  }
}
