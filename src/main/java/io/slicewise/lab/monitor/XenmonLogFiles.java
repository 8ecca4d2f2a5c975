package io.slicewise.lab.monitor;

import io.slicewise.lab.shell.HostFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.TreeSet;

/** The log files of one xenmon. Each file is created with its first row. */
final class XenmonLogFiles {
  private final HostFiles files;
  private final String prefix;
  private final Set<Integer> begun = new TreeSet<>();

  XenmonLogFiles(HostFiles files, String prefix) {
    this.files = files;
    this.prefix = prefix;
  }

  void append(int domid, String row) throws IOException {
    boolean first = begun.add(domid);
    files.append(name(domid), first ? XenmonLogRow.HEADER + row : row);
  }

  private String name(int domid) {
    return prefix + (domid == Xenbaked.IDLE ? "-idle.log" : "-dom" + domid + ".log");
  }

  /** Cuts every file in half, usually in the middle of a row. */
  void truncate() throws IOException {
    for (int domid : begun) {
      try (FileChannel file =
          FileChannel.open(files.locate(name(domid)), StandardOpenOption.WRITE)) {
        file.truncate(file.size() / 2);
      }
    }
  }
}
