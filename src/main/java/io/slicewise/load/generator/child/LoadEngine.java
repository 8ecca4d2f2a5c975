package io.slicewise.load.generator.child;

import java.util.Optional;
import org.apache.jorphan.collections.HashTree;

/** What runs the users of a plan: this process, or JMeter's own servers. */
interface LoadEngine {
  /**
   * Gets ready to run a plan.
   *
   * @throws LoadedPlan.Fault if it cannot
   */
  void configure(HashTree plan) throws LoadedPlan.Fault;

  /**
   * Runs the users until they have ended.
   *
   * @param started is called when all engines have begun to start their users
   * @throws LoadedPlan.Fault if they cannot start
   */
  void run(Runnable started) throws LoadedPlan.Fault;

  /**
   * Asks the users to stop after their sample.
   *
   * @param now interrupt them instead
   */
  void stop(boolean now);

  /** The measured window begins. */
  void beginWindow();

  /** Returns the number of active users. */
  int users();

  /** Returns why the samples since the window's start are not the whole load; usually empty. */
  Optional<String> fault();
}
