package io.slicewise.lab;

import io.slicewise.lab.libvirt.Libvirtd;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * {@code taskset -pc [LIST] TID} for the threads of guests: shows the pCPUs that a thread may use.
 * They cannot be changed with it because libvirt confines each thread to a CPU set of its own.
 */
record Taskset(Libvirtd daemon) implements Program {
  @Override
  public int run(Invocation invocation) throws IOException {
    List<String> arguments = invocation.arguments();
    if (arguments.size() < 2 || !arguments.get(0).equals("-pc")) {
      invocation.complain("taskset: only 'taskset -pc [LIST] PID' is known here\n");
      return 1;
    }
    String thread = arguments.get(arguments.size() - 1);
    Optional<String> cpus =
        thread.matches("\\d{1,9}")
            ? daemon.cpusOfThread(Integer.parseInt(thread))
            : Optional.empty();
    if (cpus.isEmpty()) {
      invocation.complain("taskset: failed to get pid %s's affinity: No such process\n", thread);
      return 1;
    }
    invocation.print("pid %s's current affinity list: %s\n", thread, cpus.get());
    if (arguments.size() > 2 && !arguments.get(1).equals(cpus.get())) {
      invocation.complain("taskset: failed to set pid %s's affinity: Invalid argument\n", thread);
      return 1;
    }
    return 0;
  }
}
