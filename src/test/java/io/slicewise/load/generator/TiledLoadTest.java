package io.slicewise.load.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.load.generator.LoadGenerator.PreparedLoad;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Of several generators, none is left behind where one cannot be started. */
class TiledLoadTest {
  @Test
  void whatWasStartedIsClosedWhereTheNextCannotBe() {
    List<PreparedLoad> started = new ArrayList<>();
    List<PreparedLoad> closed = new ArrayList<>();
    LoadGenerator generator =
        request -> {
          if (!started.isEmpty()) {
            throw new IllegalStateException("no memory for another one");
          }
          started.add(new Closing(closed));
          return started.get(0);
        };
    Map<String, LoadRequest> requests = new LinkedHashMap<>();
    requests.put("shop", null);
    requests.put("mail", null);

    assertThatThrownBy(() -> generator.prepare(requests, Path.of("results")))
        .hasMessage("no memory for another one")
        .hasSuppressedException(new IllegalStateException("it cannot be stopped"));
    assertThat(closed).isNotEmpty().isEqualTo(started);
  }

  @Test
  void allAreClosedThoughOneCannotBe() {
    List<PreparedLoad> closed = new ArrayList<>();
    Map<String, PreparedLoad> loads = new LinkedHashMap<>();
    loads.put("shop", new Closing(closed));
    loads.put("mail", new Closing(closed));

    assertThatThrownBy(() -> new TiledLoad.Prepared(loads, Path.of("results")).close())
        .hasMessage("it cannot be stopped");
    assertThat(closed).containsExactlyElementsOf(loads.values());
  }

  /** A generator of which nothing counts but that it is closed. */
  private static final class Closing implements PreparedLoad {
    private final List<PreparedLoad> closed;

    Closing(List<PreparedLoad> closed) {
      this.closed = closed;
    }

    @Override
    public RunningLoad begin() {
      throw new IllegalStateException("it never begins");
    }

    @Override
    public void close() {
      closed.add(this);
      throw new IllegalStateException("it cannot be stopped");
    }
  }
}
