package io.slicewise.load.generator.child;

import org.apache.jmeter.engine.util.NoThreadClone;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleListener;
import org.apache.jmeter.testelement.AbstractTestElement;

/** Receives each sample once, when it is whole; one object for all users. */
abstract class WholeSamples extends AbstractTestElement implements SampleListener, NoThreadClone {
  private static final long serialVersionUID = 1L;

  @Override
  public void sampleStarted(SampleEvent event) {
    // It is not whole yet.
  }

  @Override
  public void sampleStopped(SampleEvent event) {
    // Only whole samples count.
  }
}
