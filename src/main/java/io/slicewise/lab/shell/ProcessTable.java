package io.slicewise.lab.shell;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The commands now running, which can be found and ended. Thread-safe. */
public final class ProcessTable {
  private static final int SIGNALLED = 128;
  private static final int FIRST_PID = 2100;
  private static final int KILL = 9;
  private static final int TERM = 15;
  private static final Map<String, Integer> SIGNALS =
      Map.of("HUP", 1, "INT", 2, "QUIT", 3, "KILL", KILL, "TERM", TERM, "CONT", 18, "STOP", 19);

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
    private final Thread thread;
    private final Set<Integer> ignored = new HashSet<>();
    private HostProcess process;
    private int signal;

    Running(HostProcess process, Thread thread) {
      this.process = process;
      this.thread = thread;
    }
  }

  /** The work of a process in a thread of its own. */
  @FunctionalInterface
  interface Body {
    int run(int pid) throws IOException, InterruptedException;
  }

  /**
   * Starts a process that runs concurrently with its parent and may outlive it.
   *
   * @return the number of the process
   */
  synchronized int start(List<String> words, Body body) {
    int pid = nextPid++;
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run(pid);
              } catch (IOException | InterruptedException ended) {
                // Ended by a signal, or by a stream whose reader is gone.
              } finally {
                ended(pid);
              }
            },
            "lab-process-" + pid);
    thread.setDaemon(true);
    running.put(pid, new Running(new HostProcess(pid, List.copyOf(words)), thread));
    thread.start();
    return pid;
  }

  private synchronized void ended(int pid) {
    running.remove(pid);
    notifyAll();
  }

  /** Waits for the named processes to end, or for all started ones if none is named. */
  synchronized void awaitStarted(List<Integer> pids) throws InterruptedException {
    while (running.values().stream()
        .anyMatch(
            entry ->
                pids.isEmpty()
                    ? entry.thread.getName().equals("lab-process-" + entry.process.pid())
                    : pids.contains(entry.process.pid()))) {
      wait();
    }
  }

  /** Returns the number of the calling thread's process, or 1 if it has none. */
  public synchronized int current() {
    return running.values().stream()
        .filter(entry -> entry.thread == Thread.currentThread())
        .mapToInt(entry -> entry.process.pid())
        .max()
        .orElse(1);
  }

  /** Replaces the program of a process. */
  synchronized void become(int pid, List<String> words) {
    Running entry = running.get(pid);
    if (entry != null) {
      entry.process = new HostProcess(pid, List.copyOf(words));
    }
  }

  /** Makes a process ignore signals, or react to them again. */
  synchronized void ignore(int pid, boolean ignores, List<String> names) {
    Running entry = running.get(pid);
    for (String name : entry == null ? List.<String>of() : names) {
      int signal = number(name);
      if (ignores) {
        entry.ignored.add(signal);
      } else {
        entry.ignored.remove(signal);
      }
    }
  }

  /**
   * Returns the number of a signal, given by its name with or without SIG, or by its number. The
   * default is TERM.
   */
  public static int number(String name) {
    String plain = name.replaceFirst("^SIG", "");
    return plain.matches("\\d{1,2}") ? Integer.parseInt(plain) : SIGNALS.getOrDefault(plain, TERM);
  }

  /** Ends all processes, as a reboot does. */
  public synchronized void killAll() {
    new ArrayList<>(running.keySet()).forEach(pid -> signal(pid, KILL));
  }

  /** Runs a tool as a process. A killed one returns 128 plus the signal's number. */
  int run(Program tool, Invocation invocation) throws IOException, InterruptedException {
    Running entry = enter(invocation.words());
    try {
      return tool.run(invocation);
    } catch (InterruptedException interrupted) {
      synchronized (this) {
        if (entry.signal == 0) {
          throw interrupted; // the channel closed; this was not a kill
        }
        return SIGNALLED + entry.signal;
      }
    } finally {
      leave(entry);
    }
  }

  private synchronized Running enter(List<String> words) {
    Running entry =
        new Running(new HostProcess(nextPid++, List.copyOf(words)), Thread.currentThread());
    running.put(entry.process.pid(), entry);
    return entry;
  }

  private synchronized void leave(Running entry) {
    running.remove(entry.process.pid());
    if (entry.signal != 0) {
      // A signal that came too late must not interrupt this thread's next work.
      boolean unused = Thread.interrupted();
    }
  }

  public synchronized List<HostProcess> processes() {
    List<HostProcess> all = new ArrayList<>();
    running.values().forEach(entry -> all.add(entry.process));
    return all;
  }

  /** Signals a process and returns whether it existed. Signal 0 only checks. */
  public synchronized boolean signal(int pid, int signal) {
    Running entry = running.get(pid);
    if (entry == null) {
      return false;
    }
    if (signal == 0 || (signal != KILL && entry.ignored.contains(signal))) {
      return true;
    }
    entry.signal = signal;
    entry.thread.interrupt();
    return true;
  }
}
