package io.slicewise.target;

import io.slicewise.units.Secret;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
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

  private static final class Server implements AutoCloseable {
    private final AtomicInteger number = new AtomicInteger();
    private final EmbeddedPostgres postgres;

    Server() {
      try {
        postgres =
            EmbeddedPostgres.builder()
                .setServerConfig("fsync", "off")
                .setServerConfig("max_connections", "200")
                .start();
      } catch (IOException fault) {
        throw new UncheckedIOException(fault);
      }
    }

    Database fresh() {
      String name = "test_" + number.incrementAndGet();
      try (Connection connection = postgres.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE DATABASE " + name);
      } catch (SQLException fault) {
        throw new IllegalStateException(fault);
      }
      return new Database(
          "jdbc:postgresql://localhost:" + postgres.getPort() + "/" + name,
          "postgres",
          Secret.of("postgres"));
    }

    @Override
    public void close() throws IOException {
      postgres.close();
    }
  }
}
