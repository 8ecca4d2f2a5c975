package io.slicewise.lab.shell;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The commands that run at the moment, so that they can be found and ended. Thread-safe. */
public final class ProcessTable {
  private static final int SIGNALLED = 128;
  private static final int FIRST_PID = 2100;

  private final Map<Integer, Running> running = new TreeMap<>();
  private int nextPid = FIRST_PID;

  /** A running command. */
  public record HostProcess(int pid, List<String> words) {
    /** The program's name without its directory. */
    public String name() {
      String program = words.get(0);
      return program.substring(program.lastIndexOf('/') + 1);
    }

    public String commandLine() {
      return String.join(" ", words);
    }
  }

  private static final class Running {
    private final HostProcess process;
    private final Thread thread = Thread.currentThread();
    private int signal;

    Running(HostProcess process) {
      this.process = process;
    }
  }

  /** Runs a tool as a process; one that is killed ends with 128 and the signal's number. */
  int run(Tool tool, Invocation invocation) throws IOException, InterruptedException {
    Running entry = enter(invocation.words());
    try {
      return tool.run(invocation);
    } catch (InterruptedException interrupted) {
      synchronized (this) {
        if (entry.signal == 0) {
          throw interrupted; // the channel closed, not a kill
        }
        return SIGNALLED + entry.signal;
      }
    } finally {
      leave(entry);
    }
  }

  private synchronized Running enter(List<String> words) {
    Running entry = new Running(new HostProcess(nextPid++, List.copyOf(words)));
    running.put(entry.process.pid(), entry);
    return entry;
  }

  private synchronized void leave(Running entry) {
    running.remove(entry.process.pid());
    if (entry.signal != 0) {
      // A signal that came too late must not strike what this thread does next.
      boolean unused = Thread.interrupted();
    }
  }

  public synchronized List<HostProcess> processes() {
    List<HostProcess> all = new ArrayList<>();
    running.values().forEach(entry -> all.add(entry.process));
    return all;
  }

  /** Signals a process and says whether it was there. */
  public synchronized boolean signal(int pid, int signal) {
    Running entry = running.get(pid);
    if (entry == null) {
      return false;
    }
    entry.signal = signal;
    entry.thread.interrupt();
    return true;
  }
}
