package io.slicewise.cli.commands;

import io.slicewise.base.units.Signals;
import io.slicewise.run.StopRequest;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Turns signals into stop requests. The first Ctrl-C stops after the current trial, the second
 * stops now, as do SIGTERM and SIGHUP. The process always restores the host before it exits.
 *
 * <p>Without signals, a shutdown hook still ends the run in order.
 */
public final class Interrupts implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  private final StopRequest stop;
  private final Consumer<StopRequest.Wish> tell;
  private final CountDownLatch restored = new CountDownLatch(1);
  private final Thread hook;

  public Interrupts(StopRequest stop, Consumer<StopRequest.Wish> tell) {
    this.stop = stop;
    this.tell = tell;
    this.hook = new Thread(this::waitForTheRun, "end-in-order");
    Runtime.getRuntime().addShutdownHook(hook);
    Signals.on("INT", () -> tell.accept(stop.ask()));
    Signals.on("TERM", () -> tell.accept(stop.askNow()));
    Signals.on("HUP", () -> tell.accept(stop.askNow()));
  }

  private void waitForTheRun() {
    stop.askNow();
    try {
      if (!restored.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        tell.accept(StopRequest.Wish.NOW);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets the process exit; called when the run has ended and the host is restored. */
  @Override
  public void close() {
    restored.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      // The hook is already running and has just been released.
      return;
    }
  }
}
