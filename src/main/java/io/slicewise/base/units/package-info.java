/**
 * Value types with units, the base of all errors that users meet, and safe reading and writing of
 * files. Uses only the JDK, so that every other package may use it.
 */
package io.slicewise.base.units;
