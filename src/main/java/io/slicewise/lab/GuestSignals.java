package io.slicewise.lab;

import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.Libvirtd;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code kill} on a host with libvirt. A signal ends the daemon or the QEMU process of a guest; all
 * other processes belong to the shell.
 */
record GuestSignals(Libvirtd daemon, Program others) implements Program {
  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(invocation.words());
    boolean asks = words.contains("-0");
    boolean struck = words.subList(1, words.size()).removeIf(word -> strikes(word, asks));
    boolean more = words.stream().skip(1).anyMatch(word -> !word.startsWith("-"));
    return struck && !more ? 0 : others.run(invocation.withWords(words));
  }

  private boolean strikes(String word, boolean asks) {
    if (!word.matches("\\d{1,9}")) {
      return false;
    }
    int pid = Integer.parseInt(word);
    Optional<LibvirtGuest> guest = daemon.ofProcess(pid);
    boolean itself = pid == Libvirtd.pid() && daemon.isUp();
    if (!asks) {
      guest.ifPresent(one -> daemon.end(one, "crashed"));
      if (itself) {
        daemon.up(false);
      }
    }
    return itself || guest.isPresent();
  }
}
