/**
 * Small value types that keep units straight, the exit codes and the one exception that travels.
 * Uses nothing but the JDK, so that every other room may use it; nothing that acts lives here.
 */
package io.slicewise.base.units;
