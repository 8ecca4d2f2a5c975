package io.slicewise.load.generator.child;

import java.util.Optional;
import org.apache.jmeter.engine.util.NoThreadClone;
import org.apache.jmeter.testelement.AbstractTestElement;
import org.apache.jmeter.testelement.ThreadListener;
import org.apache.jmeter.threads.JMeterContext;
import org.apache.jmeter.threads.JMeterContextService;
import org.apache.jmeter.util.JMeterUtils;

/**
 * Numbers the users of one generator after those of the generators before it, so that what a plan
 * chooses by a user's number is not used twice and no two users have one name.
 */
final class FirstUser extends AbstractTestElement implements ThreadListener, NoThreadClone {
  /** JMeter properties of one of several generators. */
  static final String NUMBER = "slicewise.first-user";

  static final String GENERATORS = "slicewise.generators";
  private static final long serialVersionUID = 1L;

  FirstUser() {
    setName("first user");
  }

  /** Whether other generators run the same plan at the same time. */
  static boolean isOneOfSeveral() {
    return JMeterUtils.getPropDefault(GENERATORS, 1) > 1;
  }

  /** Returns the element for a run that is not the first generator's. */
  static Optional<FirstUser> ofThisRun() {
    return JMeterUtils.getPropDefault(NUMBER, 0) > 0
        ? Optional.of(new FirstUser())
        : Optional.empty();
  }

  @Override
  public void threadStarted() {
    JMeterContext user = JMeterContextService.getContext();
    user.setThreadNum(user.getThreadNum() + JMeterUtils.getPropDefault(NUMBER, 0));
    String name = user.getThread().getThreadName();
    String own = name.substring(0, name.lastIndexOf('-') + 1) + (user.getThreadNum() + 1);
    user.getThread().setThreadName(own);
    Thread.currentThread().setName(own); // from which __threadNum takes its number
  }

  @Override
  public void threadFinished() {
    // The number ends with its user.
  }
}
