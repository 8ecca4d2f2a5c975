package io.slicewise.workload.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What MariaDB refuses is told in the same sentences as what PostgreSQL does. */
@KeepsTheMachineBusy
@ExtendWith(FreshDatabase.class)
@OnMariaDb
@ResourceLock("mariadb")
@Tag("thorough")
class MariaDbFaultsTest {
  @Test
  void saysInOneSentenceWhyThereIsNoConnection(Database database) {
    expect(
        new Database(database.url(), database.user(), Secret.of("hunter2")),
        "refuses user '" + database.user() + "' or the password");
    expect(
        new Database(
            database.url().replaceAll("test_[0-9]+", "nowhere"),
            database.user(),
            database.password()),
        "does not exist");
    expect(
        new Database("jdbc:mariadb://127.0.0.1:1/a", "u", Secret.of("hunter2")), "does not answer");
  }

  private static void expect(Database database, String words) {
    assertThatThrownBy(database::connect)
        .asInstanceOf(InstanceOfAssertFactories.type(SlicewiseException.class))
        .satisfies(
            fault -> {
              assertThat(fault.errorKind()).isEqualTo(ErrorKind.NOT_READY);
              assertThat(fault.getMessage()).contains(words).doesNotContain("hunter2", "\n");
            });
  }
}
