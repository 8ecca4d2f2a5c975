package io.slicewise.host.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.host.Accounts;
import io.slicewise.host.Domain;
import io.slicewise.host.groups.GroupAccounts.Account;
import io.slicewise.host.groups.GroupAccounts.Pcpus;
import io.slicewise.host.groups.GroupAccounts.Reading;
import io.slicewise.host.groups.GroupAccounts.TaskTimes;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Protects who is said to have run on a guest's pCPUs. */
class OthersTest {
  private static final long SECOND = 1_000_000_000;
  private static final BitSet FIRST = BitSet.valueOf(new long[] {1});
  private static final BitSet BOTH = BitSet.valueOf(new long[] {3});

  private static Account account(long used, BitSet own, BitSet may, boolean bounded) {
    return new Account(
        used,
        0,
        Optional.empty(),
        Optional.empty(),
        Map.of(7, new TaskTimes(used, 3 * used)),
        new Pcpus(own, may, own.cardinality() == 1 ? Map.of(0, used) : Map.of()),
        bounded);
  }

  private static Reading reading(
      int seconds, long web, long batch, long wide, long all, boolean bounded) {
    Map<String, Account> guests = new LinkedHashMap<>();
    guests.put("web", account(web, FIRST, FIRST, bounded));
    guests.put("batch", account(batch, FIRST, FIRST, false));
    guests.put("wide", account(wide, BOTH, BOTH, false));
    return new Reading(seconds, guests, Map.of(0, all, 1, 50 * SECOND));
  }

  private static Accounts.Used shares(long batch, long wide, long all) {
    return shares(batch, wide, all, false);
  }

  private static Accounts.Used shares(long batch, long wide, long all, boolean bounded) {
    return new Groups.GroupShares(
            reading(100, SECOND, SECOND, SECOND, SECOND, bounded),
            reading(110, 3 * SECOND, SECOND + batch, SECOND + wide, SECOND + all, bounded))
        .of(new Domain("web", 1, 1, 0, "/top"));
  }

  private static double measured(Accounts.Used used, String name) {
    return used.measured().stream()
        .filter(reading -> reading.name().equals(name))
        .findFirst()
        .orElseThrow()
        .value();
  }

  @Test
  void namesTheGuestsThatRanAndWhatTasksOfNoGuestRan() {
    Accounts.Used web = shares(6 * SECOND, 0, 9 * SECOND);
    assertThat(web.run()).isCloseTo(0.2, within(1e-9));
    assertThat(web.takers())
        .singleElement()
        .matches(taker -> taker.name().equals("batch"))
        .satisfies(taker -> assertThat(taker.value()).isCloseTo(0.6, within(1e-9)));
    assertThat(measured(web, Accounts.OTHERS_RUN)).isCloseTo(0.6, within(1e-9));
    assertThat(measured(web, Accounts.OUTSIDE_RUN)).isCloseTo(0.1, within(1e-9));
    assertThat(measured(web, Accounts.TASKS_WAITING)).isCloseTo(0.6, within(1e-9));
  }

  @Test
  void saysOfWhomItIsNotKnownWhereTheyRan() {
    Accounts.Used web = shares(6 * SECOND, 5 * SECOND, 9 * SECOND);
    assertThat(web.notes())
        .containsExactly("wide may run on other pCPUs, too: what they ran here is in outside run");
    assertThat(web.takers()).hasSize(1);
  }

  /** Its tasks wait for 60 % of the time, for each other: nobody else had more than 10 %. */
  @Test
  void tasksThatWaitForOthersOfTheirGroupDoNotMakeItWait() {
    assertThat(shares(6 * SECOND, 0, 9 * SECOND).waiting()).isCloseTo(0.6, within(1e-9));
    assertThat(shares(0, 0, 3 * SECOND).waiting()).isCloseTo(0.1, within(1e-9));
    assertThat(shares(0, 0, 3 * SECOND, true).waiting())
        .as("a quota above may have held it back")
        .isCloseTo(0.6, within(1e-9));
  }
}
