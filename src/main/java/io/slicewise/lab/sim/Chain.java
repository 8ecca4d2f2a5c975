package io.slicewise.lab.sim;

import java.util.List;
import java.util.function.LongConsumer;

/** Runs stages in order; each begins when the previous one is done. */
final class Chain implements LongConsumer {
  private final Machine machine;
  private final List<Stage> stages;
  private final LongConsumer done;
  private int next;

  Chain(Machine machine, List<Stage> stages, LongConsumer done) {
    this.machine = machine;
    this.stages = List.copyOf(stages);
    this.done = done;
  }

  @Override
  public void accept(long nanos) {
    if (next == stages.size()) {
      done.accept(nanos);
      return;
    }
    Stage stage = stages.get(next++);
    machine.submit(stage.domid(), stage.burstNanos(), this);
  }
}
