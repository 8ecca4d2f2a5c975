package io.slicewise.host.monitor.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.host.monitor.StandInHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects which facts of a host are kept: its disks, networks and topology among them. */
class FingerprintTest {
  @TempDir Path directory;

  @Test
  void disksNetworksAndTopologyAreFacts() throws IOException {
    Path facts =
        Files.writeString(
            directory.resolve("facts"),
            """
            /sys/block/sda/queue/rotational:1
            /sys/block/sda/size:976773168
            /sys/block/sda/device/model:ST500DM002
            /sys/block/loop0/size:0
            /sys/class/net/eth0/speed:1000
            /sys/class/net/eth0/mtu:1500
            /sys/class/net/lo/mtu:65536
            /sys/devices/system/node/online:0-1
            /sys/devices/system/node/node1/cpulist:4-7
            /sys/devices/system/cpu/smt/active:0
            """);
    StandInHost host = new StandInHost(Files.createDirectory(directory.resolve("programs")));
    host.with("grep", "cat '%s'".formatted(facts));
    assertThat(Fingerprint.of(host))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "disk sda rotational", "1",
                "disk sda size", "976773168",
                "disk sda model", "ST500DM002",
                "network eth0 speed", "1000",
                "network eth0 mtu", "1500",
                "NUMA nodes", "0-1",
                "CPUs of node1", "4-7",
                "hyper-threads", "0"));
  }
}
