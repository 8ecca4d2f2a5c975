package io.slicewise;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Tests whose windows are seconds of the wall clock: one class at a time, and none beside those
 * that {@linkplain KeepsTheMachineBusy keep the machine busy}. Two cores would have no time for a
 * window otherwise, and an empty window is not the failure such a test is there to find.
 */
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("thorough")
@ResourceLock("the wall clock")
public @interface MeasuresInRealTime {}
