package io.slicewise.host.monitor;

import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The monitor of a host without one: every share is "not measured". */
record NoMonitor(List<String> remarks) implements Monitor {
  NoMonitor {
    remarks = List.copyOf(remarks);
  }

  @Override
  public String name() {
    return MonitorResult.NONE;
  }

  @Override
  public boolean runsForALength() {
    return false;
  }

  @Override
  public Watch start(Duration length, List<Domain> domains, Path directory) {
    List<Domain> listed = List.copyOf(domains);
    return new Watch() {
      @Override
      public MonitorResult finish(Window window) {
        return new MonitorResult(
            MonitorResult.NONE,
            new Window(window.start(), window.start()),
            listed.stream().map(d -> Accounting.unknown(d, "the host has no monitor")).toList(),
            List.of(),
            remarks);
      }

      @Override
      public void close() {}
    };
  }
}
