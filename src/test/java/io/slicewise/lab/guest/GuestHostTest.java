package io.slicewise.lab.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.lab.disk.PageCache;
import io.slicewise.lab.disk.SharedDisk;
import io.slicewise.lab.disk.SharedDisk.DiskRequest;
import io.slicewise.lab.disk.SharedDisk.DiskRequest.Kind;
import io.slicewise.lab.disk.SharedDisk.DiskSpec;
import io.slicewise.lab.guest.DatabaseScene.DiskUse;
import io.slicewise.lab.guest.GuestHost.GuestCosts;
import io.slicewise.lab.guest.GuestHost.Work;
import io.slicewise.lab.guest.ServiceTimes.StartScatter;
import io.slicewise.lab.host.Driver;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.lab.sim.SchedulerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Protects the planted cost of a guest: exactly its factor, its faults, and what is carried. */
class GuestHostTest {
  private static final int GUEST = 1;
  private static final int FAULTS = 100;
  private static final long WORK = 10_000_000;
  private static final long CARRIED = 1_000_000;
  private static final List<Work> WORKS =
      List.of(
          new Work(GuestHost.DOM0, CARRIED),
          new Work("db", WORK, FAULTS, Optional.of(DiskRequest.blocks(Kind.READ, 1))));

  private final Driver driver =
      new Driver(new Machine(new MachineSpec(1, SchedulerOptions.Credit.XEN_4_17, 1)));
  private final SharedDisk disk =
      new SharedDisk(new DiskSpec(Duration.ZERO, 60, 2, 1, 0), new SplittableRandom(1), guest -> 0);
  private final GuestHost host = new GuestHost();

  @AfterEach
  void stop() {
    driver.close();
  }

  private void boot(GuestCosts costs, int domid, IntFunction<OptionalInt> carriers) {
    driver.ask(
        machine -> {
          machine.addDomain("0", 0, 1, Machine.POOL_0);
          machine.addDomain("1", GUEST, 1, Machine.POOL_0);
          return true;
        });
    host.booted(new GuestCpu(driver, disk, id -> false), costs, Map.of("db", domid), carriers);
  }

  private long ran(int domid) {
    return driver.ask(machine -> machine.times(domid, 0).runningNanos());
  }

  private String sectorsRead(int domid) {
    return driver.ask(machine -> disk.of(machine, domid, 0).disk().split(" ", -1)[2]);
  }

  @Test
  void aGuestPaysItsFactorAndItsFaultsAndIsCarried() {
    boot(new GuestCosts(1.5, Duration.ofNanos(20_000)), GUEST, guest -> OptionalInt.of(0));
    host.spend(WORKS).toCompletableFuture().join();
    assertThat(ran(GUEST)).isEqualTo(WORK * 3 / 2 + FAULTS * 20_000L);
    assertThat(ran(0)).as("a request costs its carrier 50 µs").isEqualTo(CARRIED + 50_000);
    assertThat(sectorsRead(GUEST)).isEqualTo(sectorsRead(0)).isEqualTo("16");
  }

  @Test
  void theBareMachinePaysNeitherAndCountsItsDiskOnce() {
    boot(GuestCosts.BARE, 0, guest -> OptionalInt.empty());
    host.spend(WORKS).toCompletableFuture().join();
    assertThat(ran(0)).isEqualTo(WORK + FAULTS * 2_000L);
    assertThat(sectorsRead(0)).isEqualTo("16");
  }

  @Test
  void aGuestThatDoesNotRunIsNamed() {
    boot(GuestCosts.BARE, GUEST, guest -> OptionalInt.of(0));
    assertThatThrownBy(() -> host.spend(List.of(new Work("web", 1))).toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("guest web is not running");
  }

  @Test
  void aConnectionFaultsOnceAndAQueryReadsWhatIsMissing() {
    ServiceTimes random =
        new ServiceTimes(
            new SplittableRandom(1),
            new StartScatter(0, new SplittableRandom(2), System::nanoTime));
    String select = "P\0\0\0\40\0select sum(l_tax) from lineitem";
    DiskUse warm = new DiskUse("db", new PageCache(4096, 1));
    assertThat(warm.query(WORK, "p\0\0\0\40SCRAM", random)).containsExactly(new Work("db", WORK));
    assertThat(warm.query(WORK, select, random))
        .containsExactly(new Work("db", WORK, 256, Optional.empty()));
    assertThat(warm.query(WORK, "B\0\0\0\40S_1", random))
        .containsExactly(new Work("db", WORK, 0, Optional.empty()));

    PageCache cache = new PageCache(8192, 1);
    cache.drop();
    DiskUse cold = new DiskUse("db", cache);
    assertThat(cold.query(WORK, "Q\0\0\0\40select * from pg_statio_user_tables", random))
        .containsExactly(new Work("db", WORK));
    long read =
        cold.query(WORK, select, random).stream()
            .flatMap(work -> work.request().stream())
            .mapToLong(DiskRequest::bytes)
            .sum();
    assertThat(read).isEqualTo(WORK / 2_000 * DiskRequest.PAGE);
  }
}
