/**
 * Value types with units, exit codes, the exception for users, and safe reading and writing of
 * files. Uses only the JDK, so that every other package may use it.
 */
package io.slicewise.base.units;
