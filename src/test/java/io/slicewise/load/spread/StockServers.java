package io.slicewise.load.spread;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** Two of JMeter's own servers, started once for all test classes and stopped with the last. */
public final class StockServers implements BeforeAllCallback {
  private Pair pair;

  @Override
  public void beforeAll(ExtensionContext context) {
    pair =
        context
            .getRoot()
            .getStore(Namespace.create(StockServers.class))
            .getOrComputeIfAbsent(Pair.class, key -> Pair.start(), Pair.class);
  }

  public StockServer first() {
    return pair.first();
  }

  public StockServer second() {
    return pair.second();
  }

  /** Starts a further server, which its test ends. */
  public StockServer another() throws IOException {
    return StockServer.start(pair.installed());
  }

  public Path keystore() {
    return pair.installed().resolve("bin/rmi_keystore.jks");
  }

  /** The directory of the marks of servers on which users may run. */
  Path marks() {
    return pair.home().resolve("marks");
  }

  /** Neither server has the mark of users that may still run there. */
  public void areUnmarked() {
    for (StockServer server : new StockServer[] {first(), second()}) {
      assertThat(marks())
          .isDirectoryNotContaining("glob:**%3A" + server.address().replaceFirst(".*:", ""));
    }
  }

  private record Pair(Path home, Path installed, StockServer first, StockServer second)
      implements AutoCloseable {
    private static final String MARKS = "slicewise.cache.jmeter-servers";

    static Pair start() {
      try {
        Path home = Files.createTempDirectory("slicewise-test-jmeter-");
        System.setProperty(MARKS, home.resolve("marks").toString());
        Path installed = StockServer.install(home.resolve("jmeter"));
        return new Pair(
            home, installed, StockServer.start(installed), StockServer.start(installed));
      } catch (Exception fault) {
        throw new IllegalStateException("JMeter's servers do not start", fault);
      }
    }

    @Override
    public void close() {
      System.clearProperty(MARKS);
      first.close();
      second.close();
      FileUtils.deleteQuietly(home.toFile());
    }
  }
}
