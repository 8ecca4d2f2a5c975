package io.slicewise.host.monitor.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.host.monitor.StandInHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects the way of a guest's disk from XenStore's words down to the disks of dom0. */
class GuestDisksTest {
  private static final Map<Integer, String> DOMAINS =
      Map.of(0, "Domain-0", 1, "db", 2, "web", 3, "storage");

  private static final String RECORDED = "src/test/resources/xen/guest-disk";

  /** A mirror of two partitions below a volume group, and a file on one of them. */
  private static final String MADE =
      """
      /local/domain/0/backend/vbd/1/51712/params = "/dev/vg-fast/db"
      /local/domain/0/backend/vbd/1/51712/mode = "w"
      /local/domain/0/backend/vbd/1/51712/physical-device = "fd:2"
      /local/domain/0/backend/qdisk/1/51728/params = "raw:/dev/vg-fast/db"
      /local/domain/0/backend/qdisk/1/51728/mode = "w"
      /local/domain/0/backend/qdisk/2/51712/params = "aio:/srv/my guests/web.img"
      /local/domain/0/backend/qdisk/2/51712/mode = "r"
      /local/domain/0/backend/qdisk/2/51728/params = ""
      /local/domain/0/backend/qdisk/2/51728/mode = "r"
      /local/domain/3/backend/vbd/2/51744/params = "/dev/sdq"
      /local/domain/3/backend/vbd/2/51744/mode = "w"
      /local/domain/0/backend/vbd/9/51712/params = "/srv/lost.img"
      /local/domain/0/backend/vbd/9/51712/physical-device = "7:0"
      /libxl/1/type = "pvh"
      /libxl/2/type = "pv"
      /sys/block/dm-2/slaves/md0
      /sys/block/md0/slaves/sda2
      /sys/block/md0/slaves/sdb2
      /sys/block/dm-2/dev:253:2
      /sys/block/dm-2/dm/name:vg--fast-db
      /sys/block/md0/dev:9:0
      /sys/block/sda/dev:8:0
      /sys/block/sda/sda1/dev:8:1
      /sys/block/sda/sda2/dev:8:2
      /sys/block/sdb/dev:8:16
      /sys/block/sdb/sdb2/dev:8:18
      /sys/block/loop0/dev:7:0
      /sys/block/loop0/loop/backing_file:/tmp/lost.img
      /sys/block/loop0/loop/dio:0
      /proc/self/mountinfo:1 0 8:1 / / rw - ext4 /dev/sda1 rw
      /proc/self/mountinfo:2 1 9:0 / /srv/my\\040guests rw - ext4 /dev/md0 rw
      /proc/self/mountinfo:3 1 0:24 / /tmp rw - tmpfs tmpfs rw
      """;

  @TempDir Path directory;

  private static List<String> ways(GuestDisks found) {
    return found.disks().stream().map(disk -> disk.name() + ": " + disk.way()).toList();
  }

  @Test
  void followsVolumesMirrorsPartitionsAndFilesToTheDisks() {
    GuestDisks found = GuestDisks.read(MADE.lines().toList(), DOMAINS);

    assertThat(found.types()).isEqualTo(Map.of("db", "PVH", "web", "PV"));
    assertThat(ways(found))
        .containsExactly(
            "db/xvda: /dev/vg-fast/db through blkback, on sda and sdb",
            "db/xvdb: /dev/vg-fast/db through QEMU, on sda and sdb",
            "web/xvda: /srv/my guests/web.img through QEMU, read only, on sda and sdb",
            "web/xvdb: no medium through QEMU, read only, on unknown disks",
            "web/xvdc: /dev/sdq through blkback of storage",
            "domain 9/xvda: /srv/lost.img through blkback, file /tmp/lost.img without direct I/O,"
                + " on unknown disks");
    assertThat(found.disks()).filteredOn(GuestDisks.Disk::buffered).hasSize(1);
  }

  @Test
  void followsTheDiskOfAGuestOfARealXen() throws IOException {
    Map<String, Boolean> buffered = Map.of("direct", false, "buffered-empty", true);
    for (String arm : buffered.keySet()) {
      Path recorded = Path.of(System.getProperty("slicewise.home"), RECORDED, arm, "way.txt");
      assertThat(GuestDisks.read(Files.readAllLines(recorded), Map.of(3, "SQL_Server")).disks())
          .containsExactly(
              new GuestDisks.Disk(
                  "SQL_Server/xvda",
                  "/dev/loop0 through blkback, file /lab/sql.img %s direct I/O, on vda"
                      .formatted(buffered.get(arm) ? "without" : "with"),
                  buffered.get(arm)));
    }
  }

  /** The words of XenStore that are no disk's stay on the host. */
  @Test
  void asksWithOneCommandForNothingButDisksAndTypes() throws IOException {
    StandInHost host =
        new StandInHost(Files.createDirectory(directory.resolve("programs")))
            .with("xenstore-ls", "cat '%s'".formatted(directory.resolve("store")));
    Files.writeString(
        directory.resolve("store"),
        MADE + "/local/domain/0/backend/vfb/1/0/vncpasswd = \"secret\"\n");

    GuestDisks found = GuestDisks.of(host, false, DOMAINS);

    assertThat(found.disks()).hasSize(6);
    assertThat(host.commands()).hasSize(1);
    assertThat(host.output()).contains("/libxl/1/type").doesNotContain("secret", "vfb");
  }

  @Test
  void aHostWithoutXenStoreHasNone() throws IOException {
    StandInHost host = new StandInHost(Files.createDirectory(directory.resolve("programs")));

    assertThat(GuestDisks.of(host, false, DOMAINS)).isEqualTo(new GuestDisks(Map.of(), List.of()));
  }
}
