package io.slicewise;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Tests that start several labs, servers or browsers and do not mind each other, but leave no time
 * for those that {@linkplain MeasuresInRealTime measure}.
 */
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("lab")
@ResourceLock(value = "the wall clock", mode = ResourceAccessMode.READ)
public @interface KeepsTheMachineBusy {}
