package io.slicewise.lab.virsh;

import java.util.Set;

/**
 * Features of a real {@code virsh} that this one lacks. It refuses them with a message that no real
 * virsh prints, because an imitation of virsh's output would mislead the reader.
 */
final class UnmodelledCommands {
  static final Set<String> COMMANDS =
      Set.of(
          "attach-device",
          "attach-disk",
          "attach-interface",
          "blkiotune",
          "blockresize",
          "console",
          "cpu-baseline",
          "detach-device",
          "detach-disk",
          "detach-interface",
          "domcapabilities",
          "domjobinfo",
          "domtime",
          "edit",
          "event",
          "freecell",
          "freepages",
          "guestvcpus",
          "iothreadadd",
          "iothreaddel",
          "iothreadset",
          "managedsave-remove",
          "memtune",
          "migrate",
          "net-list",
          "nodecpustats",
          "nodememstats",
          "perf",
          "pool-list",
          "restore",
          "save",
          "setmaxmem",
          "setmem",
          "setvcpu",
          "snapshot-create",
          "snapshot-list",
          "sysinfo",
          "vol-list");

  private UnmodelledCommands() {}
}
