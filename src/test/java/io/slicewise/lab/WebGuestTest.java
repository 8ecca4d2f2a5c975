package io.slicewise.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.profile.Scheduler;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Holds that the guests' application is real and that its speed is the simulated machine's:
 * settings made over SSH move what users get.
 */
@Tag("lab")
class WebGuestTest {
  private static LabClient client;

  @BeforeAll
  static void start() {
    client = LabClient.start(LabOptions.defaults().withScheduler(Scheduler.CREDIT));
  }

  @AfterAll
  static void stop() {
    client.close();
  }

  @Test
  void capOfTheWebServerLimitsWhatUsersGet() throws Exception {
    WebUsers users = new WebUsers(client.lab().target().orElseThrow());
    assertThat(client.run("xl sched-credit -d Apache_Server -c 25").exitStatus()).isZero();
    users.run(12, Duration.ofMillis(500));
    long served = users.run(12, Duration.ofSeconds(2));
    client.run("xl sched-credit -d Apache_Server -c 0");
    assertThat(users.failures()).isZero();
    // A quarter of a pCPU serves 25 pages of 10 ms a second; without the cap it would be some 90.
    assertThat(served).isBetween(1L, 80L);
  }

  @Test
  void guestsSpendTheCpuTimeThatPagesCost() throws Exception {
    URI target = client.lab().target().orElseThrow();
    double before = seconds("MySQL_Server");
    long served = new WebUsers(target).run(4, Duration.ofSeconds(2));
    double spent = seconds("MySQL_Server") - before;
    assertThat(served).isPositive();
    // 10 ms of database a page, drawn at random; the listing shows tenths of a second.
    assertThat(spent / served).isBetween(0.004, 0.020);
  }

  private static double seconds(String domain) {
    String[] words = client.output("xl list " + domain).strip().split("\\s+", -1);
    return Double.parseDouble(words[words.length - 1]);
  }
}
