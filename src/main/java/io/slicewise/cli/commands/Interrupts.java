package io.slicewise.cli.commands;

import io.slicewise.run.StopRequest;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Turns signals into stop requests. The first Ctrl-C stops after the current trial, the second
 * stops now, as do SIGTERM and SIGHUP. The process always restores the host before it exits.
 *
 * <p>The JDK's signal handling is called by reflection because it is not a documented interface.
 * Without it, a shutdown hook still ends the run in order.
 */
final class Interrupts implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  private final StopRequest stop;
  private final Consumer<StopRequest.Wish> tell;
  private final CountDownLatch restored = new CountDownLatch(1);
  private final Thread hook;

  Interrupts(StopRequest stop, Consumer<StopRequest.Wish> tell) {
    this.stop = stop;
    this.tell = tell;
    this.hook = new Thread(this::waitForTheRun, "end-in-order");
    Runtime.getRuntime().addShutdownHook(hook);
    on("INT", () -> tell.accept(stop.ask()));
    on("TERM", () -> tell.accept(stop.askNow()));
    on("HUP", () -> tell.accept(stop.askNow()));
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

  private static void on(String signal, Runnable action) {
    try {
      Class<?> signalType = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object handler =
          Proxy.newProxyInstance(
              Interrupts.class.getClassLoader(),
              new Class<?>[] {handlerType},
              (proxy, method, arguments) -> {
                action.run();
                return null;
              });
      signalType
          .getMethod("handle", signalType, handlerType)
          .invoke(null, signalType.getConstructor(String.class).newInstance(signal), handler);
    } catch (ReflectiveOperationException | IllegalArgumentException notOffered) {
      // The shutdown hook covers this signal, but stops at once.
      return;
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
