package io.slicewise.report.page;

import io.slicewise.KeepsTheMachineBusy;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Tests that take turns with the {@linkplain Browser#shared() one browser}. */
@KeepsTheMachineBusy
@ResourceLock("the browser")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface InBrowser {}
