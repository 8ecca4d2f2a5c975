package io.slicewise.load.generator.child;

import io.slicewise.load.generator.GeneratorHealth.Arrivals;
import io.slicewise.load.generator.GeneratorHealth.Passes;
import io.slicewise.load.generator.LoadRequest;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.apache.jmeter.engine.event.LoopIterationEvent;
import org.apache.jmeter.engine.util.NoThreadClone;
import org.apache.jmeter.samplers.SampleResult;
import org.apache.jmeter.testelement.AbstractTestElement;
import org.apache.jmeter.testelement.TestIterationListener;
import org.apache.jmeter.threads.AbstractThreadGroup;
import org.apache.jmeter.threads.JMeterContextService;
import org.apache.jmeter.threads.PostThreadGroup;
import org.apache.jmeter.threads.SetupThreadGroup;
import org.apache.jmeter.util.JMeterUtils;
import org.apache.jorphan.util.JMeterStopThreadException;

/**
 * An open load: users pass through the plan when an arrival is due, whether or not earlier ones are
 * answered. Arrivals are a Poisson process of each thread group; the same seed gives the same. An
 * arrival takes the user who has been idle for the shortest time, so that few users and connections
 * do most of the work. If none is idle, it waits for the next; after a second it is dropped.
 *
 * <p>The first sample of a pass is counted from when its arrival was due: what a request waits for
 * its turn is part of its response time.
 */
final class OpenLoad extends AbstractTestElement implements TestIterationListener, NoThreadClone {
  private static final long serialVersionUID = 1L;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int GENERATOR_STEP = 7_919;

  /** Of each user's thread; a process has one load. */
  private static final ThreadLocal<Pass> PASSES = new ThreadLocal<>();

  private final double perSecond;
  private final long seed;
  private final transient Map<AbstractThreadGroup, Queue> queues =
      Collections.synchronizedMap(new IdentityHashMap<>());
  private final transient Histogram lateMicros = new Histogram(3);
  private long dropped;
  private long passesEnded;
  private long inFlight;
  private long inFlightBefore;
  private volatile boolean ended;

  /**
   * @param perSecond arrivals in each thread group
   */
  OpenLoad(double perSecond, long seed) {
    this.perSecond = perSecond;
    this.seed = seed;
    setName("arrivals");
  }

  /** Returns the open load that the run's properties ask for. */
  static Optional<OpenLoad> ofThisRun() {
    double rate = Double.parseDouble(JMeterUtils.getPropDefault(LoadRequest.RATE, "0"));
    long seed =
        JMeterUtils.getPropDefault(LoadRequest.SEED, 0L)
            + GENERATOR_STEP * JMeterUtils.getPropDefault("slicewise.generator", 0L);
    return rate > 0 ? Optional.of(new OpenLoad(rate, seed)) : Optional.empty();
  }

  /** Holds the user until an arrival is due. */
  @Override
  public void testIterationStart(LoopIterationEvent event) {
    AbstractThreadGroup group = JMeterContextService.getContext().getThreadGroup();
    if (group instanceof SetupThreadGroup || group instanceof PostThreadGroup) {
      return;
    }
    if (PASSES.get() != null) {
      PASSES.remove();
      passEnded();
    }
    long due = queues.computeIfAbsent(group, Queue::new).await();
    long late = System.nanoTime() - due;
    PASSES.set(new Pass(TimeUnit.NANOSECONDS.toMillis(late)));
    synchronized (this) {
      lateMicros.recordValue(TimeUnit.NANOSECONDS.toMicros(late));
      inFlight++;
    }
  }

  private synchronized void passEnded() {
    passesEnded++;
    inFlight--;
  }

  /**
   * Returns how many milliseconds after its arrival a sample of this thread's user began; 0 for one
   * that followed another in the same pass.
   */
  long lateMillis(SampleResult sample) {
    Pass pass = PASSES.get();
    return pass == null ? 0 : pass.lateMillis(sample.getStartTime());
  }

  void beginWindow() {
    dropOverdue();
    synchronized (this) {
      lateMicros.reset();
      dropped = 0;
      passesEnded = 0;
      inFlightBefore = inFlight;
    }
  }

  Arrivals read() {
    dropOverdue();
    synchronized (this) {
      long started = lateMicros.getTotalCount();
      return new Arrivals(
          started,
          dropped,
          started == 0 ? Double.NaN : lateMicros.getValueAtPercentile(99) / 1e3,
          Optional.of(new Passes(passesEnded, inFlightBefore)));
    }
  }

  private void dropOverdue() {
    synchronized (queues) {
      queues.values().forEach(Queue::dropOverdue);
    }
  }

  private synchronized void drop() {
    dropped++;
  }

  /** Ends the users that wait for an arrival. */
  void end() {
    ended = true;
    synchronized (queues) {
      queues.values().forEach(Queue::wake);
    }
  }

  /** One pass of a user through the plan. */
  private static final class Pass {
    private final long lateMillis;
    private long first = Long.MAX_VALUE;

    Pass(long lateMillis) {
      this.lateMillis = lateMillis;
    }

    /** The first sample is delivered before the transaction that it began. */
    long lateMillis(long startMillis) {
      if (startMillis > first) {
        return 0;
      }
      first = startMillis;
      return lateMillis;
    }
  }

  /** The arrivals of a thread group, and its idle users, the last one first. */
  private final class Queue {
    private final Random chance;
    private final Deque<Thread> idle = new ArrayDeque<>();
    private long dueNanos = System.nanoTime();

    Queue(AbstractThreadGroup group) {
      chance = new Random(31 * seed + group.getName().hashCode());
      next();
    }

    private void next() {
      double gap = -Math.log(1 - chance.nextDouble()) / perSecond;
      dueNanos += Math.round(gap * TimeUnit.SECONDS.toNanos(1));
    }

    /** Waits for this user's arrival and returns when it was due. */
    long await() {
      Thread user = Thread.currentThread();
      synchronized (this) {
        idle.push(user);
      }
      while (true) {
        long left = Long.MAX_VALUE;
        synchronized (this) {
          if (ended || user.isInterrupted()) {
            idle.remove(user);
            LockSupport.unpark(idle.peek());
            throw new JMeterStopThreadException("the load ends");
          }
          if (idle.peek() == user) {
            dropOverdue();
            left = dueNanos - System.nanoTime();
            if (left <= 0) {
              return take();
            }
          }
        }
        LockSupport.parkNanos(this, left);
      }
    }

    private long take() {
      idle.pop();
      LockSupport.unpark(idle.peek());
      long taken = dueNanos;
      next();
      return taken;
    }

    synchronized void dropOverdue() {
      while (System.nanoTime() - dueNanos > PATIENCE_NANOS) {
        drop();
        next();
      }
    }

    synchronized void wake() {
      idle.forEach(LockSupport::unpark);
    }
  }
}
