package io.slicewise.lab.virsh;

import java.util.Set;

/**
 * What a real {@code virsh} does and this one does not. It says so, in words no real one uses,
 * since an answer that looked like virsh's own would teach its reader wrong.
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
