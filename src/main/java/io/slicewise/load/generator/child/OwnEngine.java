package io.slicewise.load.generator.child;

import java.util.Optional;
import org.apache.jmeter.engine.StandardJMeterEngine;
import org.apache.jmeter.threads.JMeterContextService;
import org.apache.jorphan.collections.HashTree;

/** The users run in this process. */
final class OwnEngine implements LoadEngine {
  private final StandardJMeterEngine engine = new StandardJMeterEngine();

  @Override
  public void configure(HashTree plan) {
    engine.configure(plan);
  }

  @Override
  public void run(Runnable started) {
    started.run();
    engine.run();
  }

  @Override
  public void stop(boolean now) {
    engine.stopTest(now);
  }

  @Override
  public void beginWindow() {
    // The generator's health begins with it, nothing else.
  }

  @Override
  public int users() {
    return JMeterContextService.getNumberOfThreads();
  }

  @Override
  public Optional<String> fault() {
    return Optional.empty();
  }
}
