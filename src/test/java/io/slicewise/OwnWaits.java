package io.slicewise;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets a wait fail by its own condition alone. Otherwise it would also fail when a thread of
 * another test, which runs at the same time, ends with an exception, or when the machine is busy.
 */
public final class OwnWaits implements BeforeAllCallback {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
    Awaitility.setDefaultTimeout(PATIENCE);
  }
}
