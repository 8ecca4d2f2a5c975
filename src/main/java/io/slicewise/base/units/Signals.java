package io.slicewise.base.units;

import java.lang.reflect.Proxy;

/**
 * Signals to this process. Java's class for them belongs to no standard module, so it is used by
 * reflection.
 */
public final class Signals {
  private Signals() {}

  /** Does that instead of ending the process, if the platform offers it. */
  public static void on(String signal, Runnable action) {
    try {
      Class<?> type = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object handler =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
              new Class<?>[] {handlerType},
              (proxy, method, arguments) -> {
                action.run();
                return null;
              });
      type.getMethod("handle", type, handlerType)
          .invoke(null, type.getConstructor(String.class).newInstance(signal), handler);
    } catch (ReflectiveOperationException | IllegalArgumentException notOffered) {
      // The signal does what it does without.
      return;
    }
  }
}
