package io.slicewise.host.xen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.host.HypervisorException;
import io.slicewise.ssh.RemoteShell;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects that what a toolstack complained about reaches the user, in its own words. */
class ToolErrorsTest {
  @ParameterizedTest
  @CsvSource({
    "xm-3.3-weight-out-of-range.stderr.txt,weight is out of range",
    "xm-4.4-weight-out-of-range.stderr.txt,'valid values are within range from 1 to 65535'",
    "xm-3.3-sedf-invalid.stderr.txt,Invalid argument",
    "xl-4.17-sched-credit-set-on-credit2-pool.stderr.txt,Getting domain sched credit"
  })
  void quotesTheComplaint(String file, String words) {
    RemoteShell shell = new ScriptedShell().answering("x set", 1, "", ScriptedShell.recorded(file));
    assertThatThrownBy(() -> new Tool(shell, List.of("x")).change(List.of("set")))
        .isInstanceOf(HypervisorException.class)
        .hasMessageContaining(words)
        .hasMessageContaining("root@dom0:22");
    assertThat(((ScriptedShell) shell).changes()).containsExactly("x set");
  }
}
