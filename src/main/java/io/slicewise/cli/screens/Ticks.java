package io.slicewise.cli.screens;

import java.util.Timer;
import java.util.TimerTask;

/** Runs a task once a second until closed. */
public final class Ticks implements AutoCloseable {
  private static final long SECOND_MILLIS = 1_000;

  private final Timer timer = new Timer("screen", true);

  public Ticks(Runnable action) {
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            action.run();
          }
        },
        SECOND_MILLIS,
        SECOND_MILLIS);
  }

  @Override
  public void close() {
    timer.cancel();
  }
}
