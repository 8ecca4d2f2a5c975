package io.slicewise.lab.host;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.sim.HypervisorRefusal;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.Runstate.RunstateListener;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Keeps a simulated machine in step with the wall clock. One thread owns the machine: it advances
 * virtual time to now, runs the work submitted by other threads, and sleeps until the next event or
 * submission. It records how late it wakes, because a guest's late answer is then the lab's fault
 * and not the scheduler's.
 */
public final class Driver implements AutoCloseable {
  private static final long LONGEST_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Machine machine;
  private final Lateness lateness = new Lateness();
  private final Queue<Task> tasks = new ConcurrentLinkedQueue<>();
  private final List<RunstateListener> listeners = new CopyOnWriteArrayList<>();
  private final long origin = System.nanoTime();
  private final Consumer<Runnable> atOnce = this::askAtOnce;
  private final Thread thread;
  private volatile boolean closed;

  private record Task(long handedInNanos, Consumer<Machine> work, Runnable dropped) {}

  public Driver(Machine machine) {
    this.machine = machine;
    machine.listen(
        (nanos, domid, vcpu, pcpu, from, to, cause) -> {
          for (RunstateListener listener : listeners) {
            listener.changed(nanos, domid, vcpu, pcpu, from, to, cause);
          }
        });
    thread = new Thread(this::run, "lab-machine");
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns the nanoseconds since the machine started. */
  public long now() {
    return System.nanoTime() - origin;
  }

  public Lateness lateness() {
    return lateness;
  }

  /** Notifies a listener of every runstate change, on the machine's thread, until it is removed. */
  public void listen(RunstateListener listener) {
    listeners.add(listener);
  }

  public void ignore(RunstateListener listener) {
    listeners.remove(listener);
  }

  /**
   * Submits work to the machine's thread and returns at once.
   *
   * @param dropped called instead if the machine has been switched off
   */
  public void post(Consumer<Machine> work, Runnable dropped) {
    tasks.add(new Task(now(), work, dropped));
    if (closed) {
      dropAll();
    } else {
      LockSupport.unpark(thread);
    }
  }

  /**
   * Runs a query on the machine's thread and waits for the answer; a query within a query is of the
   * same instant.
   *
   * @throws HypervisorRefusal if the hypervisor refuses
   * @throws IllegalStateException if the machine has been switched off
   */
  public <T> T ask(Function<Machine, T> question) {
    if (Thread.currentThread() == thread) {
      return question.apply(machine);
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    post(
        owned -> answer(answer, question, owned),
        () -> answer.completeExceptionally(new IllegalStateException("the host is down")));
    try {
      return answer.join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw failed;
    }
  }

  /** Returns what runs several queries at one instant of the machine; always the same object. */
  public Consumer<Runnable> atOnce() {
    return atOnce;
  }

  private void askAtOnce(Runnable work) {
    ask(
        owned -> {
          work.run();
          return true;
        });
  }

  private static <T> void answer(
      CompletableFuture<T> answer, Function<Machine, T> question, Machine machine) {
    try {
      answer.complete(question.apply(machine));
    } catch (RuntimeException refused) {
      answer.completeExceptionally(refused);
    }
  }

  private void run() {
    while (!closed) {
      machine.runUntil(now());
      for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
        lateness.record(now() - task.handedInNanos);
        task.work.accept(machine);
      }
      sleep(machine.nextEventNanos());
    }
    dropAll();
  }

  private void sleep(long next) {
    long wait = Math.min(next - now(), LONGEST_SLEEP_NANOS);
    if (wait > 0 && tasks.isEmpty()) {
      LockSupport.parkNanos(this, wait);
    }
    long late = now() - next;
    if (late >= 0) {
      lateness.record(late);
    }
  }

  private void dropAll() {
    for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
      task.dropped.run();
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join(TimeUnit.SECONDS.toMillis(5));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    dropAll();
  }

  /** The lateness of the lab relative to the simulated machine's schedule, in nanoseconds. */
  public static final class Lateness {
    /** The limit at the 99th percentile above which the guests' response times are not reliable. */
    public static final long BEARABLE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long GREATEST = TimeUnit.MINUTES.toNanos(1);

    private final Histogram histogram = new ConcurrentHistogram(1, GREATEST, 3);
    private final Histogram sinceBoot = new ConcurrentHistogram(1, GREATEST, 3);

    void record(long nanos) {
      long within = Math.max(0, Math.min(nanos, GREATEST));
      histogram.recordValue(within);
      sinceBoot.recordValue(within);
    }

    /**
     * Returns all values since boot as HdrHistogram's compressed base64. {@link #reset} does not
     * affect them, and the difference of two readings is the lateness in that window.
     */
    public String sinceBoot() {
      Histogram now = sinceBoot.copy();
      ByteBuffer buffer = ByteBuffer.allocate(now.getNeededByteBufferCapacity());
      int length = now.encodeIntoCompressedByteBuffer(buffer);
      return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    /** Clears the values that {@link #summary} and the percentiles describe. */
    public void reset() {
      histogram.reset();
    }

    /** Returns the number of recorded values. */
    public long count() {
      return histogram.getTotalCount();
    }

    /** Returns the lateness at a percentile, 0..100. */
    public long atPercentile(double percentile) {
      return histogram.getValueAtPercentile(percentile);
    }

    public boolean acceptable() {
      return atPercentile(99) <= BEARABLE_NANOS;
    }

    /** Returns one sentence for people. */
    public String summary() {
      if (count() == 0) {
        return "lateness: nothing measured yet";
      }
      return Phrase.of(
          "lateness: p50 %.2f ms, p99 %.2f ms, greatest %.1f ms over %d moments%s",
          atPercentile(50) / 1e6,
          atPercentile(99) / 1e6,
          histogram.getMaxValue() / 1e6,
          count(),
          acceptable() ? "" : "; THE LAB CANNOT KEEP UP: response times are not to be believed");
    }
  }
}
