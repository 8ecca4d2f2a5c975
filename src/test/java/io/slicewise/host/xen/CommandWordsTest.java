package io.slicewise.host.xen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.xen.Xen.CommandWords;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import io.slicewise.ssh.Command;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Protects the commands that people are told to type: the toolstack's own, by domain name. */
class CommandWordsTest {
  private static List<String> lines(List<Command> commands) {
    return commands.stream().map(Command::quoted).toList();
  }

  @Test
  void namesTheDomainAsThatToolstackWantsIt() {
    assertThat(
            lines(
                CommandWords.of("xl", HypervisorVersion.of(4, 17), false)
                    .set("web", Credit.of(512, 40))))
        .containsExactly("xl sched-credit -d web -w 512 -c 40");
    SchedulerParameters sedf =
        Sedf.of(Duration.ofMillis(100), Duration.ofMillis(20), Duration.ZERO, true, 0);
    assertThat(lines(CommandWords.of("xm", HypervisorVersion.of(3, 3), true).set("web", sedf)))
        .containsExactly("sudo -n xm sched-sedf web -p 100 -s 20 -l 0 -e 1 -w 0");
    SchedulerParameters rtds = Rtds.of(Duration.ofMillis(10), Duration.ofMillis(4), true);
    assertThat(lines(CommandWords.of("xl", HypervisorVersion.of(4, 17), false).set("web", rtds)))
        .containsExactly("xl sched-rtds -d web -v all -p 10000 -b 4000 -e 1");
  }

  @Test
  void quotesNamesForTheShell() {
    assertThat(
            lines(
                CommandWords.of("xl", HypervisorVersion.of(4, 17), false)
                    .set("my web;rm", Credit.of(1, 0))))
        .containsExactly("xl sched-credit -d 'my web;rm' -w 1 -c 0");
  }

  @Test
  void refusesWhatTheToolWouldMisread() {
    CommandWords words = CommandWords.of("xl", HypervisorVersion.of(4, 17), false);
    assertThatThrownBy(() -> words.set("17", Credit.of(256, 0)))
        .isInstanceOf(HypervisorException.class)
        .hasMessageContaining("17");
    assertThatThrownBy(() -> words.set("web", Credit.of(70000, 0)))
        .isInstanceOf(HypervisorException.class)
        .hasMessageContaining("70000");
    assertThatThrownBy(() -> CommandWords.of("virsh", HypervisorVersion.of(4, 17), false))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
